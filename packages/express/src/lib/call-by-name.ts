import type { ServerResponse } from 'node:http'
import {
  CALLS,
  type CallName,
  isUserCall,
  type ResolvedConfig,
  type SetCookie,
  serializeCookie,
  type VisitorCallName,
} from '@siteauth/core/internal'
import { requireConfig } from '@siteauth/core/internal/config'
import {
  beginsOnServer,
  type CallContext,
  type Incoming,
  receiveCall,
  runCall,
  runUserCall,
  wantsRedirect,
} from '@siteauth/core/internal/endpoints'
import { addCookies, isTooLate } from '@siteauth/core/internal/node'
import { getApplication, relyOnPath } from './application/applications.ts'
import type { ServerRequest } from './express.ts'
import { requestScheme, senderOf } from './request/address.ts'
import { changeCookies } from './request/request-state.ts'
import { engineHeaders } from './request/to-request.ts'
import { writeRedirect } from './request/write-redirect.ts'
import { forgetLocalSession } from './session/local-session.ts'
import { forgetSession, readSession } from './session/read-session.ts'

/**
 * Makes a call of the library. A call whose result is a URL responds with a redirect to it, unless its option `redirect` is
 * false.
 *
 * @param args the request, if the call is on behalf of a visitor, and what the call takes
 */
export async function callByName(
  name: CallName,
  args: readonly unknown[],
  config: object,
): Promise<unknown> {
  const application = getApplication(config)
  const resolved = requireConfig(application.resolved)
  if (isUserCall(name)) return runUserCall(name, resolved, args)
  const [req, ...given] = args as [ServerRequest, ...unknown[]] // as the list declares
  if (name === 'getSession') return readSession(req, config, req.res)
  if (leadsToEndpoints(name, given, resolved)) relyOnPath(application, config)
  const context = contextOf(req, resolved)
  const value = await runCall(name, context, given)
  if (CALLS[name].result === 'value') return value
  const to = locationOf(String(value), name, given, context)
  const options = name === 'signIn' ? given[1] : given[0]
  if (req.res && wantsRedirect(options)) writeRedirect(req.res, to)
  return to
}

/** Whether a call sends visitors to endpoints, which it cannot see the mount of. */
function leadsToEndpoints(
  name: VisitorCallName,
  [provider]: readonly unknown[],
  { providers, pages }: ResolvedConfig,
): boolean {
  if (name !== 'signIn') return name === 'listProviders' || name === 'passwords.sendLink'
  const type = providers.get(String(provider ?? ''))?.type
  return type === undefined ? !pages.signIn : type !== 'credentials'
}

/** The path of the sign-in page rather than its URL: it is right even if a proxy hides the host. */
function locationOf(
  url: string,
  name: VisitorCallName,
  [provider]: readonly unknown[],
  { config, incoming }: CallContext,
): string {
  const isSignInPage =
    name === 'signIn' && !beginsOnServer(config, { provider: provider as string | undefined }) // as the list declares
  const isOwn = isSignInPage && url.startsWith(`${incoming.origin}/`)
  return isOwn ? url.slice(incoming.origin.length) : url
}

function contextOf(req: ServerRequest, config: ResolvedConfig): CallContext {
  const { res } = req
  return {
    config,
    incoming: receiveFrom(req, config),
    noCookiesReason: findNoCookiesReason(res),
    setCookies: cookies => (res ? setCookies(req, res, cookies) : undefined),
  }
}

/** The request of a browser as the engine takes it. Throws if its host is not trusted. */
function receiveFrom(req: ServerRequest, config: ResolvedConfig): Incoming {
  const { headers } = req
  return receiveCall(config, {
    headers: engineHeaders(req),
    protocol: requestScheme(req, headers),
    host: headers.host ?? '',
    sender: () => senderOf(req),
  })
}

function findNoCookiesReason(res: ServerResponse | undefined): string | undefined {
  if (!res) return 'This request has no response to set it on, as in a WebSocket upgrade.'
  return isTooLate(res) ? 'Call it before the response begins.' : undefined
}

function setCookies(req: ServerRequest, res: ServerResponse, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return
  addCookies(res, cookies.map(serializeCookie))
  changeCookies(req, cookies)
  forgetSession(req)
  forgetLocalSession(res)
}
