import { logoPath } from '../lib/branding/logos/figma.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Figma. */
export interface FigmaProfile {
  id: string
  handle: string
  email: string
  img_url: string
  [claim: string]: unknown
}

/**
 * Sign in with Figma.
 *
 * @example
 * ```ts
 * import Figma from '@siteauth/core/providers/figma'
 *
 * // AUTH_FIGMA_ID, AUTH_FIGMA_SECRET
 * export const providers = [Figma]
 * ```
 */
const Figma: OAuth2Provider<FigmaProfile> = defineOAuth({
  id: 'figma',
  name: 'Figma',
  scope: 'current_user:read',
  authorization: { url: 'https://www.figma.com/oauth' },
  token: { url: 'https://api.figma.com/v1/oauth/token' },
  userinfo: { url: 'https://api.figma.com/v1/me' },
  profile: { id: 'id', name: 'handle', email: 'email', image: 'img_url' },
  style: { bg: '#ff7237', text: '#fff', logoPath },
})

export default Figma
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
