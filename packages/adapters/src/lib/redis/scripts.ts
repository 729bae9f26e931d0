import { UNLINK } from '../lease-holder.ts'

// Each script uses keys of one slot only, so that a Cluster accepts it too.

/** The result of a script that found a record changed since it was read. */
export const CHANGED = -1
/** The result of a script that found no user. */
const NO_USER = 0
/** The result of a script that stores nothing because the link of the record is void. */
export const VOID = -2

// A record begins with its link and a blank; older ones have no link.
const LINK_OF = `
local function linkOf(text) return text and string.match(text, '^([%x-]+) ') or (text and '') end`

/**
 * For how long a session that has expired is kept, in milliseconds: longer than the clocks of servers differ. One whose clock is
 * behind leaves the row of a replaced session for seconds that the clock here has passed.
 */
export const KEPT_AFTER_EXPIRY = 300_000

// A list is kept as long as the last of its sessions.
const END_LIST = `
local function endList(key)
  local last = redis.call('zrange', key, -1, -1, 'withscores')
  if last[2] then redis.call('pexpireat', key, string.format('%.0f', last[2] + ${KEPT_AFTER_EXPIRY})) end
end`

/** Functions for the time of the server, and for numbers as text. */
export const CLOCK: string = `
local function clock()
  local time = redis.call('time')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end`

/** The scripts by name. */
interface Scripts {
  /** Creates a hash, unless the key exists. */
  readonly createHash: string
  /** Changes fields of an existing hash, and returns all of it. */
  readonly updateHash: string
  /** The same for a user whose address nobody has proved. Others are returned as they are. */
  readonly updateUnproved: string
  /** Writes records of an existing user, unless a link is void or the condition does not hold. */
  readonly writeRecords: string
  /**
   * Deletes what an unproved user with that address can sign in with, and stores that it is proved if there was nothing. With the field
   * of an account, nothing is deleted, and nothing is stored unless it is all there is. Returns the user, and what was deleted.
   */
  readonly claimUser: string
  /** Returns whether a record with that link exists. If not, its link is void from now on. */
  readonly keepOrVoid: string
  /** Replaces a record that is still as it was read. */
  readonly replaceRecord: string
  /**
   * Replaces an account as it was read, and ends its lease, unless that is of an unlink: only for its holder, if one is named.
   */
  readonly replaceLeased: string
  /**
   * Leases an account that still has that link, unless another holder has it. Returns the account.
   */
  readonly lease: string
  /** Removes a record that still has that link. */
  readonly removeRecord: string
  /** Adds a session to the list of an existing user, without which it is not valid. One that is listed stays for as long, or longer. */
  readonly listSession: string
  /** Changes when a listed session expires, if there is one. */
  readonly relistSession: string
  /** Returns the listed sessions that have not expired, those that expire last first. */
  readonly listedSessions: string
  /** Takes all sessions off a list but those given, which ends them. Returns what was taken off. */
  readonly unlistSessions: string
  /** Changes where a pointer points, if it still points where it did. Returns where it points then. */
  readonly replacePointer: string
  /** Removes a pointer, if it still points there. */
  readonly releasePointer: string
  /** Deletes all keys given. */
  readonly deleteAll: string
  /** Stores a password, in place of one with that hash if one is given. */
  readonly setPassword: string
  /** Removes a password, or only one with that hash if one is given. */
  readonly removePassword: string
  /**
   * Stores and lists a session, or only one that is listed. The list expires with the last of its sessions.
   */
  readonly trackSession: string
  /** Removes the listed sessions given. */
  readonly untrackSessions: string
  /** Removes a chunk of the listed sessions, but not the one given. Returns how many there were. */
  readonly untrackOthers: string
  /**
   * Counts an attempt if one is allowed. A value is the number in a row, when the next one is allowed,
   * and when it expires.
   */
  readonly takeAttempt: string
}

