import type { CompleteAdapter } from '../complete-adapter.ts'
import { revokeDeleted } from '../revocations/revoke-deleted.ts'
import { DEFAULT_TIMEOUT } from '../with-timeout.ts'
import { redisAccounts } from './accounts.ts'
import { redisAuthenticators } from './authenticators.ts'
import { redisLeases } from './leases.ts'
import { redisLimiter } from './limiter.ts'
import { openTables } from './open-tables.ts'
import { redisPasswords } from './passwords.ts'
import { redisClaims } from './records/claims.ts'
import { redisLinks } from './records/conditional-links.ts'
import type { RedisClient } from './redis-client.ts'
import { removeExpired } from './remove-expired.ts'
import { redisRevocations } from './revocations/revocations.ts'
import { databaseScope, watchRedis } from './revocations/subscribe.ts'
import { redisSessions } from './sessions.ts'
import { signUp } from './sign-up.ts'
import { redisTrackedSessions } from './tracked-sessions.ts'
import { redisUsers } from './users.ts'
import { redisVerificationTokens } from './verification-tokens.ts'

/** The options of a `RedisAdapter`. */
export interface RedisAdapterOptions {
  /** A connected `ioredis` or `redis` client: a single node, Sentinel or a Cluster. */
  client: RedisClient
  /** The prefix of every key. Defaults to `auth:`. */
  prefix?: string
  /**
   * How long Redis may take to respond before the visitor sees an error. Defaults
   * to 10 000.
   */
  timeoutMilliseconds?: number
}

/**
 * Stores everything in Redis 6.2 or newer. A user's data is in one hash slot; Redis removes
 * sessions and one-time tokens when they expire.
 *
 * ```ts
 * import { type RedisClient, RedisAdapter } from '@siteauth/adapters/redis'
 *
 * declare const client: RedisClient // new Redis('redis://localhost') of ioredis, for example
 * export const adapter = RedisAdapter({ client })
 * ```
 */
export function RedisAdapter({
  client,
  prefix = 'auth:',
  timeoutMilliseconds: timeout = DEFAULT_TIMEOUT,
}: RedisAdapterOptions): CompleteAdapter {
  const tables = openTables(client, prefix, timeout)
  const { keys, send } = tables
  const channel = `${databaseScope(client)}${keys.revocations('ended')}`
  const untilReady = () => send('exists', keys.revocations('ends'))
  const watch = watchRedis({ client, channel, timeout, untilReady })
  const revocations = redisRevocations(tables, channel, watch)
  return {
    ...revokeDeleted(redisUsers(tables), revocations.log),
    ...redisAccounts(tables),
    ...redisLinks(tables, revocations.log),
    ...redisClaims(tables),
    ...redisLeases(tables),
    ...redisSessions(tables),
    ...redisVerificationTokens(tables),
    ...redisAuthenticators(tables),
    createUserWithAccount: given => signUp(tables, given),
    deleteExpired: () => removeExpired(revocations),
    revocations: revocations.log,
    extends: ['sessions', 'accounts', 'issuers'],
    trackedSessions: redisTrackedSessions(tables),
    limiter: redisLimiter(tables),
    passwords: redisPasswords(tables),
  }
}
