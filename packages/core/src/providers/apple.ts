import type { TokenSet } from '../lib/base/user.ts'
import { logoPath } from '../lib/branding/logos/apple.ts'
import { type AppleKey, mintAppleClientSecret } from '../lib/providers/apple-client-secret.ts'
import { defineOIDC, type OIDCProvider } from '../lib/providers/define.ts'
import type { TokenRequestContext } from '../lib/providers/oauth.ts'
import { isRecord, requestTokens } from '../lib/providers/provider-requests.ts'

/** The form that Apple sends beside the signed response. */
export interface AppleNonConformUser {
  name?: { firstName?: string; lastName?: string }
  email?: string
}

/** The profile of a person at Apple. */
export interface AppleProfile {
  sub: string
  email?: string | null
  email_verified?: boolean | 'true' | 'false'
  is_private_email?: boolean | 'true' | 'false'
  /** Sent once, when a person first agrees, and not signed: good for a name, not for an address. */
  user?: AppleNonConformUser
  [claim: string]: unknown
}

/** The options of the Apple provider beyond the usual. */
export interface AppleOptions {
  /** With `keyId` and `privateKey`, creates client secrets, so you need not do so twice a year. */
  teamId?: string
  keyId?: string
  /** The contents of the `.p8` file. */
  privateKey?: string
}

/**
 * Sign in with Apple.
 *
 * @example
 * ```ts
 * import Apple from '@siteauth/core/providers/apple'
 *
 * // AUTH_APPLE_ID, AUTH_APPLE_SECRET
 * export const providers = [Apple]
 * ```
 */
const Apple: OIDCProvider<AppleProfile, AppleOptions> = defineOIDC(
  ({ teamId, keyId, privateKey }) => ({
    id: 'apple',
    name: 'Apple',
    consumes: ['teamId', 'keyId', 'privateKey'],
    issuer: 'https://appleid.apple.com',
    jwks: 'https://appleid.apple.com/auth/keys',
    scope: 'name email',
    authorization: {
      url: 'https://appleid.apple.com/auth/authorize',
      params: { response_mode: 'form_post' },
    },
    token: {
      url: 'https://appleid.apple.com/auth/token',
      ...(teamId && keyId && privateKey && { request: withKey({ teamId, keyId, privateKey }) }),
    },
    clientAuth: 'post',
    // PKCE is not documented for the web.
    checks: ['state', 'nonce'],
    profileFromCallback: addName,
    profile: {
      id: 'sub',
      name: [{ join: ['user.name.firstName', 'user.name.lastName'] }, 'email'],
      email: 'email',
      image: null,
    },
    style: { bg: '#000', text: '#fff', logoPath },
  }),
)

export default Apple

function addName(profile: AppleProfile, { user }: Readonly<Record<string, string>>): AppleProfile {
  if (!user) return profile
  try {
    const parsed: unknown = JSON.parse(user)
    return isRecord(parsed) ? { ...profile, user: parsed } : profile
  } catch {
    return profile // no name is no reason to refuse someone
  }
}

function withKey(key: AppleKey) {
  return async (context: TokenRequestContext): Promise<TokenSet> => {
    const { clientId = '' } = context.provider
    const clientSecret = await mintAppleClientSecret(key, clientId, Date.now())
    return requestTokens({ ...context, provider: { ...context.provider, clientSecret } }, EXCHANGE)
  }
}

const EXCHANGE = {
  form: {
    grant_type: 'authorization_code',
    code: '{callback.code}',
    redirect_uri: '{redirectUri}',
    client_id: '{clientId}',
    client_secret: '{clientSecret}',
    code_verifier: '{codeVerifier}',
  },
}

export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
