import { defineOIDC, type OIDCProvider, type StandardClaims } from '../lib/providers/define.ts'

/** The profile of a person at Passage. */
export interface PassageProfile extends StandardClaims {}

/**
 * Sign in with Passage.
 *
 * @deprecated Passage was shut down in January 2026.
 *
 * @example
 * ```ts
 * import Passage from '@siteauth/core/providers/passage'
 *
 * // AUTH_PASSAGE_ID, AUTH_PASSAGE_SECRET, AUTH_PASSAGE_ISSUER
 * export const providers = [Passage]
 * ```
 */
const Passage: OIDCProvider<PassageProfile> = defineOIDC({
  id: 'passage',
  name: 'Passage',
  clientAuth: 'basic',
  style: { brandColor: '#3d53f6' },
})

export default Passage
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
