import { demandConfig, endUser as endUserOf } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'

/**
 * Signs a user out everywhere: every session that began before this, in every browser, also in those
 * whose cookie somebody has copied. Sessions in cookies can be ended where the adapter keeps a log of it,
 * as all of ours do; see `session.revocation`.
 *
 * @example
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 * import { endUser, type ExpressAuthConfig } from '@siteauth/express'
 *
 * const config: ExpressAuthConfig = { providers: [], adapter: MemoryAdapter() }
 *
 * export async function changePassword(userId: string, hash: string): Promise<void> {
 *   await storeHash(userId, hash)
 *   await endUser(userId, config)
 * }
 * declare function storeHash(userId: string, hash: string): Promise<void> // your database
 * ```
 */
export async function endUser<Token = JWT, Sess = Session>(
  userId: string,
  config: ExpressAuthConfig<Token, Sess>,
): Promise<void> {
  await endUserOf(demandConfig(applicationOf(config).resolved), userId)
}
