import { AuthError } from '@siteauth/core/errors'
import { letPass } from '../proxy-headers.ts'
import { passAsRouted, withoutForgedReceipt } from './apply-session.ts'
import { PRIVATE } from './private-answers.ts'
import { requestedPage, type Visit } from './requested-page.ts'

/** A request whose session could not be read. */
interface Unreadable extends Visit {
  readonly error: unknown
  /** Undefined where sessions cannot be read at all. */
  readonly config: object | undefined
  /** What needs to know who it is, if there is any: the callback, or a function that `auth` wraps. */
  readonly authorized: unknown
  readonly wrapped: object | undefined
}

/** The visitor is unknown, which does not mean that the visitor is signed out. */
export async function unreadableResponse(unreadable: Unreadable): Promise<Response> {
  const { loader, request, error, config, authorized, wrapped } = unreadable
  if (!(error instanceof AuthError)) throw error
  const resolved = await loader.complete()
  // A fault of the configuration was logged when it was found.
  if (config) resolved.logger.error(error)
  const canPass = !wrapped && (!authorized || requestedPage(unreadable).isOpen)
  if (config && canPass) {
    return authorized ? passAsRouted(letPass(), request) : withoutForgedReceipt(letPass(), request)
  }
  const message = resolved.development
    ? `${error.type}: ${error.message}\nSee ${error.help}`
    : 'The server log says why.'
  return new Response(`The session could not be read.\n${message}`, {
    status: config ? 503 : 500,
    headers: PRIVATE,
  })
}
