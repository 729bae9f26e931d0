import type { Frame, Resolution, ResolvedConfig } from './config/resolved.ts'
import {
  type AuthError,
  CallbackRouteError,
  ErrorPageLoop,
  InvalidProvider,
  isAuthError,
  isClientError,
  UnknownAction,
} from './errors.ts'
import { chooseReturn, rememberReturn } from './flows/choose-redirect.ts'
import { demandOwnForm } from './flows/csrf.ts'
import { Failure } from './flows/failure.ts'
import { rememberFault } from './flows/last-fault.ts'
import { pageUrl } from './flows/page-url.ts'
import type { SetCookie } from './http/cookies.ts'
import type { Incoming, SentRequest } from './http/incoming.ts'
import { resolveOrigin } from './http/origin.ts'
import { type JsonAnswer, json, type Outgoing, type PageAnswer, redirect } from './http/outgoing.ts'
import { parsePath, type Target } from './http/parse-path.ts'
import { isRefusal, parseRequest } from './http/parse-request.ts'
import { findRoute } from './routes.ts'

/** An answer, and the failure that it tells of, for callers who would rather have that. */
export interface Handled {
  readonly answer: Outgoing
  readonly failure?: unknown
}

/** The HTTP door: parse, find the endpoint, check where the request comes from, run, catch once. */
export async function handle(resolution: Resolution, request: SentRequest): Promise<Handled> {
  const { frame, config, faults } = resolution
  const seen = new URL(request.url)
  const target = parsePath(seen.pathname, [frame.paths.public, frame.paths.route])
  if (!target) return refuse(frame, request, 404, notFound(request))
  if (!config) return reportFaults(frame, request, target, faults)
  return dispatch(config, request, seen, target)
}

async function dispatch(
  config: ResolvedConfig,
  request: SentRequest,
  seen: URL,
  { action, providerId }: Target,
): Promise<Handled> {
  const provider = providerId === undefined ? undefined : config.providers.get(providerId)
  if (providerId !== undefined && !provider) {
    const known = [...config.providers.keys()].join(', ')
    const message = `There is no provider ${JSON.stringify(providerId)}. Configured are: ${known}.`
    return refuse(config, request, 404, new InvalidProvider(message))
  }
  const route = findRoute(methodOf(request, action), action, provider)
  if ('allow' in route) {
    const { allow } = route
    const whose = provider ? ` for ${provider.id}` : ''
    const message = `${request.method} ${action} does not exist${whose}.`
    return refuse(config, request, allow.length > 0 ? 405 : 404, new UnknownAction(message), allow)
  }
  const incoming = await parseRequest(request, config.origin, config.trustHost, seen)
  if (isRefusal(incoming)) return refuse(config, request, incoming.status, incoming.refused)
  try {
    if (route.csrf) await demandOwnForm(config, incoming)
    return { answer: await route.run(config, incoming, provider) }
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure(error, [])
    const { reason, cookies } = failure
    config.logger.error(asThrown(reason))
    rememberFault(config, reason)
    const answer = await failureAnswer(config, incoming, action, failure)
    return { answer: { ...answer, cookies: [...cookies, ...answer.cookies] }, failure: reason }
  }
}

/** What a visitor is told of a failure: a page for people, a status for programs. */
async function failureAnswer(
  config: ResolvedConfig,
  request: Incoming,
  action: Target['action'],
  { reason, returnTo }: Failure,
): Promise<Outgoing> {
  const known = isAuthError(reason) ? reason : undefined
  if (action === 'session') {
    // Whether somebody is signed in is not known, which is not the same as that nobody is.
    return known && isClientError(known) ? json(null, 400) : unknownSession
  }
  const page = known?.kind ?? 'error'
  const code = known && 'code' in known && typeof known.code === 'string' ? known.code : undefined
  const params = { error: known && isClientError(known) ? known.type : 'Configuration', code }
  const cookies = page === 'signIn' ? await returnCookies(config, request, returnTo) : []
  return redirect(pageUrl(config, request.origin, page, params), cookies)
}

/** Says that it is not known who is signed in. */
export const unknownSession: Outgoing = json(
  { message: 'The session could not be read. Check the server logs.' },
  503,
)

