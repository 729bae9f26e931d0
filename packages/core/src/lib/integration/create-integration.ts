import { type AuthCalls, CALLS, type CallName, isUserCall } from '../api/auth-calls.ts'
import { deriveCalls } from '../api/derive-calls.ts'
import type { CallContext } from '../api/run-call.ts'
import { lazily } from '../base/awaitable.ts'
import type { JWT, Session } from '../base/model.ts'
import type { SeenSession } from '../base/session-types.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/load-config.ts'
import type { AuthConfig } from '../config/options.ts'
import { type ResolvedConfig, type SessionConfig, schemeFor } from '../config/resolved-config.ts'
import { type Whereabouts, whereaboutsOf } from '../config/site-address.ts'
import type { Platform } from '../config/sources.ts'
import { checkSession } from '../flows/session/read-session.ts'
import { PRIVATE } from '../http/cache-control.ts'
import type { SetCookie } from '../http/cookies.ts'
import { hasMalformedHost } from '../http/host-header.ts'
import { parsePath } from '../http/parse-path.ts'
import { prefersPage } from '../http/prefers-html.ts'
import type { SentHeaders, SentRequest } from '../http/request.ts'
import { isSecure } from '../http/request-headers.ts'
import type { WireAnswer } from '../http/write-response.ts'
import { type Denial, decideAccess, isAllowed } from './decide-access.ts'
import { readExemptions } from './exemptions.ts'
import type { Host } from './framework-adapter.ts'
import type {
  Bound,
  BoundConfig,
  FrontGuarded,
  FrontGuardOptions,
  Guarded,
  GuardOptions,
  Refusal,
} from './integration.ts'
import type { GuardedRequest } from './sign-in-location.ts'

// Most requests only ask who they are from.
const endpoints = lazily(() => import('../endpoints/respond.ts'))
const denying = lazily(() => import('./to-denial.ts'))
const running = () => import('../api/run-call.ts')

/**
 * Sets up the library in a framework, for one application: from what the framework says about itself follow the
 * endpoints, sessions, guards and all that an application calls.
 *
 * @example
 * ```ts
 * import { bind, type Host, pendingChanges, toResponse } from '@siteauth/core/integration'
 * import GitHub from '@siteauth/core/providers/github'
 *
 * const changes = pendingChanges<Request>()
 * const host: Host<Request, Response> = {
 *   request: request => request,
 *   change: changes.add,
 *   answer: (_request, answer) => toResponse(answer),
 * }
 * const auth = bind(host, { providers: [GitHub] })
 *
 * export async function respond(request: Request): Promise<Response> {
 *   if (auth.answersItself(request)) return auth.handle(request)
 *   const { session, refusal } = await auth.guard(request)
 *   if (refusal) return refusal.answer
 *   return changes.applyTo(request, new Response(`Hello, ${session.user?.name}`))
 * }
 * ```
 */
export function bind<
  Context extends object,
  Answer,
  Token = JWT,
  Sess = Session,
  Exposed extends string = never,
  Redirected = Answer,
