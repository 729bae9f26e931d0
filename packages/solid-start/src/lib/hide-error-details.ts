import { isAuthError } from '@siteauth/core/errors'

/**
 * Runs something whose errors may reach the browser: SolidStart sends all that an error has of its own. What only the log
 * should say, such as what the database answered, is then inherited, and stays here.
 */
export async function hideErrorDetails<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (thrown) {
    if (isAuthError(thrown)) hideDetails(thrown)
    throw thrown
  }
}

function hideDetails(error: Error): void {
  // Several calls may reject with one error.
  if (!Object.hasOwn(error, 'stack') && !Object.hasOwn(error, 'cause')) return
  const { cause, stack } = error
  delete error.cause
  delete error.stack
  const details = { cause: { value: cause }, stack: { value: stack } }
  Object.setPrototypeOf(error, Object.create(Object.getPrototypeOf(error), details))
}
