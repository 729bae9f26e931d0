import type { Revocation, RevocationLog } from '@siteauth/core/adapters'
import { checkEndings, isKey, KEPT_AFTER_MS } from '../revocations/endings.ts'
import { decodeRevocation } from '../revocations/revocation-text.ts'
import { pairsOf } from './encoding.ts'
import type { RunScript, SendCommand } from './redis-client.ts'

/** What a log in Redis is made of. */
export interface RedisRevocationParts {
  readonly send: SendCommand
  readonly runScript: RunScript
  /** Makes a key of a word. All of them are in one slot. */
  readonly keyOf: (word: string) => string
  /** Where ends are said. */
  readonly channel: string
  readonly watch: RevocationLog['watch']
}

export interface RedisRevocations {
  readonly log: RevocationLog
  readonly removeExpired: () => Promise<number>
}

/** How many that are over are removed whenever something is ended. */
const FEW = 20
/** And at once, by whoever removes them all. */
const BATCH = 500

/**
 * What was ended, in a hash, with two sorted sets beside it: by when each was changed, and by its end.
 *
 * An end is recorded as a whole or not at all, by one script, and is as safe as Redis keeps anything: a
 * primary answers before its replicas have it, so a fail-over can lose the newest ends, and a server
 * that evicts keys can lose them all. Where that is not good enough, have Redis wait for its replicas
 * (`min-replicas-to-write`), write to disk (`appendonly yes`) and evict nothing (`noeviction`), or keep
 * the log in PostgreSQL. Times are those of the primary; a generation never falls behind the one before
 * it, also on a primary whose clock does.
 */
export function createRedisRevocations(parts: RedisRevocationParts): RedisRevocations {
  const { send, runScript, keyOf, channel, watch } = parts
  const ends = keyOf('ends')
  const keys = [ends, keyOf('changed'), keyOf('until')] as const

  const removeExpired = async () => Number(await runScript(REMOVE, keys, [KEPT_AFTER_MS, BATCH]))

  const log: RevocationLog = {
    async end(endings) {
      const checked = checkEndings(endings)
      if (checked.length === 0) return []
      const words = checked.flatMap(({ key, until, isGeneration, generation }) => [
        key,
        until,
        isGeneration ? (generation ?? 'now') : '-',
      ])
      const answer = await runScript(END, keys, [channel, KEPT_AFTER_MS, FEW, ...words])
      return textsOf(answer).flatMap(revocationsFrom)
    },
    async find(asked) {
      const known = [...new Set(asked.filter(isKey))]
      if (known.length === 0) return []
      const values = await send('hmget', ends, ...known)
      return arrayOf(values).flatMap((value, at) => {
        return value === null ? [] : revocationsFrom(`${known[at]} ${value}`)
      })
    },
    async since(time) {
      if (time !== null) {
        const [now, ...texts] = textsOf(await runScript(SINCE, keys, [time.getTime()]))
        return answerOf(Number(now), texts)
      }
      // Sent at once, so they travel together. The time comes first, from the server that has the rest.
      const [now, all] = await Promise.all([runScript(NOW, [ends], []), send('hgetall', ends)])
      return answerOf(
        Number(now),
        [...pairsOf(all)].map(([key, value]) => `${key} ${value}`),
      )
    },
    ...(watch && { watch }),
  }
  return { log, removeExpired }
}

/** The ends in a text, one on each line. */
export function revocationsFrom(text: string): readonly Revocation[] {
  return text.split('\n').flatMap(line => decodeRevocation(line) ?? [])
}

function answerOf(now: number, texts: readonly string[]) {
  const isLeft = ({ until }: Revocation) => until.getTime() > now
  return { revocations: texts.flatMap(revocationsFrom).filter(isLeft), now: new Date(now) }
}

function arrayOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : []
}

function textsOf(answer: unknown): readonly string[] {
  return arrayOf(answer).map(String)
}

const CLOCK = `
local function clock()
  local time = redis.call('time')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end`

const NOW = `${CLOCK}
return text(clock())`

/** A generation that is not in the past yet could be given out again. */
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

const REMOVE = `${CLOCK}${FORGET}
return forget(clock(), ARGV[1], ARGV[2])`

/** All of it goes with the last of it. */
const END = `${CLOCK}${FORGET}
local now = clock()
local kept = tonumber(ARGV[2])
local lines = {}
for at = 4, #ARGV, 3 do
  local key, till, lowest = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
  local before = redis.call('hget', KEYS[1], key)
  local generation = lowest ~= '-' and (tonumber(lowest) or now)
  if before then
    local ended, previous = string.match(before, '^(%-?%d+) (.+)$')
    till = math.max(till, tonumber(ended))
    generation = generation and previous ~= '-' and math.max(tonumber(previous) + 1, generation)
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

const SINCE = `${CLOCK}
local answer = { text(clock()) }
for _, key in ipairs(redis.call('zrangebyscore', KEYS[2], ARGV[1], '+inf')) do
  local value = redis.call('hget', KEYS[1], key)
  if value then answer[#answer + 1] = key .. ' ' .. value end
end
return answer`
