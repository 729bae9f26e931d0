import { type Complete, complete } from './complete-options.ts'
import type { AccountOptions, AuthConfig } from './options.ts'
import { takesMore } from './session-readers.ts'

const ACCOUNT_DEFAULTS = {
  storeTokensInCookie: false,
  sessionError: false,
  tokenCacheSeconds: 30,
  exposeTokens: [],
} as const

/** Completes what is done with providers' tokens. Whether they are sealed depends on the adapter. */
export function completeAccount({
  account,
  adapter,
}: Pick<AuthConfig, 'account' | 'adapter'>): Complete<AccountOptions, AccountOptions> {
  return complete({ ...ACCOUNT_DEFAULTS, encryptTokens: takesMore(adapter, 'accounts') }, account)
}
