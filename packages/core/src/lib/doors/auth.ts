import { isLater, type Lazy, lazily } from '../base/awaitable.ts'
import type { Awaitable, JWT, Session } from '../base/model.ts'
import type { SeenSession } from '../base/session-types.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/load-config.ts'
import type { AuthConfig } from '../config/options.ts'
import { type ResolvedConfig, type SessionConfig, schemeFor } from '../config/resolved.ts'
import type { Platform } from '../config/sources.ts'
import type { ListedSession } from '../devices/listed-session.ts'
import type { AccessToken, AccessTokenWish } from '../flows/access-token.ts'
import type {
  ListedAccount,
  NamedAccount,
  UnlinkedAccount,
  UnlinkWish,
} from '../flows/own-accounts.ts'
import type { EndedAnswer } from '../flows/own-sessions.ts'
import { checkSession } from '../flows/read-session.ts'
import type { SetCookie } from '../http/cookies.ts'
import { isSecure, type RequestHeaders, readHeader } from '../http/request-headers.ts'
import type { PublicProvider } from '../providers/provider.ts'
import type { ReadOptions } from '../session/store.ts'
import type { CheckedSession } from '../steps/settle-session.ts'
import type { SignInWish, SignOutWish } from './calls.ts'
import type {
  ChangedPassword,
  ChosenPassword,
  PasswordLinkWish,
  RemovedPassword,
} from './password-calls.ts'

/** The parts of a request that say who sent it. A `Request` will do, and so will Node's. */
export interface SessionRequest {
  readonly headers: RequestHeaders
  /** The full URL, if known. Decides whether to look for the HTTPS cookies. */
  readonly url?: string | undefined
}

/** A session, and the cookies that keep it alive. */
export interface RenewedSession<Sess> {
  readonly session: Sess | null
  /**
   * Values for `Set-Cookie` headers. Empty unless the session was due, or has changed or ended. A
   * response that carries them must be `Cache-Control: private, no-store`, or caches would hand the
   * session to strangers.
   */
  readonly setCookies: readonly string[]
}

/** Where a visitor has to go, and the cookies that have to go along. */
export interface Redirection {
  readonly url: string
  /** Values for `Set-Cookie` headers, on an answer that is `Cache-Control: private, no-store`. */
  readonly setCookies: readonly string[]
}

/** What became of a wish to end sessions. */
export interface EndedSessions {
  /** False where there is no such session, or nobody is signed in. */
  readonly ended: boolean
  /** Values for `Set-Cookie` headers. Empty unless the visitor's own session was ended. */
  readonly setCookies: readonly string[]
}

/** Whether the caller can send cookies. */
export interface CookieMeans {
  /**
   * False where the answer has begun already: without an adapter, tokens are in cookies, and then none is
   * refreshed. Defaults to true.
   */
  readonly canSetCookies?: boolean | undefined
}

/** An access token. */
export interface AccessTokenResult extends AccessToken {
  /**
   * Values for `Set-Cookie` headers, which have to reach the browser. Empty where there is an adapter, and
   * unless the token was refreshed.
   */
  readonly setCookies: readonly string[]
}

/** What a provider's API answered. */
export interface ProviderResponse {
  readonly response: Response
  /** As in {@link AccessTokenResult}. */
  readonly setCookies: readonly string[]
}

