import { CLOCK } from '../scripts.ts'

// Each script has the keys of the log: the entries, and the sorted sets by the time of the change and by expiry. The epoch is the
// field of a name that no revocation can have.

/** Redis removes keys as a whole: if one is gone, or the epoch with the entries, the log is no longer what it was. */
const EPOCH = `
local function epochOf()
  for _, key in ipairs(KEYS) do if redis.call('exists', key) == 0 then return '' end end
  return redis.call('hget', KEYS[1], ' epoch') or ''
end`

// A generation that is not in the past yet could be assigned again.
const FORGET = `
local function forget(now, kept, count)
  local removed = 0
  local over = redis.call('zrangebyscore', KEYS[3], '-inf', text(now - kept), 'limit', 0, count)
  for _, key in ipairs(over) do
    local generation = string.match(redis.call('hget', KEYS[1], key) or '', ' (%d+)$')
    if not generation or tonumber(generation) < now then
      redis.call('hdel', KEYS[1], key)
      redis.call('zrem', KEYS[2], key)
      redis.call('zrem', KEYS[3], key)
      removed = removed + 1
    end
  end
  return removed
end`

/**
 * Records revocations and publishes them. All keys expire together, with the last revocation. A lowest generation that follows an
 * equals sign is that of an entry which is written again. Needs the id of an epoch, in case one begins.
 */
export const REVOKE: string = `${CLOCK}${EPOCH}${FORGET}
local now = clock()
local kept = tonumber(ARGV[2])
local lines = {}
if epochOf() == '' then redis.call('hset', KEYS[1], ' epoch', ARGV[4]) end
for at = 5, #ARGV, 3 do
  local key, till, lowest = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
  local again = string.match(lowest, '^=(%d+)$')
  local before = redis.call('hget', KEYS[1], key)
  local generation = lowest ~= '-' and (tonumber(again or lowest) or now)
  if before then
    local ended, previous = string.match(before, '^(%-?%d+) (.+)$')
    till = math.max(till, tonumber(ended))
    local next = previous ~= '-' and tonumber(previous) + (again and 0 or 1)
    generation = generation and next and math.max(next, generation)
  end
  local value = text(till) .. ' ' .. (generation and text(generation) or '-')
  redis.call('hset', KEYS[1], key, value)
  redis.call('zadd', KEYS[2], text(now), key)
  redis.call('zadd', KEYS[3], text(till), key)
  lines[#lines + 1] = key .. ' ' .. value
end
forget(now, kept, ARGV[3])
local last = redis.call('zrange', KEYS[3], -1, -1, 'withscores')
local gone = text(math.max(now, tonumber(last[2]) or now) + kept)
for _, key in ipairs(KEYS) do redis.call('pexpireat', key, gone) end
redis.call('publish', ARGV[1], table.concat(lines, '\\n'))
return lines`

/**
 * Returns the time, the epoch, what the next page follows, and a page of revocations. They are in the order of a sorted set, which is
 * the same on every server: the order of a hash is not. An entry that changes moves towards the end, so it is not passed over.
 * Needs the set, where to begin (`now` for the time), what to follow, how many at most, and whether to return what the server does
 * when its memory is full.
 */
export const PAGE_OF_REVOCATIONS: string = `${CLOCK}${EPOCH}
local now = clock()
local index, count = KEYS[tonumber(ARGV[1])], tonumber(ARGV[4])
local score, key = string.match(ARGV[3], '^(%S+) (%S+)$')
local first
if score and redis.call('zscore', index, key) == score then
  first = redis.call('zrank', index, key) + 1
else
  local from = score or (ARGV[2] == 'now' and text(now) or ARGV[2])
  first = redis.call('zcount', index, '-inf', '(' .. from)
end
local found = redis.call('zrange', index, first, first + count - 1, 'withscores')
local keys = {}
for at = 1, #found, 2 do keys[#keys + 1] = found[at] end
local follows = #keys == count and (found[#found] .. ' ' .. keys[#keys]) or ''
local info = ARGV[5] == '1' and redis.pcall('info', 'memory')
local policy = type(info) == 'string' and string.match(info, 'maxmemory_policy:(%S+)') or ''
local result = { text(now), epochOf(), follows, policy }
local values = #keys > 0 and redis.call('hmget', KEYS[1], unpack(keys)) or {}
for at, value in ipairs(values) do
  if value then result[#result + 1] = keys[at] .. ' ' .. value end
end
return result`

/** Removes a batch of expired revocations. */
export const FORGET_REVOCATIONS: string = `${CLOCK}${FORGET}
return forget(clock(), ARGV[1], ARGV[2])`
