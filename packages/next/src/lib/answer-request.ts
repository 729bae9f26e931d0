import type { SessionConfig } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import { ASKED_HEADER } from './asked.ts'
import { authorizedOf } from './authorized-of.ts'
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
  const loader = await settings.of(request, request)
  const path = ownPath(seenUrl(request).pathname, prefixOf(loader))
  const { route } = loader.paths
  const isOwn =
    isEndpoint(route, path) &&
    // At the root they stand among pages of the application.
    (route !== '' || (await nowAndThen(later => later.isRootEndpoint(loader, path))))
  // The endpoints read sessions themselves, and renew or end them.
  if (isOwn && !wrapped) {
    return request.headers.has(ASKED_HEADER)
      ? nowAndThen(later => later.withoutAsked(passOn(), request))
      : passOn()
  }
  let config: SessionConfig | undefined
  let read: ReadRequest
  try {
    config = await loader.sessions()
    read = await requestSession(config, reader, request, wrapped?.context)
  } catch (error) {
    return nowAndThen(({ answerUnknown }) => answerUnknown(loader, request, error, config, wrapped))
  }
  const authorized = !isOwn && authorizedOf(config)
  const auth = read.session
  const verdict = authorized ? await authorized({ request, auth }) : true
  if (verdict !== true) {
    const refusal = await nowAndThen(({ refuse }) =>
      refuse(loader, request, verdict, auth, wrapped?.context),
    )
    if (refusal) return read.applyTo(refusal)
  }
  const isDecided = !!authorized
  if (!wrapped) {
    const isPrivate = isDecided && auth
    return read.applyTo(isPrivate ? await nowAndThen(later => later.passOnPrivately()) : passOn())
  }
  return read.applyTo(
    await withinNext(({ runWrapped }) => runWrapped(reader, request, auth, wrapped, isDecided)),
  )
}
