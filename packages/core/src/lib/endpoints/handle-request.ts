import {
  type AuthError,
  InvalidProvider,
  InvalidRequest,
  UnknownAction,
  UntrustedHost,
  unknownHost,
} from '../base/errors.ts'
import type { InvalidConfig, PageConfig, ResolvedConfig } from '../config/resolved-config.ts'
import { limitAttempts } from '../flows/cookies/attempt-budget.ts'
import { passwordProvider } from '../flows/provider/find-password-provider.ts'
import { asFailure, logFailure } from '../flows/request/failure.ts'
import { requireOwnForm } from '../flows/request/form-token.ts'
import { type Incoming, receive } from '../flows/request/incoming.ts'
import { reportEvents } from '../flows/request/report-events.ts'
import { hasMalformedHost } from '../http/host-header.ts'
import { isLoopbackTrust } from '../http/origin.ts'
import { parsePath, type Target } from '../http/parse-path.ts'
import { isRejection, parseRequest, prefetchStatus } from '../http/parse-request.ts'
import type { SentRequest } from '../http/request.ts'
import { json, type Outgoing } from '../http/response.ts'
import { withRenewedSession } from '../principal/session-cookies.ts'
import { ENDPOINTS, findRoute } from './routes.ts'

/** A response, and its failure, for callers who prefer that. */
export interface Handled {
  readonly response: Outgoing
  readonly failure?: unknown
}

/** The HTTP door: parse, find the endpoint, check where the request comes from, run, catch once. */
export async function handle(
  config: ResolvedConfig | InvalidConfig,
  request: SentRequest,
): Promise<Handled> {
  if (hasMalformedHost(request.headers)) return reject(config, request, 400, MALFORMED_HOST)
  const seen = new URL(request.url)
  const target = parsePath(seen.pathname, [config.paths.public, config.paths.route])
  if (!target) return reject(config, request, 404, notFound(seen))
  if (request.method === 'GET' && !ENDPOINTS[target.action].prefetch) {
    const status = prefetchStatus(request.headers)
    const message = 'This page cannot be prefetched.'
    if (status !== undefined) return { response: json({ message }, status) }
  }
  if (config.problems) {
    const { configErrorResponse } = await import('./config-error-response.ts')
    const response = await configErrorResponse(config, request, target.action)
    return { response, failure: config.problems[0] }
  }
  return dispatch(config, request, seen, target)
}

const MALFORMED_HOST = /* @__PURE__ */ new InvalidRequest('The Host header is malformed.')

async function dispatch(
  config: ResolvedConfig,
  request: SentRequest,
  seen: URL,
  { action, providerId }: Target,
): Promise<Handled> {
  const isAboutPasswords = ENDPOINTS[action].provider === 'password'
  const named = providerId === undefined ? undefined : config.providers.get(providerId)
  const provider = isAboutPasswords ? passwordProvider(config) : named
  if (isAboutPasswords && !provider) return reject(config, request, 404, notFound(seen))
  if (providerId !== undefined && !provider) {
    const ids = [...config.providers.keys()].join(', ')
    const message = `There is no provider ${JSON.stringify(providerId)}. The configured ones are: ${ids}.`
    return reject(config, request, 404, new InvalidProvider(message))
  }
  const route = findRoute(methodOf(request, action), action, named)
  if ('allow' in route) {
    const { allow } = route
    const whose = provider ? ` for ${provider.id}` : ''
    const message = `${request.method} ${action} does not exist${whose}.`
    return reject(config, request, allow.length > 0 ? 405 : 404, new UnknownAction(message), allow)
  }
  const parsed = await parseRequest(request, config.origin, config.trustHost, seen)
  if (isRejection(parsed)) {
    if (parsed.problem instanceof UntrustedHost && isLoopbackTrust(config.trustHost)) {
      return rejectUnknownHost(config, request, action, seen)
    }
    return reject(config, request, parsed.status, parsed.problem)
  }
  if (config.origin === undefined && isLoopbackTrust(config.trustHost)) warnOfLoopback(config)
  const incoming = receive(config, parsed)
  try {
    if (route.protection === 'own form') await requireOwnForm(config, incoming)
    const flow = await route.load()
    const response = await flow(config, incoming, provider)
    if ('events' in response) await reportEvents(config.events, response.events ?? [])
    return { response: await finishResponse(config, incoming, response) }
  } catch (error) {
    const failure = asFailure(error)
    logFailure(config.logger, failure.reason)
    const { failureResponse } = await import('./failure-response.ts')
    const response = await failureResponse(config, incoming, { action, provider }, failure)
    return { response: await finishResponse(config, incoming, response), failure: failure.reason }
  }
}

/** Logged once, as any other fault of the configuration: strangers send as many of these as they like. */
async function rejectUnknownHost(
  config: ResolvedConfig,
  request: SentRequest,
  action: Target['action'],
  { host }: URL,
): Promise<Handled> {
  const { runtime } = config
  runtime.hostProblem ??= unknownHost(request.headers.get('host') ?? host)
  const { configErrorResponse } = await import('./config-error-response.ts')
  const faulty: InvalidConfig = { ...config, problems: [runtime.hostProblem] }
  const response = await configErrorResponse(faulty, request, action)
  return { response, failure: runtime.hostProblem }
}

/** A proxy that adds no headers cannot be told from a browser on this machine. */
function warnOfLoopback({ runtime, logger }: PageConfig): void {
  if (runtime.hasWarnedOfLoopback) return
  runtime.hasWarnedOfLoopback = true
  logger.warn('loopback-host-trusted')
}

async function finishResponse(
  config: ResolvedConfig,
  incoming: Incoming,
  response: Outgoing,
): Promise<Outgoing> {
  const cookies = await limitAttempts(config, incoming, response.cookies)
  return { ...response, cookies: await withRenewedSession(incoming, cookies) }
}

async function reject(
  config: PageConfig,
  request: SentRequest,
  status: 400 | 404 | 405 | 413,
  failure: AuthError,
  allow: readonly string[] = [],
): Promise<Handled> {
  // Anyone can send such requests, as often as they like: no reason to fill the log.
  config.logger.debug(failure.message)
  const { rejectRequest } = await import('./reject-request.ts')
  const response = await rejectRequest(config, request, status, allow)
  return { response, failure }
}

/** `HEAD` is `GET` without its body, except where answering uses something up. */
function methodOf(request: SentRequest, action: Target['action']): 'GET' | 'POST' | null {
  if (request.method === 'GET' || request.method === 'POST') return request.method
  return request.method === 'HEAD' && ENDPOINTS[action].head ? 'GET' : null
}

function notFound({ pathname }: URL): UnknownAction {
  return new UnknownAction(`There is no endpoint at ${pathname}.`)
}
