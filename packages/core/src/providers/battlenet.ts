import { logoPath } from '../lib/branding/logos/battlenet.ts'
import { defineOIDC, type OIDCProvider } from '../lib/providers/define.ts'

/** Where Battle.net is, in China and elsewhere. */
export type BattleNetIssuer =
  | 'https://oauth.battle.net'
  | 'https://oauth.battlenet.com.cn'
  | (string & {})

/** The profile of a person at Battle.net. */
export interface BattleNetProfile {
  sub: string
  battle_tag?: string
  battletag?: string
  [claim: string]: unknown
}

/**
 * Sign in with Battle.net.
 *
 * @example
 * ```ts
 * import BattleNet from '@siteauth/core/providers/battlenet'
 *
 * // AUTH_BATTLENET_ID, AUTH_BATTLENET_SECRET
 * export const providers = [BattleNet]
 * ```
 */
const BattleNet: OIDCProvider<BattleNetProfile> = defineOIDC({
  id: 'battlenet',
  name: 'Battle.net',
  defaults: { issuer: 'https://oauth.battle.net' },
  issuer: '{issuer}',
  consumes: ['issuer'],
  scope: 'openid',
  profile: { id: 'sub', name: ['battle_tag', 'battletag'], email: null, image: null },
  style: { bg: '#148eff', text: '#fff', logoPath },
})

export default BattleNet
export type { OIDCConfig, OIDCProvider } from '../lib/providers/define.ts'
