import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { issueFormToken } from './form-token.ts'
import type { Incoming } from './incoming.ts'
import { type CheckedRedirect, chooseReturn, rememberReturn } from './return-url.ts'

/** The token for a form, ours or the application's own. */
export interface BegunForm {
  /** Where to go afterwards. */
  readonly callbackUrl: CheckedRedirect
  /** Undefined if the check of forms is switched off. */
  readonly csrfToken: string | undefined
  readonly cookies: readonly SetCookie[]
}

/** A token, and where to go afterwards. */
export async function beginForm(config: ResolvedConfig, request: Incoming): Promise<BegunForm> {
  const callbackUrl = await chooseReturn(config, request)
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const remembered = rememberReturn(config, request, callbackUrl)
  return { callbackUrl, csrfToken, cookies: [...cookies, ...remembered] }
}
