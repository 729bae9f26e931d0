import type { ResolvedConfig } from '../config/resolved.ts'
import { isAuthError, isClientError } from '../errors.ts'
import type { SetCookie } from '../http/cookies.ts'
import type { AuthAction, Incoming } from '../http/incoming.ts'
import { json, type Outgoing, redirect } from '../http/outgoing.ts'
import { unknownSession } from './answer-session.ts'
import { chooseReturn, rememberReturn } from './choose-redirect.ts'
import type { Failure } from './failure.ts'
import { rememberFault } from './last-fault.ts'
import { pageUrl } from './page-url.ts'

/** What a visitor is told of a failure: a page for people, a status for programs. */
export async function answerFailure(
  config: ResolvedConfig,
  request: Incoming,
  action: AuthAction,
  { reason, cookies, returnTo }: Failure,
): Promise<Outgoing> {
  rememberFault(config, reason)
  const answer = await answerTo(config, request, action, reason, returnTo)
  return { ...answer, cookies: [...cookies, ...answer.cookies] }
}

async function answerTo(
  config: ResolvedConfig,
  request: Incoming,
  action: AuthAction,
  reason: unknown,
  returnTo: string | undefined,
): Promise<Outgoing> {
  const known = isAuthError(reason) ? reason : undefined
  if (action === 'session') {
    // Whether somebody is signed in is not known, which is not the same as that nobody is.
    return known && isClientError(known) ? json(null, 400) : unknownSession
  }
  const page = known?.kind ?? 'error'
  const code = known && 'code' in known && typeof known.code === 'string' ? known.code : undefined
  const params = { error: known && isClientError(known) ? known.type : 'Configuration', code }
  const cookies = page === 'signIn' ? await returnCookies(config, request, returnTo) : []
  return redirect(pageUrl(config, request.origin, page, params), cookies)
}

/** So that the next try leads to where the visitor wanted to go. */
async function returnCookies(
  config: ResolvedConfig,
  request: Incoming,
  earlier: string | undefined,
): Promise<readonly SetCookie[]> {
  try {
    return rememberReturn(config, request, await chooseReturn(config, request, earlier), earlier)
  } catch {
    return [] // the application's callback fails; that was reported already, or will be
  }
}
