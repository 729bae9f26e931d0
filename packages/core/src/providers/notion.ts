import { logoPath } from '../lib/branding/logos/notion.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The part of a user of Notion that only people have. */
export interface Person {
  email?: string
}

/** The profile of a person at Notion. */
export interface NotionProfile {
  id: string
  name?: string | null
  avatar_url?: string | null
  /** Needs the capability to read addresses. */
  person?: Person
  [claim: string]: unknown
}

/** The options of the Notion provider beyond the usual. */
export interface NotionOptions {
  /** The version of the API: a date such as `2025-09-03`. */
  apiVersion?: string
  /** @deprecated Not needed: it is the callback URL. */
  redirectUri?: string
}

/**
 * Sign in with Notion.
 *
 * @example
 * ```ts
 * import Notion from '@siteauth/core/providers/notion'
 *
 * // AUTH_NOTION_ID, AUTH_NOTION_SECRET
 * export const providers = [Notion]
 * ```
 */
const Notion: OAuth2Provider<NotionProfile, NotionOptions> = defineOAuth({
  id: 'notion',
  name: 'Notion',
  defaults: { apiVersion: '2025-09-03' },
  consumes: ['apiVersion', 'redirectUri'],
  authorization: { url: 'https://api.notion.com/v1/oauth/authorize', params: { owner: 'user' } },
  token: { url: 'https://api.notion.com/v1/oauth/token' },
  userinfo: {
    url: 'https://api.notion.com/v1/users/me',
    quirks: { headers: { 'notion-version': '{apiVersion}' }, unwrap: 'bot.owner.user' },
  },
  // PKCE is not documented.
  checks: ['state'],
  profile: { id: 'id', name: 'name', email: 'person.email', image: 'avatar_url' },
  style: { bg: '#fff', text: '#000', logoPath },
})

export default Notion
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'

/** The same under the name that applications of Auth.js know. */
export type User = NotionProfile

/** The owner who gave an integration access, in the token response. */
export interface Owner {
  type: string
  user?: User
}
