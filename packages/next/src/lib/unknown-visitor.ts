import { AuthError } from '@siteauth/core/errors'
import type { SessionConfig } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import { authorizedOf } from './authorized-of.ts'
import { passOn } from './pass-on.ts'
import { placeOf } from './place.ts'
import { PRIVATE } from './private-headers.ts'
import type { Setup } from './settings.ts'
import { withoutAsked } from './with-cookies.ts'

/**
 * It is not known who this is, which does not mean that it is nobody.
 *
 * @param config undefined if sessions cannot be read at all
 * @param wrapped the function that needs to know it, if there is one
 */
export async function answerUnknown(
  setup: Setup,
  request: NextRequest,
  error: unknown,
  config: SessionConfig | undefined,
  wrapped: object | undefined,
): Promise<Response> {
  if (!(error instanceof AuthError)) throw error
  const isConfigured = config !== undefined
  const isAsked = authorizedOf(config) !== undefined
  const { frame } = await setup.complete()
  // A fault of the configuration was logged when it was found.
  if (isConfigured) frame.logger.error(error)
  const mayPass = !wrapped && (!isAsked || placeOf(setup, request).isOpen)
  if (isConfigured && mayPass) return withoutAsked(passOn(), request)
  const why = frame.development
    ? `${error.type}: ${error.message}\nSee ${error.help}`
    : 'The server log says why.'
  return new Response(`The session could not be read.\n${why}`, {
    status: isConfigured ? 503 : 500,
    headers: PRIVATE,
  })
}
