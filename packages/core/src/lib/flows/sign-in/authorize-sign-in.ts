import type { SignInParams } from '../../base/callbacks.ts'
import { AccessDenied, CallbackRouteError, isAuthError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn, ownRedirect, rememberReturn } from '../request/return-url.ts'
import { textOf } from './callback-error.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** An identity that a sign-in has verified, and how to verify it again. */
export interface VerifiedIdentity extends ProvenIdentity {
  /** The attempt that the proof was part of, which ends if all sessions of the user are revoked meanwhile. */
  readonly attempt: SignInAttempt
  /**
   * Called again once there is a session: whether the proof still leads to this user. An account, a password or a passkey may
   * have been removed meanwhile, because another person has proved the address.
   */
  readonly stillHolds: (() => Promise<boolean>) | 'cannot change'
}

declare const approved: unique symbol

/** An identity for which a session may start. Only the functions of this file make one. */
export interface ApprovedIdentity extends VerifiedIdentity {
  readonly [approved]: true
}

/** The decision of the application about a sign-in. */
export type Authorization =
  | { readonly redirect: OutgoingRedirect; readonly approve?: never }
  | {
      readonly redirect?: never
      /** Approves the identity that the application was asked about, which is known once its account is linked. */
      approve(identity: VerifiedIdentity): ApprovedIdentity
    }

/**
 * Asks the `signIn` callback whether someone may sign in. It may send the visitor elsewhere first. Throws if it denies
 * access.
 */
export async function authorizeSignIn(
  config: ResolvedConfig,
  request: Incoming,
  params: SignInParams,
): Promise<Authorization> {
  const redirectTo = await askApplication(config, request, params)
  if (redirectTo) return { redirect: redirectTo }
  return {
    approve(identity) {
      if (identity.account.provider === params.account?.provider) return asApproved(identity)
      throw new TypeError('The signIn callback was asked about an account of another provider.')
    },
  }
}

/**
 * Approves an identity without asking the application: for a session that takes the place of one that the visitor has.
 */
export function continueWithoutApproval(identity: VerifiedIdentity): ApprovedIdentity {
  return asApproved(identity)
}

function asApproved(identity: VerifiedIdentity): ApprovedIdentity {
  return identity as ApprovedIdentity // the brand exists in types only
}

/**
 * Calls the `signIn` callback. Returns null if the sign-in continues, otherwise the URL where the visitor goes
 * instead.
 */
async function askApplication(
  config: ResolvedConfig,
  request: Incoming,
  params: SignInParams,
): Promise<OutgoingRedirect | null> {
  const { signIn } = config.callbacks
  if (!signIn) return null
  const result = await denialOnThrow(() => signIn(params))
  if (!result) throw new AccessDenied('The signIn callback refused.')
  if (result === true) return null
  if (typeof result !== 'string') {
    throw new CallbackRouteError(
      `The signIn callback returned a value of type ${typeof result}. Return true to let people in, ` +
        'false to refuse them, or a path or a URL to send them to.',
    )
  }
  const to = ownRedirect(request.origin, result)
  if (!to) {
    throw new CallbackRouteError(
      `The signIn callback returned ${JSON.stringify(result)}, which is neither a path nor a URL.`,
    )
  }
  // After the detour, the visitor continues to where the sign-in would have led.
  const returnUrl = await chooseReturn(config, request)
  return redirect(to, rememberReturn(config, request, returnUrl))
}

async function denialOnThrow<T>(ask: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAuthError(error)) throw error
    const message = error instanceof Error ? error.message : textOf(error)
    throw new AccessDenied(message, { cause: error })
  }
}