/** The library, set up for one application. */
export interface AuthInstance<Sess = Session> {
  /** Answers a request to one of the endpoints. */
  handle(request: Request): Promise<Response>
  /**
   * Who is signed in, or null. Throws if that is unknown: a store being down does not mean
   * "nobody".
   */
  getSession(request: SessionRequest): Promise<Sess | null>
  /** The same, if the response can carry cookies: renews the session when it is due. */
  renewSession(request: SessionRequest): Promise<RenewedSession<Sess>>
  /**
   * Signs somebody in from code of the application, such as a form that it handles itself. Resolves with
   * where to send the visitor, and the cookies that have to go along. Throws on failure: an `AuthError`.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   * import { AuthError } from '@siteauth/core/errors'
   *
   * export async function login(auth: AuthInstance, request: Request): Promise<Response> {
   *   const fields = Object.fromEntries(await request.clone().formData())
   *   try {
   *     const wish = { provider: 'credentials', fields, redirectTo: '/account' }
   *     const { url, setCookies } = await auth.signIn(request, wish)
   *     const response = new Response(null, { status: 303, headers: { location: url } })
   *     for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
   *     return response
   *   } catch (error) {
   *     if (!(error instanceof AuthError)) throw error
   *     return new Response('Wrong name or password.', { status: 401 })
   *   }
   * }
   * ```
   */
  signIn(request: SessionRequest, wish?: SignInWish): Promise<Redirection>
  /**
   * The ways to sign in, in the order of the configuration, for a sign-in page of the application's own. Where
   * several begin with an address, `lastUsed` says which one this browser signed in with last.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function buttons(auth: AuthInstance, request: Request): Promise<string[]> {
   *   const providers = await auth.listProviders(request)
   *   const isLast = ({ lastUsed }: { lastUsed?: true }) => Number(lastUsed ?? false)
   *   return providers.toSorted((one, other) => isLast(other) - isLast(one)).map(({ name }) => name)
   * }
   * ```
   */
  listProviders(request: SessionRequest): Promise<readonly PublicProvider[]>
  /** Signs the visitor out: ends the session and removes its cookie. Throws on failure. */
  signOut(request: SessionRequest, wish?: SignOutWish): Promise<Redirection>
  /** Hands changes to the `jwt` and `session` callbacks, and resolves with what they make of them. */
  update(request: SessionRequest, changes: unknown): Promise<RenewedSession<Sess>>
  /**
   * Gives the session of this browser a new token, for when somebody may do more than before, or has a
   * new password. The old token ends within 30 seconds, so that requests that are under way still work.
   * It is renewed, but lasts no longer than `absoluteAge` allows. Null, and no cookies, where nobody is signed in.
   *
   * @example
   * ```ts
   * import { type AuthInstance, createAuth } from '@siteauth/core'
   *
   * const auth: AuthInstance = createAuth({ providers: [] })
   *
   * export async function becomeAdmin(request: Request): Promise<Response> {
   *   const { setCookies } = await auth.rotate(request)
   *   const response = new Response(null, { status: 303, headers: { location: '/admin' } })
   *   for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
   *   return response
   * }
   * ```
   */
  rotate(request: SessionRequest): Promise<RenewedSession<Sess>>
  /**
   * Signs a user out everywhere: ends every session that began before now, in every browser,
   * including copied cookies. With the `jwt` strategy, this takes a log of ended sessions, which
   * all our adapters have; see `session.revocation`.
   *
   * @example
   * ```ts
   * import { createAuth } from '@siteauth/core'
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   *
   * const auth = createAuth({ providers: [], adapter: MemoryAdapter() })
   *
   * export async function changePassword(userId: string, hash: string): Promise<void> {
   *   await storeHash(userId, hash)
   *   await auth.endUser(userId)
   * }
   * declare function storeHash(userId: string, hash: string): Promise<void> // your database
   * ```
   */
  endUser(userId: string): Promise<void>
  /**
   * The sessions of whoever is signed in, the latest seen first and at most a hundred; empty where nobody
   * is. Sessions in cookies are listed where they are tracked: see `session.track`.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function devices(auth: AuthInstance, request: Request): Promise<Response> {
   *   const sessions = await auth.listSessions(request)
   *   const headers = { 'cache-control': 'private, no-store' }
   *   return Response.json(sessions.map(({ browser, system }) => ({ browser, system })), { headers })
   * }
   * ```
   */
  listSessions(request: SessionRequest): Promise<readonly ListedSession[]>
  /**
   * Ends one session of whoever is signed in, by its handle. One of somebody else is as unknown as one that
   * does not exist. If it is the visitor's own, its cookie goes.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function endDevice(auth: AuthInstance, request: Request): Promise<Response> {
   *   const form = await request.clone().formData()
   *   const { setCookies } = await auth.endSession(request, String(form.get('handle')))
   *   const response = new Response(null, { status: 303, headers: { location: '/devices' } })
   *   for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
   *   return response
   * }
   * ```
   */
  endSession(request: SessionRequest, handle: string): Promise<EndedSessions>
  /**
   * Ends all sessions of whoever is signed in but this one. Those in cookies have to be tracked: see
   * `session.track`.
   */
  endOtherSessions(request: SessionRequest): Promise<EndedSessions>
  /**
   * An access token of whoever is signed in, to call a provider's API with. Refreshes it first if it has
   * expired, or is about to: once, however many ask, also in several processes. Throws an
   * `AccessTokenError` if there is none; `code` says why. Signs nobody out.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function events(auth: AuthInstance, request: Request): Promise<Response> {
   *   const { accessToken } = await auth.getAccessToken(request, 'google', { minValidity: 120 })
   *   const headers = { authorization: `Bearer ${accessToken}` }
   *   return fetch('https://www.googleapis.com/calendar/v3/calendars/primary/events', { headers })
   * }
   * ```
   */
  getAccessToken(
    request: SessionRequest,
    provider: string,
    wish?: AccessTokenWish & CookieMeans,
  ): Promise<AccessTokenResult>
  /**
   * Asks a provider's API on behalf of whoever is signed in: adds the access token, and if the provider
   * refuses that with 401, gets another and asks once more. The URL must be your own choice: whoever
   * answers there gets the token.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function repositories(auth: AuthInstance, request: Request): Promise<unknown> {
   *   const { response } = await auth.providerFetch(request, 'github', 'https://api.github.com/user/repos')
   *   return response.json()
   * }
   * ```
   */
  providerFetch(
    request: SessionRequest,
    provider: string,
    url: string | URL,
    init?: RequestInit,
    wish?: AccessTokenWish & CookieMeans,
  ): Promise<ProviderResponse>
  /**
   * The accounts of whoever is signed in, without their tokens: at which provider, with which scopes, and
   * whether the person has to sign in with it again. Empty where nobody is signed in, or nothing is stored.
   */
  listAccounts(request: SessionRequest): Promise<readonly ListedAccount[]>
  /**
   * Removes an account from whoever is signed in, unless they could not sign in without it. One of somebody
   * else is as unknown as one that does not exist.
   *
   * @example
   * ```ts
   * import type { AuthInstance } from '@siteauth/core'
   *
   * export async function disconnect(auth: AuthInstance, request: Request): Promise<string> {
   *   const [first] = await auth.listAccounts(request)
   *   if (!first) return 'There is nothing to disconnect.'
   *   const { unlinked, why } = await auth.unlinkAccount(request, first)
   *   return unlinked ? 'Disconnected.' : `Not disconnected: ${why}`
   * }
   * ```
   */
  unlinkAccount(
    request: SessionRequest,
    account: NamedAccount,
    wish?: UnlinkWish,
  ): Promise<UnlinkedAccount>
  /** What pages of the application's own do with passwords, where there is a `Password` provider. */
  readonly passwords: PasswordCalls
}

