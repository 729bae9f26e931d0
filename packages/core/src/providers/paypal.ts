import { logoPath } from '../lib/branding/logos/paypal.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at PayPal. */
export interface PayPalProfile {
  user_id: string
  name?: string
  email?: string
  emails?: { value: string; primary?: boolean }[]
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** The options of the PayPal provider beyond the usual. */
export interface PayPalOptions {
  /** `live` by default. */
  environment?: 'live' | 'sandbox'
}

/**
 * Sign in with PayPal.
 *
 * @example
 * ```ts
 * import PayPal from '@siteauth/core/providers/paypal'
 *
 * // AUTH_PAYPAL_ID, AUTH_PAYPAL_SECRET
 * export const providers = [PayPal]
 * ```
 */
const PayPal: OAuth2Provider<PayPalProfile, PayPalOptions> = defineOAuth(
  ({ environment = 'live' }) => {
    const domain = environment === 'sandbox' ? 'sandbox.paypal.com' : 'paypal.com'
    return {
      id: 'paypal',
      name: 'PayPal',
      style: { brandColor: '#002991', logoPath },
      consumes: ['environment'],
      authorization: { url: `https://www.${domain}/signin/authorize` },
      token: { url: `https://api-m.${domain}/v1/oauth2/token` },
      userinfo: {
        url: `https://api-m.${domain}/v1/identity/oauth2/userinfo`,
        params: { schema: 'paypalv1.1' },
      },
      clientAuth: 'basic',
      // About `email`, and not about those in the list:
      // https://developer.paypal.com/api/identity/v1/userinfo-get/
      emailVerified: 'email_verified',
      emailField: 'email',
      profile: {
        id: 'user_id',
        name: 'name',
        email: ['email', 'emails[0].value'],
        image: 'picture',
      },
    }
  },
)

export default PayPal
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
