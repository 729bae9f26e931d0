import type { AuthEvent } from '../../base/callbacks.ts'
import { createStepLogger } from '../../base/step-logger.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { signInCookies } from '../cookies/sign-in-cookies.ts'
import { pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import type { ApprovedIdentity } from './authorize-sign-in.ts'
import { type StartedSession, startSession } from './start-session.ts'

/**
 * How every way to sign in ends: the session starts, and the visitor continues. The events that this causes are part of the
 * response.
 */
export async function completeSignIn(
  config: ResolvedConfig,
  request: Incoming,
  approved: ApprovedIdentity,
  returnTo?: string,
): Promise<SignInResponse> {
  // May fail, so it comes before anything has happened.
  const callbackUrl = await chooseReturn(config, request, returnTo)
  const started = await startSession(config, request, approved)
  const isNew = started.identity.isNewUser && config.pages.newUser !== undefined
  const to = isNew ? pageUrl(config, request.origin, 'newUser', { callbackUrl }) : callbackUrl
  // By the start of the attempt: a revocation since then ends what it has led to.
  const readTime = (userId: string) => started.identity.attempt.readFirstRevocation(userId)
  const cookies = await signInCookies(config, request, { ...started, readTime })
  logSignIn(config, started)
  return { ...redirect(to, cookies), events: [signInEvent(started)] }
}

/** The redirect of a sign-in, and what to report of it. */
interface SignInResponse extends OutgoingRedirect {
  readonly events: readonly AuthEvent[]
}

function signInEvent({ identity }: StartedSession): AuthEvent {
  const { user, account, profile, isNewUser } = identity
  return {
    type: 'signIn',
    message: {
      user,
      account,
      ...(profile && { profile }),
      ...(account.type !== 'credentials' && { isNewUser: isNewUser as boolean }), // the key always exists
    },
  }
}

function logSignIn(config: ResolvedConfig, { identity, issued }: StartedSession): void {
  const { account, isNewUser } = identity
  const tell = createStepLogger(config.logger, { id: account.provider, type: account.type })
  tell(issued ? 'the session has begun' : 'the jwt callback wants no session', {
    strategy: config.strategy,
    isNewUser,
  })
}