/**
 * Passwords, for pages of the application's own. Each resolves with where to send the visitor and the cookies
 * that have to go along, and throws on failure: a `PasswordRefused` says by its `code` why a password is not
 * taken.
 *
 * @example
 * ```ts
 * import type { AuthInstance } from '@siteauth/core'
 * import { PasswordRefused } from '@siteauth/core/errors'
 *
 * export async function change(auth: AuthInstance, request: Request): Promise<Response> {
 *   const form = await request.clone().formData()
 *   const changed = { current: form.get('current'), password: form.get('password') }
 *   try {
 *     const { url, setCookies } = await auth.passwords.change(request, changed)
 *     const response = new Response(null, { status: 303, headers: { location: url } })
 *     for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
 *     return response
 *   } catch (error) {
 *     if (!(error instanceof PasswordRefused)) throw error
 *     return new Response(error.code, { status: 422 })
 *   }
 * }
 * ```
 */
export interface PasswordCalls {
  /** Sends a link to choose a password by. Everybody gets the same answer, known or not. */
  ask(request: SessionRequest, wish: PasswordLinkWish): Promise<Redirection>
  /** Stores the password that somebody has chosen behind a link, signs them in, and out everywhere else. */
  choose(request: SessionRequest, chosen: ChosenPassword): Promise<Redirection>
  /** Replaces the password of whoever is signed in, and signs them out everywhere else. */
  change(request: SessionRequest, changed: ChangedPassword): Promise<Redirection>
  /** Removes the password of whoever is signed in, unless it is their only way in. */
  remove(request: SessionRequest, removed: RemovedPassword): Promise<Redirection>
}

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
 *   return new Response(`Hello, ${session?.user?.name ?? 'stranger'}`)
 * }
 * ```
 */
export function createAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: AuthConfig<Token, Sess, Exposed>,
  platform?: Platform,
): AuthInstance<SeenSession<Sess, Exposed, Token>> {
  type Seen = SeenSession<Sess, Exposed, Token>

  // The two types say what the application's own callbacks exchange; the engine passes it through.
  const loader = loadConfig(copyOptions(config as unknown as AuthConfig), platform)

  async function complete(): Promise<ResolvedConfig> {
    const { demandConfig } = await import('../config/resolve.ts')
    return demandConfig(await loader.complete())
  }

  async function receive({ headers, url }: SessionRequest) {
    const calls = await import('./calls.ts')
    const config = await complete()
    return { calls, config, incoming: calls.receiveRequest(config, headers, url) }
  }

  type PasswordDoor = typeof import('./password-calls.ts')

  async function aboutPasswords<Name extends keyof PasswordDoor>(
    request: SessionRequest,
    name: Name,
    wish: Parameters<PasswordDoor[Name]>[2],
  ): Promise<Redirection> {
    const { calls, config, incoming } = await receive(request)
    const door = await import('./password-calls.ts')
    // Sound: the wish has the type that this very function takes.
    const call = door[name] as (
      ...given: [ResolvedConfig, typeof incoming, typeof wish]
    ) => ReturnType<PasswordDoor[Name]>
    const { to, cookies } = await call(config, incoming, wish).catch(calls.rethrow)
    return { url: to, setCookies: await written(cookies) }
  }

  return {
    async handle(request) {
      const resolved = await loader.complete()
      return endpoints(({ respond }) => respond(resolved, request))
    },
    async getSession(request) {
      const { session } = await check(loader, request, { canRenew: false })
      return session as Seen | null // what the application's own session callback returned
    },
    async renewSession(request) {
      const { session, cookies } = await check(loader, request, { canRenew: true })
      return { session: session as Seen | null, setCookies: await written(cookies) } // as above
    },
    async signIn(request, wish) {
      const { calls, config, incoming } = await receive(request)
      const { to, cookies } = await calls.signIn(config, incoming, wish).catch(calls.rethrow)
      return { url: to, setCookies: await written(cookies) }
    },
    async listProviders(request) {
      const { calls, config, incoming } = await receive(request)
      return calls.listProviders(config, incoming)
    },
    async signOut(request, wish) {
      const { calls, config, incoming } = await receive(request)
      const { to, cookies } = await calls.signOut(config, incoming, wish).catch(calls.rethrow)
      return { url: to, setCookies: await written(cookies) }
    },
    async update(request, changes) {
      const { calls, config, incoming } = await receive(request)
      const { body, cookies } = await calls.update(config, incoming, changes).catch(calls.rethrow)
      return { session: body as Seen | null, setCookies: await written(cookies) } // as above
    },
    async rotate(request) {
      const { calls, config, incoming } = await receive(request)
      const { body, cookies } = await calls.rotate(config, incoming).catch(calls.rethrow)
      return { session: body as Seen | null, setCookies: await written(cookies) } // as above
    },
    async endUser(userId) {
      const { endUser } = await import('../flows/end-user.ts')
      await endUser(await complete(), userId)
    },
    async listSessions(request) {
      const { calls, config, incoming } = await receive(request)
      return calls.listSessions(config, incoming)
    },
    async endSession(request, handle) {
      const { calls, config, incoming } = await receive(request)
      return told(await calls.endSession(config, incoming, handle).catch(calls.rethrow))
    },
    async endOtherSessions(request) {
      const { calls, config, incoming } = await receive(request)
      return told(await calls.endOtherSessions(config, incoming).catch(calls.rethrow))
    },
    async getAccessToken(request, provider, wish) {
      const { calls, config, incoming } = await receive(request)
      const { body, cookies } = await calls
        .getAccessToken(config, incoming, provider, wish, meansOf(wish))
        .catch(rethrowWithCookies)
      return { ...body, setCookies: await written(cookies) }
    },
    async providerFetch(request, provider, url, init, wish) {
      const { calls, config, incoming } = await receive(request)
      const { response, cookies } = await calls
        .providerFetch(config, incoming, { provider, url, init, wish }, meansOf(wish))
        .catch(rethrowWithCookies)
      return { response, setCookies: await written(cookies) }
    },
    async listAccounts(request) {
      const { calls, config, incoming } = await receive(request)
      return calls.listAccounts(config, incoming)
    },
    async unlinkAccount(request, account, wish) {
      const { calls, config, incoming } = await receive(request)
      const answer = calls.unlinkAccount(config, incoming, account, wish)
      return (await answer.catch(calls.rethrow)).body
    },
    passwords: {
      ask: (request, wish) => aboutPasswords(request, 'askForPassword', wish),
      choose: (request, chosen) => aboutPasswords(request, 'choosePassword', chosen),
      change: (request, changed) => aboutPasswords(request, 'changePassword', changed),
      remove: (request, removed) => aboutPasswords(request, 'removePassword', removed),
    },
  }
}

/** Runs what answers requests to the endpoints: most requests only ask who they are from. */
export const endpoints: Lazy<typeof import('./respond.ts')> = lazily(() => import('./respond.ts'))
async function told({ body, cookies }: EndedAnswer): Promise<EndedSessions> {
  return { ...body, setCookies: await written(cookies) }
}

function meansOf({ canSetCookies = true }: CookieMeans = {}): { readonly canSetCookies: boolean } {
  return { canSetCookies }
}

/** Throws what a call failed with, and with it the cookies that should go along. */
async function rethrowWithCookies(error: unknown): Promise<never> {
  const { asFailure, asThrown } = await import('../steps/failure.ts')
  const { AccessTokenError } = await import('../base/errors.ts')
  const { reason, cookies } = asFailure(error)
  if (reason instanceof AccessTokenError) reason.setCookies = await written(cookies)
  throw asThrown(reason)
}

const writing = lazily(() => import('../http/cookie-text.ts'))

function written(cookies: readonly SetCookie[]): Awaitable<readonly string[]> {
  return cookies.length === 0 ? [] : writing(text => cookies.map(text.serializeCookie))
}

function check(
  loader: ConfigLoader,
  request: SessionRequest,
  how: ReadOptions,
): Awaitable<CheckedSession> {
  const sessions = loader.sessions()
  return isLater(sessions)
    ? sessions.then(config => checkBy(config, request, how))
    : checkBy(sessions, request, how)
}

function checkBy(
  config: SessionConfig,
  { headers, url }: SessionRequest,
  how: ReadOptions,
): Awaitable<CheckedSession> {
  const header = (name: string) => readHeader(headers, name)
  const secure = isSecure(config.origin, { header, protocol: url ?? '' })
  return checkSession(config, schemeFor(config, { secure }), header('cookie'), how)
}
