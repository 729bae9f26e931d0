import { logoPath } from '../lib/branding/logos/roblox.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Roblox. */
export interface RobloxProfile extends StandardClaims {}

/**
 * Sign in with Roblox.
 *
 * @example
 * ```ts
 * import Roblox from '@siteauth/core/providers/roblox'
 *
 * // AUTH_ROBLOX_ID, AUTH_ROBLOX_SECRET
 * export const providers = [Roblox]
 * ```
 */
const Roblox: OIDCProvider<RobloxProfile> = defineOIDC({
  id: 'roblox',
  name: 'Roblox',
  issuer: 'https://apis.roblox.com/oauth/',
  scope: 'openid profile',
  profile: {
    id: 'sub',
    name: ['name', 'nickname', 'preferred_username'],
    email: null,
    image: 'picture',
  },
  style: { bg: '#5865F2', text: '#fff', logoPath },
})

export default Roblox
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
