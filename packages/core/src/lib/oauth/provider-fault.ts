import * as oauth from 'oauth4webapi'
import { type AuthError, isAuthError, OAuthCallbackError, OAuthSignInError } from '../errors.ts'

/** What is known of a fault and may be logged: codes and names, never tokens or secrets. */
export type FaultFacts = Readonly<Record<string, unknown>>

/**
 * A provider did not answer, or answered in a way that cannot be used. Inside this folder only: the
 * exported functions turn it into the error of the step that it happened in.
 */
export class ProviderFault extends Error {
  readonly facts: FaultFacts

  constructor(message: string, facts: FaultFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderFault'
    this.facts = facts
  }
}

/** The error for a sign-in that could not be started. What a hook threw on purpose stays. */
export function signInError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  const fault = asFault(error)
  const message = `Sign-in with ${JSON.stringify(provider)} could not be started: ${fault.message}`
  return new OAuthSignInError(message, { cause: causeOf(fault, provider) })
}

/** The error for a sign-in that could not be finished. What a hook threw on purpose stays. */
export function callbackError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  const fault = asFault(error)
  const message = `Sign-in with ${JSON.stringify(provider)} could not be finished: ${fault.message}`
  return new OAuthCallbackError(message, { cause: causeOf(fault, provider) })
}

/**
 * A fault that is safe to log. The errors of the protocol library carry whole answers and claims as
 * their cause, and with them tokens, codes and nonces: of those only the message is kept, and the
 * two values that were compared where they are public.
 */
function asFault(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  if (!(error instanceof Error)) return new ProviderFault('something that is no error was thrown')
  if (error instanceof oauth.WWWAuthenticateChallengeError) return challengeFault(error)
  const { code } = error as { code?: unknown }
  if (!isProtocolError(error, code)) return new ProviderFault(error.message, {}, error)
  return new ProviderFault(error.message, { code, ...comparison(error.cause) })
}

/** RFC 6750 §3: a server says in a header why it refuses. */
function challengeFault(error: oauth.WWWAuthenticateChallengeError): ProviderFault {
  const { code, status, cause } = error
  const said = cause.find(({ parameters }) => parameters.error)?.parameters
  const reason = readable(said?.error)
  const message = `the server refused with status ${status}${reason ? `: ${reason}` : ''}`
  const description = readable(said?.error_description)
  return new ProviderFault(message, {
    code,
    status,
    ...(reason && { error: reason }),
    ...(description && { error_description: description }),
  })
}

/** Text of a provider, made fit for a log: one line, and not too long. */
export function readable(text: unknown): string | undefined {
  if (typeof text === 'number') return String(text)
  if (typeof text !== 'string' || text === '') return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a log
  return text.slice(0, 500).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

function causeOf(fault: ProviderFault, provider: string): Record<string, unknown> {
  const err = fault.cause instanceof Error ? fault.cause : fault
  return { ...fault.facts, provider, err }
}

function isProtocolError(error: Error, code: unknown): boolean {
  return (
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError ||
    code === 'ERR_INVALID_ARG_VALUE' ||
    code === 'ERR_INVALID_ARG_TYPE'
  )
}

// Claims that say nothing about a person and unlock nothing.
const publicClaims = ['iss', 'aud', 'azp', 'exp', 'nbf', 'iat', 'auth_time']

function comparison(cause: unknown): FaultFacts {
  if (typeof cause !== 'object' || cause === null) return {}
  const { claim, claims, expected, header } = cause as Record<string, unknown>
  if (typeof claim === 'string' && publicClaims.includes(claim)) {
    return { claim, expected, found: member(claims, claim) }
  }
  if (header !== undefined) {
    return { expected, alg: readable(member(header, 'alg')), kid: readable(member(header, 'kid')) }
  }
  return typeof claim === 'string' ? { claim } : {}
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name] // an object: reading a member of it cannot fail
    : undefined
}
