import type { Awaitable } from '../../base/awaitable.ts'
import { CallbackRouteError, ReauthenticationRequired, TooManyAttempts } from '../../base/errors.ts'
import type { LoggerInstance } from '../../base/logger.ts'
import type { SetCookie } from '../../http/cookies.ts'

// In the global registry, as with errors: what is loaded later may be of another copy of this package.
const brand = Symbol.for('siteauth.failure')

/** A failure after which cookies must change all the same. Inside the library only. */
export class Failure extends Error {
  readonly reason: unknown
  readonly cookies: readonly SetCookie[]
  /** Where the visitor wanted to go, if the attempt that failed knows. */
  readonly returnTo: string | undefined

  constructor(reason: unknown, cookies: readonly SetCookie[], returnTo?: string) {
    super('a flow failed')
    this.reason = reason
    this.cookies = cookies
    this.returnTo = returnTo
    Object.defineProperty(this, brand, { value: true })
  }
}

/** The thrown value as a failure: the same one if it is a failure already, otherwise one that changes no cookies. */
export function asFailure(thrown: unknown): Failure {
  return isFailure(thrown) ? thrown : new Failure(thrown, [])
}

function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Error && brand in thrown
}

/** Calls for an application, and hands on the cookies of the answer, or of the failure. Throws on failure. */
export async function applyCookies<Result extends { readonly cookies: readonly SetCookie[] }>(
  call: () => Promise<Result>,
  storeCookies: (cookies: readonly SetCookie[]) => Awaitable<void>,
): Promise<Result> {
  try {
    const result = await call()
    await storeCookies(result.cookies)
    return result
  } catch (error) {
    const { reason, cookies } = asFailure(error)
    await storeCookies(cookies)
    throw asThrown(reason)
  }
}

/** The failure as it is thrown to callers of functions. */
export function asThrown(failure: unknown): Error {
  if (failure instanceof Error) return failure
  return new CallbackRouteError('Something other than an error was thrown.', { cause: failure })
}

/** Logs a failure. */
export function logFailure(logger: LoggerInstance, reason: unknown): void {
  // Visitors could fill the log, by trying too often or with an old session.
  if (reason instanceof TooManyAttempts || reason instanceof ReauthenticationRequired)
    logger.debug(reason.message)
  else logger.error(asThrown(reason))
}
