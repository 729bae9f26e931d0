import { logoPath } from '../lib/branding/logos/slack.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Slack. */
export interface SlackProfile extends StandardClaims {
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
}

/**
 * Sign in with Slack.
 *
 * @example
 * ```ts
 * import Slack from '@siteauth/core/providers/slack'
 *
 * // AUTH_SLACK_ID, AUTH_SLACK_SECRET
 * export const providers = [Slack]
 * ```
 */
const Slack: OIDCProvider<SlackProfile> = defineOIDC({
  id: 'slack',
  name: 'Slack',
  issuer: 'https://slack.com',
  // PKCE turns the application into a public client, and that cannot be undone.
  checks: ['state', 'nonce'],
  style: { brandColor: '#611f69', logoPath },
})

export default Slack
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