export const SCRIPTS: Scripts = {
  createHash: `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], unpack(ARGV))
return 1`,

  updateHash: `
if redis.call('exists', KEYS[1]) == 0 then return {} end
redis.call('hset', KEYS[1], unpack(ARGV))
return redis.call('hgetall', KEYS[1])`,

  updateUnproved: `
if redis.call('exists', KEYS[1]) == 0 then return {} end
local verified = redis.call('hget', KEYS[1], 'emailVerified') or 'null'
if verified == 'null' then redis.call('hset', KEYS[1], unpack(ARGV)) end
return redis.call('hgetall', KEYS[1])`,

  writeRecords: `${CLOCK}
local asked = cjson.decode(ARGV[1])
for at = 1, #asked.records do
  if redis.call('exists', KEYS[4 + at]) == 1 then return ${VOID} end
end
if redis.call('exists', KEYS[1]) == 0 then return ${NO_USER} end
if asked.email then
  local email, verified = unpack(redis.call('hmget', KEYS[1], 'email', 'emailVerified'))
  if (email or 'null') ~= asked.email then return ${CHANGED} end
  if ((verified or 'null') ~= 'null') ~= asked.isVerified then return ${CHANGED} end
end
if asked.session then
  local expires = redis.call('zscore', KEYS[4], asked.session)
  if not expires or tonumber(expires) <= clock() then return ${CHANGED} end
end
for _, each in ipairs(asked.unrevoked or {}) do
  local entry = redis.call('hget', KEYS[#KEYS], each.key)
  local generation = entry and tonumber(string.match(entry, ' (%d+)$'))
  if entry and (not generation or generation > each.generation) then return ${CHANGED} end
end
for _, each in ipairs(asked.records) do
  redis.call('hset', each.kind == 'accounts' and KEYS[2] or KEYS[3], each.field, each.text)
end
return 1`,

  claimUser: `
local user = redis.call('hmget', KEYS[1], 'email', 'emailVerified')
if redis.call('exists', KEYS[1]) == 0 or (user[1] or 'null') ~= ARGV[1] then return {} end
if (user[2] or 'null') ~= 'null' then return {} end
local password = redis.call('exists', KEYS[4])
local count = redis.call('hlen', KEYS[2]) + redis.call('hlen', KEYS[3]) + password
local removed = { {}, {}, {} }
if ARGV[3] then
  if count ~= 1 or redis.call('hexists', KEYS[2], ARGV[3]) == 0 then return {} end
  count = 0
else
  removed = {
    redis.call('hgetall', KEYS[2]), redis.call('hgetall', KEYS[3]), redis.call('zrange', KEYS[5], 0, -1)
  }
  redis.call('del', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
end
local proved = {}
if ARGV[2] ~= '' and count == 0 then
  redis.call('hset', KEYS[1], 'emailVerified', ARGV[2])
  proved = redis.call('hgetall', KEYS[1])
end
return { proved, removed[1], removed[2], removed[3], password }`,

  keepOrVoid: `${LINK_OF}
if linkOf(redis.call('hget', KEYS[1], ARGV[1])) == ARGV[2] then return 1 end
redis.call('set', KEYS[2], '1', 'EX', 86400)
return 0`,

  replaceRecord: `
if redis.call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
return 1`,

  replaceLeased: `
if ARGV[4] ~= '' and redis.call('get', KEYS[2]) ~= ARGV[4] then return 0 end
if redis.call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then return ${CHANGED} end
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
local holder = redis.call('get', KEYS[2])
if holder and (ARGV[4] ~= '' or string.sub(holder, 1, ${UNLINK.length}) ~= '${UNLINK}') then
  redis.call('del', KEYS[2])
end
return 1`,

  lease: `${LINK_OF}
local text = redis.call('hget', KEYS[1], ARGV[1])
if linkOf(text) ~= ARGV[2] then return 0 end
local holder = redis.call('get', KEYS[2])
if holder and holder ~= ARGV[3] then return 0 end
redis.call('set', KEYS[2], ARGV[3], 'PX', ARGV[4])
return text`,

  removeRecord: `${LINK_OF}
if linkOf(redis.call('hget', KEYS[1], ARGV[1])) ~= ARGV[2] then return 0 end
return redis.call('hdel', KEYS[1], ARGV[1])`,

  listSession: `${CLOCK}${END_LIST}
if redis.call('exists', KEYS[1]) == 0 then return 0 end
redis.call('zremrangebyscore', KEYS[2], '-inf', text(clock() - ${KEPT_AFTER_EXPIRY}))
redis.call('zadd', KEYS[2], 'GT', ARGV[1], ARGV[2])
endList(KEYS[2])
return 1`,

  relistSession: `${END_LIST}
if not redis.call('zscore', KEYS[1], ARGV[2]) then return 0 end
redis.call('zadd', KEYS[1], 'XX', ARGV[1], ARGV[2])
endList(KEYS[1])
return 1`,

  listedSessions: `${CLOCK}
return redis.call('zrevrangebyscore', KEYS[1], '+inf', '(' .. text(clock()), 'limit', 0, ARGV[1])`,

  unlistSessions: `${END_LIST}
local stays, gone = {}, {}
for _, token in ipairs(ARGV) do stays[token] = redis.call('zscore', KEYS[1], token) or nil end
for _, token in ipairs(redis.call('zrange', KEYS[1], 0, -1)) do
  if not stays[token] then gone[#gone + 1] = token end
end
redis.call('del', KEYS[1])
for token, time in pairs(stays) do redis.call('zadd', KEYS[1], time, token) end
endList(KEYS[1])
return gone`,

  replacePointer: `
local current = redis.call('get', KEYS[1]) or ''
if current ~= ARGV[1] then return current end
redis.call('set', KEYS[1], ARGV[2])
return ARGV[2]`,

  releasePointer: `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`,

  deleteAll: `return redis.call('del', unpack(KEYS))`,

  setPassword: `
if ARGV[3] and redis.call('hget', KEYS[1], 'hash') ~= ARGV[3] then return 0 end
redis.call('hset', KEYS[1], 'hash', ARGV[1], 'changedAt', ARGV[2])
return 1`,

  removePassword: `
if ARGV[1] and redis.call('hget', KEYS[1], 'hash') ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`,

  trackSession: `${CLOCK}
if ARGV[4] == '1' and not redis.call('zscore', KEYS[1], ARGV[2]) then return 0 end
redis.call('zremrangebyscore', KEYS[1], '-inf', text(clock()))
redis.call('zadd', KEYS[1], ARGV[1], ARGV[2])
redis.call('set', KEYS[2], ARGV[3], 'PXAT', ARGV[1])
local last = redis.call('zrange', KEYS[1], -1, -1, 'withscores')
if last[2] then redis.call('pexpireat', KEYS[1], last[2]) end
return 1`,

  untrackSessions: `
for at = 2, #ARGV do
  redis.call('zrem', KEYS[1], ARGV[at])
  redis.call('del', ARGV[1] .. ARGV[at])
end
return 1`,

  untrackOthers: `
local removed = 0
for _, id in ipairs(redis.call('zrange', KEYS[1], 0, ARGV[3])) do
  if id ~= ARGV[2] then
    redis.call('zrem', KEYS[1], id)
    redis.call('del', ARGV[1] .. id)
    removed = removed + 1
  end
end
return removed`,

  takeAttempt: `
local function text(number) return string.format('%.0f', number) end
local now, tolerance, memory = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local value = redis.call('get', KEYS[1])
local attempts, notBefore, expires = 0, 0, 0
if value then
  attempts, notBefore, expires = string.match(value, '^(%d+) (%-?%d+) (%-?%d+)$')
  attempts, notBefore, expires = tonumber(attempts), tonumber(notBefore), tonumber(expires)
end
if notBefore > now then return text(notBefore - now) end
attempts = expires > now and attempts + 1 or 1
local wait = 0
for at = 4, #ARGV, 2 do
  wait = tonumber(ARGV[at + 1])
  if ARGV[at] == 'inf' or attempts <= tonumber(ARGV[at]) then break end
end
notBefore = math.max(notBefore, now - tolerance) + wait
expires = notBefore + tolerance + memory
local kept = text(math.max(expires - now, 1))
redis.call('set', KEYS[1], text(attempts) .. ' ' .. text(notBefore) .. ' ' .. text(expires), 'px', kept)
return '0'`,
}
