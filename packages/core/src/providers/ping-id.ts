import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Ping Identity. */
export interface PingProfile extends StandardClaims {}

/**
 * Sign in with Ping Identity.
 *
 * @example
 * ```ts
 * import PingId from '@siteauth/core/providers/ping-id'
 *
 * // AUTH_PING_ID_ID, AUTH_PING_ID_SECRET, AUTH_PING_ID_ISSUER
 * export const providers = [PingId]
 * ```
 */
const PingId: OIDCProvider<PingProfile> = defineOIDC({
  id: 'ping-id',
  name: 'Ping Identity',
})

export default PingId
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
