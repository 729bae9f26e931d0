import { AuthError } from '@siteauth/core/errors'
import type { NextRequest } from 'next/server.js'
import { passOn } from './pass-on.ts'
import { placeOf } from './place.ts'
import { PRIVATE } from './responses.ts'
import type { Setup } from './settings.ts'

/** What is known where it is not known who a request is from. */
interface Unknown {
  /** Whether sessions can be read at all. */
  readonly isConfigured: boolean
  /** Who needs to know it. */
  readonly waiting: 'function' | 'callback' | 'nobody'
}

/** It is not known who this is, which does not mean that it is nobody. */
export async function answerUnknown(
  setup: Setup,
  request: NextRequest,
  error: unknown,
  { isConfigured, waiting }: Unknown,
): Promise<Response> {
  if (!(error instanceof AuthError)) throw error
  // A fault of the configuration was logged when it was found.
  if (isConfigured) (await setup.complete()).frame.logger.error(error)
  const isOpen = waiting === 'callback' && placeOf(setup, request).isOpen
  if (isConfigured && (waiting === 'nobody' || isOpen)) return passOn()
  return new Response('The session could not be read. The log of the server says why.', {
    status: isConfigured ? 503 : 500,
    headers: PRIVATE,
  })
}
