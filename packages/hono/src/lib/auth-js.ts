import type { AuthConfig as CoreConfig } from '@siteauth/core'
import { isAuthError } from '@siteauth/core/errors'
import { createIntegration, type Integration } from '@siteauth/core/integration'
import { decideAccess, limiterInMemory, type OpenLimiter } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { Session, User } from '@siteauth/core/types'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { createFrameworkAdapter, type HonoFrameworkAdapter } from './framework-adapter.ts'

// What `@hono/auth-js` calls things, so that an application written for it only swaps the package.

/** What an application decides. */
export interface AuthConfig extends Omit<CoreConfig, 'raw'> {}

/** Returns the configuration for a request. Return the same object each time: it is then read once. */
export type ConfigHandler = (c: Context) => AuthConfig | Promise<AuthConfig>

/** The variables that are read. */
export interface AuthEnv {
  AUTH_URL?: string
  AUTH_SECRET: string
  AUTH_REDIRECT_PROXY_URL?: string
  [key: string]: string | undefined
}

/** Who is signed in. */
export interface AuthUser {
  session: Session
  /** What is in the session's cookie, unless sessions are in a database. */
  token?: JWT
  /** Whose session it is, where sessions are in a database: what the session shows of them. */
  user?: User
}

/** A configuration, set up. */
interface Application {
  readonly framework: HonoFrameworkAdapter
  readonly integration: Integration<Context, Session, Response>
  readonly tokens: WeakMap<Session, JWT>
}

const applications = new WeakMap<object, Application>()
const applicationsOf = new WeakMap<Context, Application>()

/**
 * Configures what is mounted behind it. For applications written for `@hono/auth-js`; new ones use `SiteAuth`.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { authHandler, initAuthConfig, verifyAuth } from '@siteauth/hono'
 * import { Hono } from 'hono'
 *
 * const config = { providers: [GitHub] }
 *
 * const app = new Hono()
 * app.use('*', initAuthConfig(() => config))
 * app.use('/api/auth/*', authHandler())
 * app.use('/api/*', verifyAuth())
 * app.get('/api/me', c => c.json(c.get('authUser').session.user))
 *
 * export default app
 * ```
 */
export function initAuthConfig(cb: ConfigHandler): MiddlewareHandler {
  const openLimiter = limiterInMemory()
  return async (c, next) => {
    const config = await cb(c)
    const application = applications.get(config) ?? createApplication(config, openLimiter)
    applications.set(config, application)
    applicationsOf.set(c, application)
    c.set('authConfig', config)
    return application.framework.respondAfter(c, next)
  }
}

/** Answers requests to the endpoints. They are at `/api/auth`, unless `basePath` or `AUTH_URL` says otherwise. */
export function authHandler(): MiddlewareHandler {
  return (c, next) => {
    const { framework, integration } = requireApplication(c)
    return framework.respondAfter(c, next, () => integration.handle(c))
  }
}

/**
 * Lets only those pass who are signed in, and puts them on the context as `authUser`. Others get 401, and everybody
 * 503 while the store is down.
 */
export function verifyAuth(): MiddlewareHandler {
  return (c, next) => {
    const { framework } = requireApplication(c)
    return framework.respondAfter(c, next, async () => {
      const user = await readOrDeny(c)
      if (!user || decideAccess(user.session, { allowed: true }) !== 'allow') {
        throw new HTTPException(401, { message: 'Unauthorized' })
      }
      framework.change(c, { setCookies: [], caching: 'private' })
      c.set('authUser', user)
      return undefined
    })
  }
}

/** Who is signed in, or null. Throws an `AuthError` if that is unknown. */
export async function getAuthUser(c: Context): Promise<AuthUser | null> {
  const { integration, tokens } = requireApplication(c)
  const session = await integration.calls.getSession(c)
  if (!session) return null
  const token = tokens.get(session)
  if (token) return { session, token }
  return { session, ...(session.user && { user: session.user }) }
}

/** A request as the visitor sent it, if `AUTH_URL` has the address. The endpoints do not need this. */
export function reqWithEnvUrl(req: Request, authUrl?: string): Request {
  if (!authUrl) return req
  const { protocol, host } = new URL(authUrl)
  const url = new URL(req.url)
  return new Request(`${protocol}//${host}${url.pathname}${url.search}`, req)
}

async function readOrDeny(c: Context): Promise<AuthUser | null> {
  try {
    return await getAuthUser(c)
  } catch (cause) {
    if (!isAuthError(cause)) throw cause
    throw new HTTPException(503, { message: 'Service Unavailable', cause })
  }
}

function createApplication(config: AuthConfig, openLimiter: OpenLimiter): Application {
  const framework = createFrameworkAdapter()
  const tokens = new WeakMap<Session, JWT>()
  const events: AuthConfig['events'] = {
    ...config.events,
    async session(message) {
      if (message.token) tokens.set(message.session, message.token)
      await config.events?.session?.(message)
    },
  }
  const integration = createIntegration(
    framework,
    { ...config, events },
    {
      defaultBasePath: '/api/auth',
      openLimiter,
    },
  )
  return { framework, integration, tokens }
}

function requireApplication(c: Context): Application {
  const application = applicationsOf.get(c)
  if (application) return application
  throw new TypeError(
    "initAuthConfig() must be mounted before this: app.use('*', initAuthConfig(() => config)).",
  )
}

declare module 'hono' {
  interface ContextVariableMap {
    authUser: AuthUser
    authConfig: AuthConfig
  }
}