/** So that the next try leads to where the visitor wanted to go. */
async function returnCookies(
  config: ResolvedConfig,
  request: Incoming,
  earlier: string | undefined,
): Promise<readonly SetCookie[]> {
  try {
    return rememberReturn(config, request, await chooseReturn(config, request, earlier), earlier)
  } catch {
    return [] // the application's callback fails; that was reported already, or will be
  }
}

/** Answers a request that has no endpoint, or cannot be understood. */
async function refuse(
  frame: Frame,
  request: SentRequest,
  status: 400 | 404 | 405 | 413,
  failure: AuthError,
  allow?: readonly string[],
): Promise<Handled> {
  // Anybody can send such requests, as often as they like: no reason to fill the log.
  frame.logger.debug(failure.message)
  const answer = await refusalAnswer(frame, request, status)
  return {
    answer: allow?.length ? { ...answer, allow } : answer,
    failure,
  }
}

async function refusalAnswer(
  frame: Frame,
  request: SentRequest,
  status: number,
): Promise<JsonAnswer | PageAnswer> {
  if (wantsPage(request)) {
    const { builtInError } = await import('./flows/show-page.ts')
    const code = status === 404 || status === 405 ? 'NotFound' : 'BadRequest'
    return { ...(await builtInError(frame, originForPages(frame, request), request, code)), status }
  }
  if (request.headers.has('x-auth-return-redirect')) {
    // A script that expects to be told where to go is told so.
    const url = pageUrl(frame, originForPages(frame, request), 'error', { error: 'Configuration' })
    return json({ message: messages[status], url }, status)
  }
  return json(status === 400 ? 'Bad request.' : { message: messages[status] }, status)
}

const messages: Readonly<Record<number, string>> = {
  400: 'Bad request.',
  404: 'Not found.',
  405: 'Method not allowed.',
  413: 'The body is too large.',
}

const faultMessage =
  'There was a problem with the server configuration. Check the server logs for more information.'

/** Nothing works until the configuration does: every request says so, and the log says why. */
async function reportFaults(
  frame: Frame,
  request: SentRequest,
  target: Target,
  faults: readonly AuthError[],
): Promise<Handled> {
  for (const fault of faults) frame.logger.error(fault)
  const [failure] = faults
  const isPage = ['signin', 'signout', 'error', 'verify-request'].includes(target.action)
  if (request.method !== 'GET' || !isPage) {
    return { answer: json({ message: faultMessage }, 500), failure }
  }
  const origin = originForPages(frame, request)
  const { error: ownPage } = frame.pages
  if (ownPage) {
    const asked = new URL(request.url).searchParams.get('callbackUrl')
    if (!asked?.startsWith(ownPage)) {
      return {
        answer: redirect(pageUrl(frame, origin, 'error', { error: 'Configuration' })),
        failure,
      }
    }
    frame.logger.error(
      new ErrorPageLoop(`The error page ${ownPage} needs a visitor to be signed in. It must not.`),
    )
  }
  const { builtInError } = await import('./flows/show-page.ts')
  const details = faults.flatMap(fault => [`${fault.type}: ${fault.message}`, `See ${fault.help}`])
  return { answer: await builtInError(frame, origin, request, 'Configuration', details), failure }
}

/** Links on a page that reports a fault lead where the visitor already is. */
function originForPages(frame: Frame, request: SentRequest): string {
  const { protocol, host, origin } = new URL(request.url)
  const header = (name: string) => request.headers.get(name)
  return resolveOrigin(frame.origin, frame.trustHost, { header, protocol, host }).origin ?? origin
}

/** `HEAD` is `GET` without its body, except where answering uses something up. */
function methodOf(request: SentRequest, action: Target['action']): 'GET' | 'POST' | null {
  if (request.method === 'GET' || request.method === 'POST') return request.method
  return request.method === 'HEAD' && action !== 'callback' ? 'GET' : null
}

function wantsPage(request: SentRequest): boolean {
  return (
    !request.headers.has('x-auth-return-redirect') &&
    (request.headers.get('accept') ?? '').includes('text/html')
  )
}

function notFound(request: SentRequest): UnknownAction {
  return new UnknownAction(`There is no endpoint at ${new URL(request.url).pathname}.`)
}

/** The failure as it is thrown to callers of functions. */
export function asThrown(failure: unknown): Error {
  if (failure instanceof Error) return failure
  return new CallbackRouteError('Something that is no error was thrown.', { cause: failure })
}
