import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at United Effects. */
export interface UnitedEffectsProfile extends StandardClaims {}

/**
 * Sign in with United Effects.
 *
 * @example
 * ```ts
 * import UnitedEffects from '@siteauth/core/providers/united-effects'
 *
 * // AUTH_UNITED_EFFECTS_ID, AUTH_UNITED_EFFECTS_SECRET, AUTH_UNITED_EFFECTS_ISSUER
 * export const providers = [UnitedEffects]
 * ```
 */
const UnitedEffects: OIDCProvider<UnitedEffectsProfile> = defineOIDC({
  id: 'united-effects',
  name: 'United Effects',
  scope: 'openid email profile',
  authorization: { params: { resource: '{issuer}' } },
})

export default UnitedEffects
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
