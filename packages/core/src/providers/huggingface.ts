import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Hugging Face. */
export interface HuggingFaceProfile extends StandardClaims {}

/**
 * Sign in with Hugging Face.
 *
 * @example
 * ```ts
 * import HuggingFace from '@siteauth/core/providers/huggingface'
 *
 * // AUTH_HUGGINGFACE_ID, AUTH_HUGGINGFACE_SECRET
 * export const providers = [HuggingFace]
 * ```
 */
const HuggingFace: OIDCProvider<HuggingFaceProfile> = defineOIDC({
  id: 'huggingface',
  name: 'Hugging Face',
  issuer: 'https://huggingface.co',
  style: { bg: '#FFD21E', text: '#000' },
})

export default HuggingFace
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'

/** The same under the name that applications of Auth.js know. */
export type HuggingfaceProfile = HuggingFaceProfile
