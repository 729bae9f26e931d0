import { type Complete, complete } from './complete-options.ts'
import type { AccountOptions, AuthConfig } from './options.ts'
import type { AccountConfig } from './resolved-config.ts'
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

/** The problems with what is done with tokens. */
export function accountProblems(options: AuthConfig): readonly string[] {
  const { account = {} } = options
  if (typeof account !== 'object' || account === null) return ['account must be an object.']
  const { encryptTokens, storeTokensInCookie, sessionError, tokenCacheSeconds, exposeTokens } =
    completeAccount(options)
  return [
    typeof encryptTokens !== 'boolean' && 'account.encryptTokens must be true or false.',
    typeof sessionError !== 'boolean' && 'account.sessionError must be true or false.',
    typeof storeTokensInCookie !== 'boolean' &&
      'account.storeTokensInCookie must be true or false.',
    !(Number.isFinite(tokenCacheSeconds) && tokenCacheSeconds >= 0) &&
      'account.tokenCacheSeconds must be a number of seconds, 0 or greater.',
    !(Array.isArray(exposeTokens) && exposeTokens.every(each => typeof each === 'string')) &&
      'account.exposeTokens must list ids of providers, such as ["google"].',
  ].filter(each => each !== false)
}

/** The options of accounts and their tokens, completed. */
export function accountConfig(options: AuthConfig): AccountConfig {
  const { tokenCacheSeconds, exposeTokens } = completeAccount(options)
  return Object.freeze({
    takesMore: takesMore(options.adapter, 'accounts'),
    takesIssuers: takesMore(options.adapter, 'issuers'),
    tokenCacheMilliseconds: tokenCacheSeconds * 1000,
    exposed: Object.freeze([...exposeTokens]),
  })
}
