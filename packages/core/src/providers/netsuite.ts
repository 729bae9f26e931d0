import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at NetSuite. */
export interface NetSuiteProfile {
  id: string | number
  name?: string
  email?: string
  [claim: string]: unknown
}

/** The options of the NetSuite provider beyond the usual. */
export interface NetSuiteOptions {
  /** The account, as in the address of its pages. */
  accountID?: string
  /** Whether people are asked to sign in again, or to agree again. */
  prompt?: 'none' | 'login' | 'consent' | (string & {})
  /** Separated by spaces; `restlets rest_webservices` by default. */
  scope?: string
}

/**
 * Sign in with NetSuite.
 *
 * @example
 * ```ts
 * import NetSuite from '@siteauth/core/providers/netsuite'
 *
 * // AUTH_NETSUITE_ID, AUTH_NETSUITE_SECRET
 * export const providers = [NetSuite]
 * ```
 */
const NetSuite: OAuth2Provider<NetSuiteProfile, NetSuiteOptions> = defineOAuth(
  ({ accountID, userinfo }) => ({
    id: 'netsuite',
    name: 'NetSuite',
    defaults: {
      // The host of a sandbox such as 1234567_SB1 is written 1234567-sb1.
      ...(accountID && { account: accountID.replaceAll('_', '-').toLowerCase() }),
      scope: 'restlets rest_webservices',
    },
    consumes: ['accountID', 'prompt', 'scope'],
    scope: '{scope}',
    authorization: {
      url: 'https://{account}.app.netsuite.com/app/login/oauth2/authorize.nl',
      params: { prompt: '{prompt}' },
    },
    token: {
      url: 'https://{account}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token',
    },
    // NetSuite does not have one: applications name a script of their own.
    userinfo: typeof userinfo === 'string' ? { url: userinfo } : userinfo,
    // State is required; PKCE is not known to work for clients with a secret.
    checks: ['state'],
    profile: { id: 'id', name: 'name', email: 'email', image: null },
    style: { bg: '#181a1b', text: '#fbfbfb' },
  }),
)

export default NetSuite
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'

/** The same under the name that applications of Auth.js know. */
export type OAuthNetSuiteOptions = NetSuiteOptions
