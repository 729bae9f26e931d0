import { logoPath } from '../lib/branding/logos/microsoft.ts'
import { b2cEndpoints, b2cIssuer } from '../lib/providers/azure-ad-b2c.ts'
import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'
import { fillTemplate } from '../lib/providers/template.ts'

/** The profile of a person at Azure AD B2C. */
export interface AzureADB2CProfile extends StandardClaims {
  emails?: string[]
}

/** The options of the Azure AD B2C provider beyond the usual. */
export interface AzureADB2COptions {
  /** The first part of the host, if there is no `issuer`. */
  tenantName?: string
  /** No longer needed. */
  tenantId?: string
  /** The policy people sign in with, if there is no `issuer`. */
  primaryUserFlow?: string
}

/**
 * Sign in with Azure AD B2C.
 *
 * @example
 * ```ts
 * import AzureADB2C from '@siteauth/core/providers/azure-ad-b2c'
 *
 * // AUTH_AZURE_AD_B2C_ID, AUTH_AZURE_AD_B2C_SECRET, AUTH_AZURE_AD_B2C_ISSUER
 * export const providers = [AzureADB2C]
 * ```
 */
const AzureADB2C: OIDCProvider<AzureADB2CProfile, AzureADB2COptions> = defineOIDC(
  ({ issuer, tenantName, primaryUserFlow }) => {
    const policy =
      issuer?.replace(/\/+$/, '') ??
      fillTemplate(
        'https://{tenantName}.b2clogin.com/{tenantName}.onmicrosoft.com/{primaryUserFlow}/v2.0',
        { tenantName, primaryUserFlow },
      )
    const endpoints = policy ? b2cEndpoints(policy) : undefined
    return {
      id: 'azure-ad-b2c',
      name: 'Azure AD B2C',
      issuer: endpoints ? policy : issuer,
      consumes: ['issuer', 'tenantName', 'tenantId', 'primaryUserFlow'],
      ...(endpoints && {
        authorization: { url: endpoints.authorization },
        token: { url: endpoints.token },
        jwks: endpoints.keys,
        issuerFor: b2cIssuer,
      }),
      // Policies decide what is proven, and can say so of `email`, but not of `emails`:
      // https://learn.microsoft.com/en-us/azure/active-directory-b2c/user-profile-attributes
      emailField: 'email',
      profile: {
        id: 'sub',
        name: ['name', 'preferred_username'],
        email: ['emails[0]', 'email'],
        image: null,
      },
      style: { bg: '#0072c6', text: '#fff', logoPath },
    }
  },
)

export default AzureADB2C
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
