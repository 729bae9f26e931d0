import { lazily } from '../base/awaitable.ts'
import type { JWT, Session } from '../base/model.ts'
import type { SeenSession } from '../base/session-types.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/load-config.ts'
import type { AuthConfig } from '../config/options.ts'
import { type Whereabouts, whereaboutsOf } from '../config/paths.ts'
import { type ResolvedConfig, type SessionConfig, schemeFor } from '../config/resolved.ts'
import type { Platform } from '../config/sources.ts'
import { checkSession } from '../flows/read-session.ts'
import type { SetCookie } from '../http/cookies.ts'
import { hasMalformedHost } from '../http/host-header.ts'
import type { SentHeaders, SentRequest } from '../http/incoming.ts'
import { parsePath } from '../http/parse-path.ts'
import { prefersPage } from '../http/prefers-page.ts'
import { isSecure } from '../http/request-headers.ts'
import type { WireAnswer } from '../http/to-response.ts'
import type { Incoming } from '../steps/incoming.ts'
import type {
  Bound,
  BoundConfig,
  FrontGuarded,
  FrontGuardOptions,
  Guarded,
  GuardOptions,
  Refusal,
} from './bound.ts'
import { type Denial, decideAccess, isAllowed } from './decide-access.ts'
import { readExemptions } from './exemptions.ts'
import type { Host } from './host.ts'
import type { GuardedRequest } from './sign-in-location.ts'

// Most requests only ask who they are from.
const endpoints = lazily(() => import('./respond.ts'))
const denying = lazily(() => import('./to-denial.ts'))
const calling = () => import('./calls.ts')
const passwordCalling = () => import('./password-calls.ts')

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
>(
  host: Host<Context, Answer>,
  config: BoundConfig<Context, Token, Sess, Exposed>,
  platform: Omit<Platform, 'env'> = {},
): Bound<Context, SeenSession<Sess, Exposed, Token>, Answer> {
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

  /** Lets a request in on behalf of which a handler of the application calls. */
  async function receive(context: Context): Promise<[Calls, ResolvedConfig, Incoming]> {
    const { loader } = applicationOf(context)
    const [calls, { demandConfig }] = await Promise.all([calling(), import('../config/resolve.ts')])
    const complete = demandConfig(await loader.complete())
    const { url, headers, sender } = calledRequest(context)
    const { protocol, host: name } = url
    return [calls, complete, calls.receiveCall(complete, { headers, protocol, host: name, sender })]
  }

  /** Calls the engine, and puts the cookies on the answer of the application. */
  async function call<Called extends WithCookies>(
    context: Context,
    run: (calls: Calls, config: ResolvedConfig, incoming: Incoming) => Promise<Called>,
  ): Promise<Called> {
    const received = await receive(context)
    const { keepingCookies } = await import('../steps/failure.ts')
    const apply = async (cookies: readonly SetCookie[]) => {
      await setCookies(context, cookies)
      // Last: who asked meanwhile was told of the cookies before.
      if (cookies.length > 0) stateOf(context).read = undefined
    }
    return keepingCookies(() => run(...received), apply)
  }

  async function aboutPasswords(
    context: Context,
    run: (
      door: typeof import('./password-calls.ts'),
      config: ResolvedConfig,
      incoming: Incoming,
    ) => Promise<WithCookies & { readonly to: string }>,
  ): Promise<string> {
    const door = await passwordCalling()
    return (await call(context, (_, config, incoming) => run(door, config, incoming))).to
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

  const canSetCookies = (context: Context) => ({ canSetCookies: !host.hasBegun?.(context) })

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
    session,
    guard,
    guardInFront,
    async signIn(context, wish) {
      return (await call(context, ({ signIn }, ...given) => signIn(...given, wish))).to
    },
    async signOut(context, wish) {
      return (await call(context, ({ signOut }, ...given) => signOut(...given, wish))).to
    },
    async redirect(context, url) {
      const { PRIVATE } = await import('../http/private-answer.ts')
      const headers = { Location: url, 'Cache-Control': PRIVATE }
      return host.answer(context, { status: 303, headers, setCookies: [], body: null })
    },
    calls: {
      async update(context, changes) {
        const { body } = await call(context, ({ update }, ...given) => update(...given, changes))
        return body as Seen | null // as above
      },
      async rotate(context) {
        const { body } = await call(context, ({ rotate }, ...given) => rotate(...given))
        return body as Seen | null // as above
      },
      async listProviders(context) {
        const [calls, ...given] = await receive(context)
        return calls.listProviders(...given)
      },
      async listSessions(context) {
        const [calls, ...given] = await receive(context)
        return calls.listSessions(...given)
      },
      async endSession(context, handle) {
        return (await call(context, ({ endSession }, ...given) => endSession(...given, handle)))
          .body.ended
      },
      async endOtherSessions(context) {
        return (await call(context, ({ endOtherSessions }, ...given) => endOtherSessions(...given)))
          .body.ended
      },
      async endUser(userId, context) {
        const [{ endUser }, { demandConfig }] = await Promise.all([
          import('../flows/end-user.ts'),
          import('../config/resolve.ts'),
        ])
        await endUser(demandConfig(await applicationOf(context).loader.complete()), userId)
      },
      async getAccessToken(context, provider, wish) {
        const means = canSetCookies(context)
        return (
          await call(context, ({ getAccessToken }, ...given) =>
            getAccessToken(...given, provider, wish, means),
          )
        ).body
      },
      async providerFetch(context, request) {
        const means = canSetCookies(context)
        return (
          await call(context, ({ providerFetch }, ...given) =>
            providerFetch(...given, request, means),
          )
        ).response
      },
      async listAccounts(context) {
        const [calls, ...given] = await receive(context)
        return calls.listAccounts(...given)
      },
      async unlinkAccount(context, account, wish) {
        return (
          await call(context, ({ unlinkAccount }, ...given) =>
            unlinkAccount(...given, account, wish),
          )
        ).body
      },
      passwords: {
        ask: (context, wish) =>
          aboutPasswords(context, ({ askForPassword }, ...given) => askForPassword(...given, wish)),
        choose: (context, chosen) =>
          aboutPasswords(context, ({ choosePassword }, ...given) =>
            choosePassword(...given, chosen),
          ),
        change: (context, changed) =>
          aboutPasswords(context, ({ changePassword }, ...given) =>
            changePassword(...given, changed),
          ),
        remove: (context, removed) =>
          aboutPasswords(context, ({ removePassword }, ...given) =>
            removePassword(...given, removed),
          ),
      },
    },
  }
}

type Calls = typeof import('./calls.ts')

interface WithCookies {
  readonly cookies: readonly SetCookie[]
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

const EXCEPT_IN_CALL =
  'The option except is for the middleware form of requireSession. A guard that is called in a route exempts nothing: ' +
  'do not call it in the routes that everybody may see.'
