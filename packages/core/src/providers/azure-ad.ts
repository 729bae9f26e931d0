import { defineOIDC, type OIDCProvider } from '../lib/providers/define.ts'
import { type EntraIdOptions, type EntraIdProfile, entraId } from '../lib/providers/entra-id.ts'

/** The profile of a person at Azure Active Directory. */
export type AzureADProfile = EntraIdProfile

/** The options of the Azure Active Directory provider beyond the usual. */
export type AzureADOptions = EntraIdOptions

/**
 * Sign in with Azure Active Directory.
 *
 * @deprecated Use `microsoft-entra-id`, the service's current name.
 *
 * @example
 * ```ts
 * import AzureAD from '@siteauth/core/providers/azure-ad'
 *
 * // AUTH_AZURE_AD_ID, AUTH_AZURE_AD_SECRET, AUTH_AZURE_AD_ISSUER
 * export const providers = [AzureAD]
 * ```
 */
const AzureAD: OIDCProvider<AzureADProfile, AzureADOptions> = defineOIDC(
  entraId('azure-ad', 'Azure Active Directory'),
)

export default AzureAD
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
export type { EntraIdOptions, EntraIdProfile } from '../lib/providers/entra-id.ts'
