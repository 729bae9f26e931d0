import {
  asThrown,
  foreignCall,
  forOwnCalls,
  handle,
  isForeignCall,
  type Outgoing,
  usable,
} from '@siteauth/core/endpoints'
import type { Frame, Resolution, ResolvedConfig } from '@siteauth/core/integration'
import { addressedBy } from './addressed-by.ts'
import { cookieHeader, storeCookies } from './current-session.ts'
import { type CurrentRequest, currentRequest } from './next-runtime.ts'
import { originOf } from './origin-of.ts'
import type { Settings } from './settings.ts'

/** The request that is being answered, and what counts for it. */
export interface OwnRequest {
  readonly current: CurrentRequest
  readonly resolution: Resolution
  readonly frame: Frame
  readonly config: ResolvedConfig
}

/** Finds the request that an action or a route handler is called for. */
export async function ownRequest(settings: Settings): Promise<OwnRequest> {
  const current = await currentRequest()
  const setup = await settings.of(current.headers)
  const resolution = await setup.complete()
  return { current, resolution, frame: resolution.frame, config: usable(resolution) }
}

/**
 * Runs a flow for the application itself, sets its cookies, and answers what it answered. Throws what
 * went wrong. The application's own forms have no CSRF token of ours; for actions Next looks at where
 * a form comes from, and for route handlers this does.
 */
export async function ownCall(
  { current, resolution, frame, config }: OwnRequest,
  /** What the application has called, in its words. */
  called: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Outgoing> {
  // Before anything is done that could not be told to the browser.
  if (!current.writable) throw notWhileRendering(called)
  demandOwnPage(config, current.headers)
  const { answer, failure } = await handle(
    forOwnCalls(resolution),
    requestTo(frame, current, path, fields),
  )
  if (failure !== undefined) throw asThrown(failure)
  try {
    storeCookies(current, answer.cookies)
  } catch (cause) {
    throw notWhileRendering(called, cause)
  }
  return answer
}

function notWhileRendering(called: string, cause?: unknown): Error {
  return new Error(
    `${called} cannot be called while a page is being rendered: Next does not allow setting cookies then. Call it in a ` +
      "server action, such as a form's, or in a route handler. To send people to the sign-in page " +
      'while rendering, call signIn() without a provider.',
    { cause },
  )
}

// They describe a body that is not passed on, or are for scripts, whose say this call is not.
const LEFT = ['content-length', 'content-type', 'transfer-encoding', 'x-auth-return-redirect']

function requestTo(
  frame: Frame,
  current: CurrentRequest,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Request {
  const { protocol, host } = addressedBy(current.headers, frame)
  const headers = new Headers(current.headers)
  for (const name of LEFT) headers.delete(name)
  headers.set('content-type', 'application/json')
  headers.set('cookie', cookieHeader(current))
  // A host that is none is still in the headers, where the engine sees and refuses it.
  const origin = URL.canParse(`${protocol}//${host}`) ? host : 'unknown.invalid'
  return new Request(`${protocol}//${origin}${frame.paths.route}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fields),
  })
}

function demandOwnPage(config: ResolvedConfig, headers: Headers): void {
  const own = originOf(config, addressedBy(headers, config))
  // A host that is not trusted is refused with more words by the flow.
  if (own === undefined) return
  if (isForeignCall(headers, own, config.trustedOrigins)) throw foreignCall(headers, own)
}
