import { isLater } from '../base/is-later.ts'
import { lazily } from '../base/lazily.ts'
import type { Awaitable, JWT, Session } from '../base/model.ts'
import type { SeenSession } from '../base/session-types.ts'
import type { Platform } from '../config/basis.ts'
import { copyOf } from '../config/copy-of.ts'
import type { AuthConfig } from '../config/options.ts'
import { type Prepared, prepareConfig, sessionsOf } from '../config/prepare.ts'
import { type ResolvedConfig, type SessionConfig, siteFor } from '../config/resolved.ts'
import { checkSession } from '../flows/read-session.ts'
import type { SetCookie } from '../http/cookies.ts'
import { isSecure } from '../http/is-secure.ts'
import { type RequestHeaders, readHeader, sentHeaders } from '../http/read-header.ts'
import type { CheckedSession } from '../steps/checked-session.ts'
import type { SignInWish, SignOutWish } from './calls.ts'
import { endpoints } from './load-endpoints.ts'

/** What is needed of a request to know who sent it. A `Request` has it, and so has Node's. */
export interface SessionRequest {
  readonly headers: RequestHeaders
  /** The full URL where it is known. Decides whether the cookies of HTTPS are looked for. */
  readonly url?: string | undefined
}

/** A session, and the cookies that keep it alive. */
export interface RenewedSession<Sess> {
  readonly session: Sess | null
  /**
   * Values for `Set-Cookie` headers. Empty unless the session was due, or has changed or ended. An answer
   * that carries them must be `Cache-Control: private, no-store`, or caches hand the session to strangers.
   */
  readonly setCookies: readonly string[]
}

/** Where a visitor has to go, and the cookies that have to go along. */
export interface Redirection {
  readonly url: string
  /** Values for `Set-Cookie` headers, on an answer that is `Cache-Control: private, no-store`. */
  readonly setCookies: readonly string[]
}

/** The library, set up for one application. */
export interface AuthInstance<Sess = Session> {
  /** Answers a request to one of the endpoints. */
  handle(request: Request): Promise<Response>
  /** Who is signed in, or null. Throws where that cannot be known: a store that is down is not "nobody". */
  getSession(request: SessionRequest): Promise<Sess | null>
  /** The same, where the answer can carry cookies: renews the session when it is due. */
  renewSession(request: SessionRequest): Promise<RenewedSession<Sess>>
  /**
   * Signs somebody in from code of the application, such as a form that it handles itself. Resolves with
   * where to send the visitor, and the cookies that have to go along. Throws on failure: an `AuthError`.
   *
   * @example
   * ```ts
   * import { AuthError, type AuthInstance } from '@siteauth/core'
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
  /** Signs the visitor out: ends the session and removes its cookie. Throws on failure. */
  signOut(request: SessionRequest, wish?: SignOutWish): Promise<Redirection>
  /** Hands changes to the `jwt` and `session` callbacks, and resolves with what they make of them. */
  update(request: SessionRequest, changes: unknown): Promise<RenewedSession<Sess>>
  /**
   * Gives the session of this browser a new token, for when somebody may do more than before, or has a
   * new password. The old token ends within 30 seconds, so that requests that are under way still work.
   * How long the session lasts stays as it was. Null, and no cookies, where nobody is signed in.
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
   * Signs a user out everywhere: every session that began before this, in every browser, also in those
   * whose cookie somebody has copied. Under the strategy `jwt` it takes a log of what was ended, which
   * all of our adapters have; see `session.revocation`.
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
}

/**
 * Sets the library up for one application. The configuration is copied here, and its parts are checked
 * once, when they are first used: so importing a module never fails, whatever is wrong with it.
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
  const prepared = prepareConfig(copyOf(config as unknown as AuthConfig), platform)

  async function complete(): Promise<ResolvedConfig> {
    const { usable } = await import('../config/usable.ts')
    return usable(await prepared.complete())
  }

  async function receive({ headers, url }: SessionRequest) {
    const calls = await import('./calls.ts')
    const config = await complete()
    const { protocol, host } = url === undefined ? { protocol: 'http:', host: '' } : new URL(url)
    const incoming = calls.receiveCall(config, { headers: sentHeaders(headers), protocol, host })
    return { calls, config, incoming }
  }

  return {
    async handle(request) {
      const resolution = await prepared.complete()
      return endpoints(({ respond }) => respond(resolution, request))
    },
    async getSession(request) {
      const { session } = await check(prepared, request, false)
      return session as Seen | null // what the application's own session callback returned
    },
    async renewSession(request) {
      const { session, cookies } = await check(prepared, request, true)
      return { session: session as Seen | null, setCookies: await written(cookies) } // as above
    },
    async signIn(request, wish) {
      const { calls, config, incoming } = await receive(request)
      const { to, cookies } = await calls.signIn(config, incoming, wish).catch(calls.rethrow)
      return { url: to, setCookies: await written(cookies) }
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
  }
}

const writing = lazily(() => import('../http/cookie-text.ts'))

function written(cookies: readonly SetCookie[]): Awaitable<readonly string[]> {
  return cookies.length === 0 ? [] : writing(text => cookies.map(text.serializeCookie))
}

function check(
  prepared: Prepared,
  request: SessionRequest,
  renew: boolean,
): Awaitable<CheckedSession> {
  const sessions = sessionsOf(prepared)
  return isLater(sessions)
    ? sessions.then(config => checkBy(config, request, renew))
    : checkBy(sessions, request, renew)
}

function checkBy(
  config: SessionConfig,
  { headers, url }: SessionRequest,
  renew: boolean,
): Awaitable<CheckedSession> {
  const header = (name: string) => readHeader(headers, name)
  const secure = isSecure(config.origin, { header, protocol: url ?? '' })
  return checkSession(config, siteFor(config, secure), header('cookie'), renew)
}
