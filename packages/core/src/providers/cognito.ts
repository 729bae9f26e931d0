import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Cognito. */
export interface CognitoProfile extends StandardClaims {
  'cognito:username'?: string
}

/**
 * Sign in with an Amazon Cognito user pool.
 *
 * @example
 * ```ts
 * import Cognito from '@siteauth/core/providers/cognito'
 *
 * // AUTH_COGNITO_ID, AUTH_COGNITO_SECRET, AUTH_COGNITO_ISSUER
 * export const providers = [Cognito]
 * ```
 */
const Cognito: OIDCProvider<CognitoProfile> = defineOIDC({
  id: 'cognito',
  name: 'Cognito',
  profile: {
    id: 'sub',
    name: ['name', 'nickname', 'preferred_username', 'given_name', 'cognito:username'],
    email: 'email',
    image: 'picture',
  },
  // https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
  endSession: { returnParam: 'logout_uri' },
  style: { brandColor: '#C17B9E' },
})

export default Cognito
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
