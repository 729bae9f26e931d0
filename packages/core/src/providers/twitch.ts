import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'
import { repairTokens } from '../lib/providers/repair-tokens.ts'

/** What Twitch says about a person. */
export interface TwitchProfile extends StandardClaims {}

/**
 * Sign in with Twitch.
 *
 * @example
 * ```ts
 * import Twitch from '@siteauth/core/providers/twitch'
 *
 * // AUTH_TWITCH_ID, AUTH_TWITCH_SECRET
 * export const providers = [Twitch]
 * ```
 */
const Twitch: OIDCProvider<TwitchProfile> = defineOIDC({
  id: 'twitch',
  name: 'Twitch',
  issuer: 'https://id.twitch.tv/oauth2',
  scope: 'openid user:read:email',
  authorization: {
    params: {
      // Without it, tokens say who it is and nothing else.
      claims: {
        id_token: { email: null, email_verified: null, picture: null, preferred_username: null },
      },
    },
  },
  token: { conform: repairTokens(repairAnswer) },
  clientAuth: 'post',
  // PKCE is not documented.
  checks: ['state', 'nonce'],
  style: { bg: '#65459B', text: '#fff' },
})

export default Twitch

/** Twitch lists scopes in an array, and has words of its own for what went wrong. */
function repairAnswer(body: Record<string, unknown>): Record<string, unknown> {
  const { scope, status, message, ...others } = body
  if (typeof status === 'number' && typeof body['error'] !== 'string') {
    return { error: 'invalid_request', error_description: message }
  }
  if (Array.isArray(scope)) return { ...others, scope: scope.join(' ') }
  return typeof scope === 'string' ? { ...others, scope } : others
}
