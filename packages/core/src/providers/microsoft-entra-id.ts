import { defineOIDC, type OIDCProvider } from '../lib/providers/define.ts'
import { type EntraIdOptions, type EntraIdProfile, entraId } from '../lib/providers/entra-id.ts'

/** The profile of a person at Microsoft Entra ID. */
export type MicrosoftEntraIDProfile = EntraIdProfile

/** The options of the Microsoft Entra ID provider beyond the usual. */
export type MicrosoftEntraIDOptions = EntraIdOptions

/**
 * Sign in with Microsoft Entra ID.
 *
 * @example
 * ```ts
 * import MicrosoftEntraID from '@siteauth/core/providers/microsoft-entra-id'
 *
 * // AUTH_MICROSOFT_ENTRA_ID_ID, AUTH_MICROSOFT_ENTRA_ID_SECRET, AUTH_MICROSOFT_ENTRA_ID_ISSUER
 * export const providers = [MicrosoftEntraID]
 * ```
 */
const MicrosoftEntraID: OIDCProvider<MicrosoftEntraIDProfile, MicrosoftEntraIDOptions> = defineOIDC(
  entraId('microsoft-entra-id', 'Microsoft Entra ID'),
)

export default MicrosoftEntraID
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
export type { EntraIdOptions, EntraIdProfile } from '../lib/providers/entra-id.ts'