>(
  host: Host<Context, Answer, Redirected>,
  config: BoundConfig<Context, Token, Sess, Exposed>,
  platform: Omit<Platform, 'env'> = {},
): Bound<Context, SeenSession<Sess, Exposed, Token>, Answer, Redirected> {
  type Seen = SeenSession<Sess, Exposed, Token>

  const states = new WeakMap<object, RequestState>()
  let known: Application | undefined

  function applicationOf(context: Context | undefined): Application {
    known ??= createApplication(
      // The types say what the application's own callbacks exchange; the engine passes it through.
      configFor(context) as unknown as AuthConfig,
      { ...platform, ...withEnv(context && host.env?.(context)) },
    )
    return known
  }

  function configFor(context: Context | undefined): AuthConfig<Token, Sess, Exposed> {
    if (typeof config !== 'function') return config
    if (context) return config(context)
    throw new TypeError(
      'The configuration is made of a request, and none has come yet. Pass the context of one.',
    )
  }

  function stateOf(context: Context): RequestState {
    const key = host.key?.(context) ?? context
    const found = states.get(key)
    if (found) return found
    const state: RequestState = {}
    states.set(key, state)
    return state
  }

  /** The request with the cookies that the browser will send from now on. */
  function calledRequest(context: Context): CalledRequest {
    const { url, method, headers, sender } = host.request(context)
    const { cookieHeader } = stateOf(context)
    return { url: new URL(url), method, headers: withCookies(headers, cookieHeader), sender }
  }

  async function setCookies(
    context: Context,
    cookies: readonly SetCookie[],
    isOutdated?: (state: RequestState) => boolean,
  ): Promise<void> {
    if (cookies.length === 0) return
    const { changedCookies, serializeCookie } = await import('../http/cookie-text.ts')
    const state = stateOf(context)
    if (isOutdated?.(state)) return
    const before = state.cookieHeader ?? host.request(context).headers.get('cookie')
    state.cookieHeader = changedCookies(before, cookies)
    host.change(context, { setCookies: cookies.map(serializeCookie), caching: 'never' })
  }

  async function read(context: Context, sessions: SessionConfig): Promise<Session | null> {
    const { headers, url: protocol } = host.request(context)
    const header = (name: string) => headers.get(name)
    const scheme = schemeFor(sessions, { secure: isSecure(sessions.origin, { header, protocol }) })
    const { cookieHeader } = stateOf(context)
    const cookies = cookieHeader ?? header('cookie')
    // A row must not be renewed without its cookie; a cookie that comes too late is no harm.
    const canRenew = !host.hasBegun?.(context)
    const checked = await checkSession(sessions, scheme, cookies, { canRenew })
    // Somebody who signed out meanwhile would be signed in again.
    const isOutdated = (state: RequestState) => state.cookieHeader !== cookieHeader
    if (canRenew) await setCookies(context, checked.cookies, isOutdated)
    return checked.session
  }

  async function session(context: Context): Promise<Seen | null> {
    const sessions = await applicationOf(context).loader.sessions()
    const state = stateOf(context)
    const now = sessions.now()
    if (!state.read || !isFresh(state.read, now) || host.hasBegun?.(context)) {
      state.read = { at: now, session: read(context, sessions) }
    }
    return (await state.read.session) as Seen | null // what the application's own callback returned
  }

  /** Makes a call of the list. */
  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (isUserCall(name)) {
      const last = args.at(-1)
      const context = typeof last === 'object' && last !== null ? (last as Context) : undefined // comes last
      const [{ runUserCall }, config] = await Promise.all([running(), complete(context)])
      return runUserCall(name, config, args)
    }
    const [context, ...rest] = args as [Context, ...unknown[]] // as the list declares
    if (name === 'getSession') return session(context)
    const [{ runCall }, config] = await Promise.all([running(), complete(context)])
    const value = await runCall(name, await callContext(context, config), rest)
    return CALLS[name].result === 'url' ? redirectTo(context, String(value)) : value
  }

  async function complete(context: Context | undefined): Promise<ResolvedConfig> {
    const { demandConfig } = await import('../config/resolve-config.ts')
    return demandConfig(await applicationOf(context).loader.complete())
  }

  async function callContext(context: Context, config: ResolvedConfig): Promise<CallContext> {
    const { receiveCall } = await import('../api/calls.ts')
    const { url, headers, sender } = calledRequest(context)
    const { protocol, host: name } = url
    return {
      config,
      incoming: receiveCall(config, { headers, protocol, host: name, sender }),
      whyNoCookies: host.hasBegun?.(context) ? RESPONSE_HAS_BEGUN : undefined,
      async setCookies(cookies) {
        await setCookies(context, cookies)
        // Last: a read at the same time may still have seen the cookies from before.
        if (cookies.length > 0) stateOf(context).read = undefined
      },
    }
  }

  async function redirectTo(context: Context, url: string): Promise<Redirected> {
    if (host.redirect) return host.redirect(context, url, () => redirect(context, url))
    return (await redirect(context, url)) as Redirected & Answer // which are the same without `redirect`
  }

  async function redirect(context: Context, url: string): Promise<Answer> {
    const headers = { Location: url, 'Cache-Control': PRIVATE }
    return host.answer(context, { status: 303, headers, setCookies: [], body: null })
  }

  /** Answers in place of the application. */
  async function refuse(context: Context, answer: WireAnswer): Promise<Refusal<Answer>> {
    // Frameworks may answer with a page of their own, which is no less about one visitor.
    host.change(context, { setCookies: [], caching: 'never' })
    const headers = { ...answer.headers, Vary: 'Accept, Cookie' }
    return { refusal: { answer: await host.answer(context, { ...answer, headers }) } }
  }

  async function guard(
    context: Context,
    options: GuardOptions<Seen> = {},
  ): Promise<Guarded<Seen, Answer>> {
    if ('except' in options) throw new TypeError(EXCEPT_IN_CALL)
    const { redirectTo, allow } = options
    if (hasMalformedHost(host.request(context).headers)) {
      return refuse(context, await denying(({ malformedHost }) => malformedHost()))
    }
    let found: Seen | null
    try {
      found = await session(context)
    } catch (error) {
      return refuse(context, await answerUnread(context, error))
    }
    const allowed = found !== null && (await isAllowed(found, allow))
    const decision = decideAccess(found, { allowed })
    if (decision !== 'allow') return refuse(context, await deny(context, decision, redirectTo))
    host.change(context, { setCookies: [], caching: 'private' })
    return { session: found as Seen } // nobody passes without one
  }

  async function deny(
    context: Context,
    denial: Denial,
    redirectTo: string | undefined,
  ): Promise<WireAnswer> {
    const { whereabouts, loader } = applicationOf(context)
    const request = guardedRequest(calledRequest(context), host.request(context).url)
    const name = host.except && { kind: host.except.names, text: host.except.nameOf(context) }
    const { denyRequest } = await import('./deny-request.ts')
    const { answer, fault } = denyRequest(whereabouts, request, denial, { redirectTo, name })
    if (fault) (await loader.complete()).logger.error(fault)
    return answer
  }

  /** The response if the session cannot be read. Other errors are the application's. */
  async function answerUnread(context: Context, error: unknown): Promise<WireAnswer> {
    const { isAuthError } = await import('../base/errors.ts')
    if (!isAuthError(error)) throw error
    const { faults, logger } = await applicationOf(context).loader.complete()
    // A fault of the configuration was logged when it was found.
    if (!faults) logger.error(error)
    const { wantsPage } = guardedRequest(calledRequest(context), '')
    return denying(({ unknownSession }) => unknownSession(wantsPage, faults ? 500 : 503))
  }

  function guardInFront({ except, ...options }: FrontGuardOptions<Seen> = {}) {
    const exemptions = readExemptions(except, host.except?.names ?? 'paths')
    return async (context: Context): Promise<FrontGuarded<Seen, Answer>> => {
      if (except === undefined) return guard(context, options)
      const { method, headers } = host.request(context)
      const isExempt = exemptions.covers(method, host.except?.nameOf(context))
      return isExempt && !hasMalformedHost(headers) ? { isExempt } : guard(context, options)
    }
  }

  return {
    basePath: context => applicationOf(context).whereabouts.paths.route,
    answersItself(context) {
      const { paths } = applicationOf(context).whereabouts
      const { url, headers } = host.request(context)
      if (hasMalformedHost(headers)) return true
      // Both paths end with the route. Most requests are for pages, and parsing a URL takes its time.
      if (!url.includes(paths.route)) return false
      return parsePath(new URL(url).pathname, [paths.public, paths.route]) !== null
    },
    async handle(context, request = host.request(context)) {
      const resolved = await applicationOf(context).loader.complete()
      return host.answer(context, await endpoints(({ answerFor }) => answerFor(resolved, request)))
    },
    guard,
    guardInFront,
    redirect,
    call,
    calls: {
      ...deriveCalls<AuthCalls<[context: Context], Redirected, Seen>>(call),
      // As it is, because most requests only need the session.
      getSession: session,
    },
  }
}

