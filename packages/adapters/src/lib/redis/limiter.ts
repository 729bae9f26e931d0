import type { Limiter } from '@siteauth/core/adapters'
import { planFor } from '@siteauth/core/limits'
import type { RunScript, SendCommand } from './redis-client.ts'

/** What counting attempts takes. */
interface LimiterParts {
  readonly send: SendCommand
  readonly runScript: RunScript
  readonly keyOf: (key: string) => string
}

/** Attempts, each key in a slot of its own; the server removes them itself. */
export function createRedisLimiter({ send, runScript, keyOf }: LimiterParts): Limiter {
  return {
    async take(key, rule, now) {
      const { waits, tolerance, memory } = planFor(rule)
      const rows = waits.flatMap(({ upTo, milliseconds }) => [
        upTo === Number.POSITIVE_INFINITY ? 'inf' : upTo,
        milliseconds,
      ])
      const args = [now, tolerance, memory, ...rows]
      return Number(await runScript(TAKE, [keyOf(key)], args))
    },
    forget: key => send('del', keyOf(key)),
  }
}

/** A value is how many there were in a row, when the next is allowed, and when all of it is over. */
const TAKE = `
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
return '0'`
