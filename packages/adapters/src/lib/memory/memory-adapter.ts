import { createMemoryLimiter } from '@siteauth/core/limits'
import type { CompleteAdapter } from '../complete-adapter.ts'
import { revokeDeleted } from '../revocations/revoke-deleted.ts'
import { memoryAccounts } from './accounts.ts'
import { memoryAuthenticators } from './authenticators.ts'
import { memoryClaims } from './claims.ts'
import { memoryLinks } from './conditional-links.ts'
import { memoryLeases } from './leases.ts'
import { memoryPasswords } from './passwords.ts'
import { removeExpired } from './remove-expired.ts'
import { memoryRevocations } from './revocations.ts'
import { memorySessions } from './sessions.ts'
import { signUp } from './sign-up.ts'
import { createTables } from './tables.ts'
import { memoryTrackedSessions } from './tracked-sessions.ts'
import { memoryUsers } from './users.ts'
import { memoryVerificationTokens } from './verification-tokens.ts'

/**
 * Keeps everything in this process, for tests and demos: it is gone when the process ends.
 *
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 *
 * export const adapter = MemoryAdapter()
 * ```
 */
export function MemoryAdapter(): CompleteAdapter {
  const tables = createTables()
  const revocations = memoryRevocations()
  return {
    ...revokeDeleted(memoryUsers(tables), revocations.log),
    ...memoryAccounts(tables),
    ...memoryLinks(tables, revocations.log),
    ...memoryClaims(tables),
    ...memoryLeases(tables),
    ...memorySessions(tables),
    ...memoryVerificationTokens(tables),
    ...memoryAuthenticators(tables),
    createUserWithAccount: async given => signUp(tables, given),
    deleteExpired: async () => removeExpired(tables, revocations),
    revocations: revocations.log,
    extends: ['sessions', 'accounts', 'issuers'],
    trackedSessions: memoryTrackedSessions(tables),
    limiter: createMemoryLimiter(),
    passwords: memoryPasswords(tables),
  }
}
