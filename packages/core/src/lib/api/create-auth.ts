import type { Awaitable } from '../base/awaitable.ts'
import { isPromise, type Lazy, lazily } from '../base/awaitable.ts'
import type { JWT, Session } from '../base/session.ts'
import type { ExposedSession } from '../base/session-types.ts'
import type { AuthConfig } from '../config/options.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/resolution/load-config.ts'
import type { ResolvedConfig, SessionConfig } from '../config/resolved-config.ts'
import { schemeFor } from '../config/scheme.ts'
import type { Platform } from '../config/sources.ts'
import { changeResponse } from '../http/change-response.ts'
import { isSecure, readHeader } from '../http/request-headers.ts'
import type { CheckedSession } from '../principal/apply-session-cookie.ts'
import { checkSession } from '../principal/check-session.ts'
import type { ReadOptions } from '../session/store.ts'
import { type AuthCalls, type CallName, isUserCall } from './auth-calls.ts'
import type { AuthInstance, SessionRequest } from './auth-instance.ts'
import { deriveCalls } from './derive-calls.ts'
import type { CallContext } from './run-call.ts'
import { createVisits, type Visit } from './visits.ts'

/**
 * Sets up the library for one application. The configuration is copied here, and its parts are
 * checked once, when they are first used, so importing a module never fails, whatever is wrong with
 * it.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import Credentials from '@siteauth/core/providers/credentials'
 *
 * const auth = createAuth({
 *   providers: [
 *     Credentials({
 *       credentials: { password: { label: 'Password', type: 'password' } },
 *       authorize: ({ password }) => (password === 'open sesame' ? { id: '1', name: 'Ali' } : null),
 *     }),
 *   ],
 * })
 *
 * export async function respond(request: Request): Promise<Response> {
 *   if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handle(request)
 *   const session = await auth.getSession(request)
 *   return auth.applyTo(request, new Response(`Hello, ${session?.user?.name ?? 'stranger'}`))
 * }
 * ```
 */
export function createAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: AuthConfig<Token, Sess, Exposed>,
  platform?: Platform,
): AuthInstance<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  // The two types say what the application's own callbacks exchange; the engine passes it through.
  const loader = loadConfig(copyOptions(config as unknown as AuthConfig), platform)

  const visits = createVisits()

  async function complete(): Promise<ResolvedConfig> {
    const { requireConfig } = await import('../config/resolution/resolve-config.ts')
    return requireConfig(await loader.complete())
  }

  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    const { runCall, runUserCall } = await import('./run-call.ts')
    const config = await complete()
    if (isUserCall(name)) return runUserCall(name, config, args)
    const [request, ...rest] = args as [SessionRequest, ...unknown[]] // as the list declares
    if (name === 'getSession') return getSession(request)
    const { receiveRequest } = await import('./calls.ts')
    const visit = visits.of(request)
    const context: CallContext = {
      config,
      incoming: receiveRequest(config, request, visit.cookieHeader),
      noCookiesReason: visit.isOver ? IS_OVER : undefined,
      setCookies: cookies => visits.setCookies(request, cookies),
    }
    return runCall(name, context, rest)
  }

  async function getSession(request: SessionRequest): Promise<Seen | null> {
    const { cookieHeader, isOver } = visits.read(request)
    // A row must not be renewed without its cookie.
    const options = { canRenew: !isOver }
    const { session, cookies } = await check(loader, request, cookieHeader, options)
    // A call at the same time may have ended or replaced the session.
    const isOutdated = (visit: Visit) => visit.cookieHeader !== cookieHeader
    if (cookies.length > 0 && !isOver) await visits.setCookies(request, cookies, isOutdated)
    return session as Seen | null // what the application's own session callback returned
  }

  return {
    ...deriveCalls<AuthCalls<[request: SessionRequest], string, Seen>>(call),
    getSession,
    async handle(request) {
      const resolved = await loader.complete()
      return endpoints(({ respond }) => respond(resolved, request))
    },
    takeSetCookies: visits.take,
    applyTo(request, response) {
      const setCookies = visits.take(request)
      return setCookies.length > 0
        ? changeResponse(response, { setCookies, caching: 'never' })
        : response
    },
  }
}

const IS_OVER =
  'Call it before `applyTo` or `takeSetCookies`, which hand out the cookies of a request.'

/** Runs code that answers requests to the endpoints: most requests only need the session. */
export const endpoints: Lazy<typeof import('../endpoints/respond.ts')> = lazily(
  () => import('../endpoints/respond.ts'),
)

function check(
  loader: ConfigLoader,
  request: SessionRequest,
  cookieHeader: string | undefined,
  options: ReadOptions,
): Awaitable<CheckedSession> {
  const sessions = loader.sessions()
  return isPromise(sessions)
    ? sessions.then(config => checkBy(config, request, cookieHeader, options))
    : checkBy(sessions, request, cookieHeader, options)
}

function checkBy(
  config: SessionConfig,
  { headers, url }: SessionRequest,
  cookieHeader: string | undefined,
  options: ReadOptions,
): Awaitable<CheckedSession> {
  const header = (name: string) => readHeader(headers, name)
  const secure = isSecure(config.origin, { header, protocol: url ?? '' })
  const cookies = cookieHeader ?? header('cookie')
  return checkSession(config, schemeFor(config, { secure }), cookies, options)
}
