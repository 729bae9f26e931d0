import { logoPath } from '../lib/branding/logos/vk.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at VK. */
export interface VkProfile {
  user_id: string
  first_name?: string
  last_name?: string
  email?: string
  avatar?: string
  [claim: string]: unknown
}

/**
 * Sign in with VK ID.
 *
 * @example
 * ```ts
 * import VK from '@siteauth/core/providers/vk'
 *
 * // AUTH_VK_ID, AUTH_VK_SECRET
 * export const providers = [VK]
 * ```
 */
const VK: OAuth2Provider<VkProfile> = defineOAuth({
  id: 'vk',
  name: 'VK',
  scope: 'vkid.personal_info email',
  authorization: { url: 'https://id.vk.ru/authorize' },
  token: {
    url: 'https://id.vk.ru/oauth2/auth',
    // The callback names a device, and the token endpoint wants to hear it again.
    exchange: {
      form: {
        grant_type: 'authorization_code',
        code: '{callback.code}',
        code_verifier: '{codeVerifier}',
        device_id: '{callback.device_id}',
        redirect_uri: '{redirectUri}',
        client_id: '{clientId}',
        client_secret: '{clientSecret}',
      },
      keep: '{callback.device_id}',
    },
    // https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
    renewal: {
      form: {
        grant_type: 'refresh_token',
        refresh_token: '{refreshToken}',
        device_id: '{kept}',
        state: '{nonce}',
        client_id: '{clientId}',
        client_secret: '{clientSecret}',
      },
    },
  },
  userinfo: {
    url: 'https://id.vk.ru/oauth2/user_info',
    quirks: {
      form: { client_id: '{clientId}', access_token: '{token.access_token}' },
      scheme: null,
      unwrap: 'user',
    },
  },
  profile: {
    id: 'user_id',
    name: { join: ['first_name', 'last_name'] },
    email: 'email',
    image: 'avatar',
  },
  style: { bg: '#07F', text: '#fff', logoPath },
})

export default VK
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