type CalledRequest = Omit<SentRequest, 'url' | 'body'> & { readonly url: URL }

/** An application, once it is known. */
interface Application {
  readonly loader: ConfigLoader
  readonly whereabouts: Whereabouts
}

function createApplication(config: AuthConfig, platform: Platform): Application {
  const loader = loadConfig(copyOptions(config), platform)
  return { loader, whereabouts: whereaboutsOf(loader.sources) }
}

function withEnv(env: Platform['env']): Pick<Platform, 'env'> {
  return env ? { env } : {}
}

/** What is remembered of a request while it lasts. */
interface RequestState {
  read?: Read | undefined
  /** The cookies that the browser will send from now on, where those differ from what it sent. */
  cookieHeader?: string
}

interface Read {
  /** When it was, in milliseconds. */
  readonly at: number
  readonly session: Promise<Session | null>
}

/** For how long a read is remembered, in milliseconds: longer than it takes to begin an answer. */
const REMEMBERED_FOR = 10_000

/** A request may stay open for hours, as a stream or a WebSocket, and the session end meanwhile. */
function isFresh({ at }: Read, now: number): boolean {
  return now >= at && now - at < REMEMBERED_FOR
}

function withCookies(headers: SentHeaders, cookies: string | undefined): SentHeaders {
  if (cookies === undefined) return headers
  const copy = new Headers([...headers])
  copy.set('cookie', cookies)
  return copy
}

function guardedRequest({ url, method, headers }: CalledRequest, sentUrl: string): GuardedRequest {
  const isScript = headers.get('x-requested-with')?.toLowerCase() === 'xmlhttprequest'
  const { protocol, host, pathname, search } = url
  const wantsPage = !isScript && prefersPage(headers.get('accept'))
  const sentPath = sentUrl.replace(/^[^:]*:\/\/[^/?#]*/, '')
  return { method, headers, protocol, host, path: pathname + search, sentPath, wantsPage }
}

const RESPONSE_HAS_BEGUN = 'Call it before the response begins.'

const EXCEPT_IN_CALL =
  'The option except is for the middleware form of requireSession. A guard that is called in a route exempts nothing: ' +
  'do not call it in the routes that everybody may see.'
