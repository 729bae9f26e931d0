import {
  type AuthError,
  InvalidEndpoints,
  isAuthError,
  OAuthCallbackError,
  OAuthSignInError,
} from '../base/errors.ts'

/** The facts about a fault that may be logged: codes and names, never tokens or secrets. */
export type ProviderErrorFacts = Readonly<Record<string, unknown>>

/**
 * A provider did not answer, or answered in a way that cannot be used. Inside this folder only: the
 * exported functions turn it into the error of the step that it happened in.
 */
export class ProviderError extends Error {
  readonly facts: ProviderErrorFacts

  constructor(message: string, facts: ProviderErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderError'
    this.facts = facts
  }
}

/** Returns what is decided about a provider, or the error that states why the provider cannot work. */
export function orInvalid<T>(provider: string, decide: () => T): T | InvalidEndpoints {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return new InvalidEndpoints(`Provider ${JSON.stringify(provider)}: ${error.message}.`, {
      cause: { provider },
    })
  }
}

/** The error for a sign-in that could not be started. An error that a hook threw on purpose stays. */
export function signInError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  const providerError = toProviderError(error)
  const message = `Sign-in with ${JSON.stringify(provider)} could not be started: ${providerError.message}`
  return new OAuthSignInError(message, { cause: causeOf(providerError, provider) })
}

/** The error for a sign-in that could not be finished. An error that a hook threw on purpose stays. */
export function callbackError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  const providerError = toProviderError(error)
  const message = `Sign-in with ${JSON.stringify(provider)} could not be finished: ${providerError.message}`
  return new OAuthCallbackError(message, { cause: causeOf(providerError, provider) })
}

/** RFC 6750 §3: a server states in a header why it rejects a request. */
export function rejectionError(
  status: number,
  error: unknown,
  description: unknown,
): ProviderError {
  const reason = readable(error)
  const details = readable(description)
  const message = `the server refused with status ${status}${reason ? `: ${reason}` : ''}`
  return new ProviderError(message, {
    status,
    ...(reason && { error: reason }),
    ...(details && { error_description: details }),
  })
}

/** The keys of a provider are not to be had, so that nothing it signed can be checked. */
export class ProviderKeyError extends ProviderError {}

/**
 * The error of a provider, with the facts about it: safe to log. Some providers repeat what they were sent, so
 * `secret` is removed.
 */
export function toSafeError(error: unknown, secret: string): Error {
  const providerError = toProviderError(error)
  const { cause } = providerError
  const spellings = [secret, encodeURIComponent(secret)]
  const clean = (text: string) => spellings.reduce((left, each) => left.replaceAll(each, '…'), text)
  const facts = Object.entries(providerError.facts).map(
    ([name, value]) => [name, typeof value === 'string' ? clean(value) : value] as const,
  )
  const isClean = !(cause instanceof Error) || clean(String(cause.stack)) === cause.stack
  const safe = new Error(clean(providerError.message), isClean ? { cause } : {})
  return Object.assign(safe, Object.fromEntries(facts))
}

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Error))
    return new ProviderError('something other than an error was thrown')
  return new ProviderError(error.message, {}, error)
}

/** Text of a provider, made fit for a log: one line, and not too long. */
export function readable(text: unknown): string | undefined {
  if (typeof text === 'number') return String(text)
  if (typeof text !== 'string' || text === '') return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a log
  return text.slice(0, 500).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

function causeOf(providerError: ProviderError, provider: string): Record<string, unknown> {
  const err = providerError.cause instanceof Error ? providerError.cause : providerError
  return { ...providerError.facts, provider, err }
}
