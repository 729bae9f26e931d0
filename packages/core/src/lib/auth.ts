import { type AuthConfig, raw } from './config/options.ts'
import { type Platform, type Resolution, resolveConfig } from './config/resolve.ts'
import { type ResolvedConfig, siteFor } from './config/resolved.ts'
import { JWTSessionError } from './errors.ts'
import { type CheckedSession, checkSession } from './flows/read-session.ts'
import { asThrown, handle, unknownSession } from './handle.ts'
import { serializeCookie } from './http/cookies.ts'
import { isSecure } from './http/origin.ts'
import type { Outgoing } from './http/outgoing.ts'
import { type RequestHeaders, readHeader } from './http/read-header.ts'
import {
  type ResponseInternal,
  toClientResponse,
  toInternal,
  toResponse,
} from './http/to-response.ts'
import type { Awaitable, JWT, Session } from './model.ts'

/** What is needed of a request to know who sent it. A `Request` has it, and so has Node's. */
export interface SessionRequest {
  readonly headers: RequestHeaders
  /** The full URL where it is known. Decides whether the cookies of HTTPS are looked for. */
  readonly url?: string | undefined
}

/** A session, and the cookies that keep it alive. */
export interface RenewedSession<Sess> {
  readonly session: Sess | null
  /** Values for `Set-Cookie` headers. Empty unless the session was due, or has changed or ended. */
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
}

/**
 * Sets the library up for one application. The configuration is resolved here, once; what is wrong
 * with it is reported when it is first used, so that importing a module never fails.
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
export function createAuth<Token = JWT, Sess = Session>(
  config: AuthConfig<Token, Sess>,
  platform?: Platform,
): AuthInstance<Sess> {
  // The two types say what the application's own callbacks exchange; the engine passes it through.
  const resolution = resolveConfig(config as unknown as AuthConfig, platform)
  return {
    handle: request => respond(resolution, request),
    async getSession(request) {
      const { session } = await check(resolution, request, false)
      return session as Sess | null // what the application's own session callback returned
    },
    async renewSession(request) {
      const { session, cookies } = await check(resolution, request, true)
      return { session: session as Sess | null, setCookies: cookies.map(serializeCookie) } // as above
    },
  }
}

/**
 * Answers one request. Convenient where the configuration is at hand; {@link createAuth} says what
 * it does. With `raw`, resolves with plain data and throws failures.
 *
 * @example
 * ```ts
 * import { Auth, type AuthConfig } from '@siteauth/core'
 *
 * export const config: AuthConfig = { providers: [] }
 *
 * export function respond(request: Request): Promise<Response> {
 *   return Auth(request, config)
 * }
 * ```
 */
export function Auth(
  request: Request,
  config: AuthConfig & { raw: typeof raw },
): Promise<ResponseInternal>
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>): Promise<Response>
export async function Auth(
  request: Request,
  config: AuthConfig,
): Promise<Response | ResponseInternal> {
  const resolution = resolutionOf(config)
  if (config.raw !== raw || isClientMode(request)) return respond(resolution, request)
  const { answer, failure } = await handle(resolution, request)
  if (failure !== undefined) throw asThrown(failure)
  return toInternal(answer)
}

/** Answers a request to one of the endpoints as the web does, whatever goes wrong. */
export async function respond(resolution: Resolution, request: Request): Promise<Response> {
  const { answer } = await handle(resolution, request)
  const response = write(resolution, request, answer)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

function write({ frame }: Resolution, request: Request, answer: Outgoing): Response {
  try {
    return isClientMode(request) ? toClientResponse(answer) : toResponse(answer)
  } catch (error) {
    // All answers are ours but one: what the session callback returned, which may not be JSON.
    const message = 'What the session callback returned cannot be written as JSON.'
    frame.logger.error(new JWTSessionError(message, { cause: error }))
    return toResponse(unknownSession)
  }
}

/** A script that cannot follow redirects says so by this header, whatever its value. */
function isClientMode(request: Request): boolean {
  return request.headers.has('x-auth-return-redirect')
}

function check(
  resolution: Resolution,
  { headers, url }: SessionRequest,
  renew: boolean,
): Awaitable<CheckedSession> {
  const config = usable(resolution)
  const header = (name: string) => readHeader(headers, name)
  const secure = isSecure(config.origin, { header, protocol: url ?? '' })
  return checkSession(config, siteFor(config, secure), header('cookie'), renew)
}

function usable({ frame, config, faults }: Resolution): ResolvedConfig {
  if (config) return config
  for (const fault of faults) frame.logger.error(fault)
  throw faults[0]
}

// Keyed by the very object, and dropped with it: two configurations never meet here.
const resolutions = new WeakMap<object, { readonly seen: AuthConfig; readonly made: Resolution }>()

/** Resolves a configuration object once, and again where one of its members was replaced since. */
function resolutionOf(config: AuthConfig): Resolution {
  const kept = resolutions.get(config)
  if (kept && isSame(kept.seen, config)) return kept.made
  const made = resolveConfig(config)
  resolutions.set(config, { seen: { ...config }, made })
  return made
}

function isSame(seen: AuthConfig, now: AuthConfig): boolean {
  const names = Object.keys(now)
  return (
    names.length === Object.keys(seen).length &&
    names.every(name => Reflect.get(seen, name) === Reflect.get(now, name))
  )
}
