import { type SessionConfig, sessionsOf } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import type { NextAuthCallbacks } from './auth-config.ts'
import { withinNext } from './load-later.ts'
import { nowAndThen } from './load-now-and-then.ts'
import { isEndpoint, ownPath, seenUrl } from './own-path.ts'
import { passOn } from './pass-on.ts'
import { type ReadRequest, requestSession } from './request-session.ts'
import type { Wrapped } from './run-wrapped.ts'
import type { SessionReader } from './session-reader.ts'
import { prefixOf, type Settings } from './settings.ts'

/** What there is to answer a request with. */
export interface Answering {
  readonly settings: Settings
  readonly reader: SessionReader
  readonly wrapped?: Wrapped
}

/**
 * Answers a request as proxy, or in place of a function that it wraps: reads the session, asks
 * `authorized`, and only then lets the request pass.
 */
export async function answerRequest(
  { settings, reader, wrapped }: Answering,
  request: NextRequest,
): Promise<Response> {
  const setup = await settings.of(request, request)
  const path = ownPath(seenUrl(request).pathname, prefixOf(setup))
  const isOwn = isEndpoint(setup.paths.route, path)
  // The endpoints read sessions themselves, and renew or end them.
  if (isOwn && !wrapped) return passOn()
  let config: SessionConfig | undefined
  let read: ReadRequest
  try {
    config = await sessionsOf(setup)
    read = await requestSession(config, reader, request)
  } catch (error) {
    const isConfigured = config !== undefined
    const waiting = wrapped ? 'function' : authorizedOf(config) ? 'callback' : 'nobody'
    return nowAndThen(({ answerUnknown }) =>
      answerUnknown(setup, request, error, { isConfigured, waiting }),
    )
  }
  const authorized = authorizedOf(config)
  const auth = read.session
  const verdict = !authorized || isOwn ? true : await authorized({ request, auth })
  if (verdict !== true) {
    const refusal = await nowAndThen(({ refuse }) =>
      refuse(setup, request, verdict, wrapped?.context),
    )
    if (refusal) return read.applyTo(refusal)
  }
  if (!wrapped) return read.applyTo(passOn())
  return read.applyTo(
    await withinNext(({ runWrapped }) => runWrapped(reader, request, auth, wrapped)),
  )
}

function authorizedOf(
  config: SessionConfig | undefined,
): NextAuthCallbacks['authorized'] | undefined {
  // Next's configuration has one more than the engine's, which passes it through.
  return (config?.callbacks as Partial<NextAuthCallbacks> | undefined)?.authorized
}
