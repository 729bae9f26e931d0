import { lazily } from '../base/awaitable.ts'
import {
  type AuthError,
  CallbackRouteError,
  InvalidProvider,
  UnknownAction,
} from '../base/errors.ts'
import type { Frame, Resolution, ResolvedConfig } from '../config/resolved.ts'
import { demandOwnForm } from '../flows/csrf.ts'
import type { SentRequest } from '../http/incoming.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import { parsePath, type Target } from '../http/parse-path.ts'
import { isRefusal, parseRequest, prefetchStatus } from '../http/parse-request.ts'
import { asFailure } from '../steps/failure.ts'
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
  if (!target) return refuse(frame, request, 404, notFound(seen))
  if (request.method === 'GET' && LEAVES_TRACES.has(target.action)) {
    const status = prefetchStatus(request.headers)
    const message = 'This page is not fetched before it is wanted.'
    if (status !== undefined) return { answer: json({ message }, status) }
  }
  if (!config) {
    const answer = await reporting(each => each.reportFaults(frame, request, target.action, faults))
    return { answer, failure: faults[0] }
  }
  return dispatch(config, request, seen, target)
}

/** The pages that set cookies, or use something up. What scripts ask for is needed also before a page is shown. */
const LEAVES_TRACES: ReadonlySet<Target['action']> = new Set(['signin', 'signout', 'callback'])

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
    if (route.protection === 'own form') await demandOwnForm(config, incoming)
    return { answer: await route.run(config, incoming, provider) }
  } catch (error) {
    const failure = asFailure(error)
    config.logger.error(asThrown(failure.reason))
    const answer = await failing(each =>
      each.answerFailure(config, incoming, { action, provider }, failure),
    )
    return { answer, failure: failure.reason }
  }
}

// Mostly nothing goes wrong.
const failing = lazily(() => import('./answer-failure.ts'))
const refusing = lazily(() => import('./refuse-request.ts'))
const reporting = lazily(() => import('./report-faults.ts'))

async function refuse(
  frame: Frame,
  request: SentRequest,
  status: 400 | 404 | 405 | 413,
  failure: AuthError,
  allow: readonly string[] = [],
): Promise<Handled> {
  // Anybody can send such requests, as often as they like: no reason to fill the log.
  frame.logger.debug(failure.message)
  const answer = await refusing(each => each.refuseRequest(frame, request, status, allow))
  return { answer, failure }
}

/** `HEAD` is `GET` without its body, except where answering uses something up. */
function methodOf(request: SentRequest, action: Target['action']): 'GET' | 'POST' | null {
  if (request.method === 'GET' || request.method === 'POST') return request.method
  return request.method === 'HEAD' && action !== 'callback' ? 'GET' : null
}

function notFound({ pathname }: URL): UnknownAction {
  return new UnknownAction(`There is no endpoint at ${pathname}.`)
}

/** The failure as it is thrown to callers of functions. */
export function asThrown(failure: unknown): Error {
  if (failure instanceof Error) return failure
  return new CallbackRouteError('Something that is no error was thrown.', { cause: failure })
}
