import { createStepLogger } from '../../base/step-logger.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { signInCookies } from '../cookies/sign-in-cookies.ts'
import { pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import type { ApprovedIdentity } from './authorize-sign-in.ts'
import { type StartedSession, startSession } from './start-session.ts'

/** How every way to sign in ends: the session starts, and the visitor continues. */
export async function completeSignIn(
  config: ResolvedConfig,
  request: Incoming,
  approved: ApprovedIdentity,
  returnTo?: string,
): Promise<OutgoingRedirect> {
  // May fail, so it comes before anything has happened.
  const callbackUrl = await chooseReturn(config, request, returnTo)
  const started = await startSession(config, request, approved)
  await reportSignIn(config, started)
  const isNew = started.identity.isNewUser && config.pages.newUser !== undefined
  const to = isNew ? pageUrl(config, request.origin, 'newUser', { callbackUrl }) : callbackUrl
  // By the start of the attempt: a revocation since then ends what it has led to.
  const readTime = (userId: string) => started.identity.attempt.readFirstRevocation(userId)
  return redirect(to, await signInCookies(config, request, { ...started, readTime }))
}

async function reportSignIn(
  config: ResolvedConfig,
  { identity, issued }: StartedSession,
): Promise<void> {
  const { user, account, profile, isNewUser } = identity
  await config.events.signIn?.({
    user,
    account,
    ...(profile && { profile }),
    ...(account.type !== 'credentials' && { isNewUser: isNewUser as boolean }), // the key always exists
  })
  const tell = createStepLogger(config.logger, { id: account.provider, type: account.type })
  tell(issued ? 'the session has begun' : 'the jwt callback wants no session', {
    strategy: config.strategy,
    isNewUser,
  })
}
