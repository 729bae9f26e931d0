import { demandConfig, endUser as endUserOf } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'

/**
 * Signs a user out everywhere: ends every session that began before now, in every browser,
 * including copied cookies. Ending sessions in cookies takes a log of ended sessions, which all our
 * adapters have; see `session.revocation`.
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
