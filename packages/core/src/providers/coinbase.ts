import { logoPath } from '../lib/branding/logos/coinbase.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Coinbase. */
export interface CoinbaseProfile {
  data: { id: string; name?: string | null; email?: string; avatar_url?: string }
  [claim: string]: unknown
}

/**
 * Sign in with Coinbase.
 *
 * @example
 * ```ts
 * import Coinbase from '@siteauth/core/providers/coinbase'
 *
 * // AUTH_COINBASE_ID, AUTH_COINBASE_SECRET
 * export const providers = [Coinbase]
 * ```
 */
const Coinbase: OAuth2Provider<CoinbaseProfile> = defineOAuth({
  id: 'coinbase',
  name: 'Coinbase',
  scope: 'wallet:user:email wallet:user:read',
  authorization: { url: 'https://login.coinbase.com/oauth2/auth' },
  token: { url: 'https://login.coinbase.com/oauth2/token' },
  userinfo: { url: 'https://api.coinbase.com/v2/user' },
  profile: { id: 'data.id', name: 'data.name', email: 'data.email', image: 'data.avatar_url' },
  style: { brandColor: '#0052ff', logoPath },
})

export default Coinbase
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
