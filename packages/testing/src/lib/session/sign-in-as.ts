import { type AuthConfig, createAuth, type Env } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import type { Account, Callbacks, LoggerInstance, Profile, User } from '@siteauth/core/types'
import { type ProductionOption, rejectProduction } from '../reject-production.ts'
import { findOrStoreUser } from './find-or-store-user.ts'
import { readSetCookie, type TestCookie } from './test-cookie.ts'

/**
 * The configuration of an application: of core, of Express or of Next. Whatever decides about sessions
 * counts; `providers` are not used. With sessions in cookies, the secret alone may do.
 */
export type TestedConfig = Partial<Omit<AuthConfig, 'callbacks'>> & {
  callbacks?: object | undefined
}

/** How somebody is signed in by {@link signInAs}. */
export interface SignInAsOptions extends ProductionOption {
  /** Where the application is. Defaults to `AUTH_URL`, or `http://localhost:3000`. */
  url?: string | undefined
  /** When the session begins. Defaults to now, by `ports.now` of the configuration. */
  at?: Date | undefined
  /** Whether the cookie outlasts the browser. Defaults to `session.remember`. */
  remember?: boolean | undefined
  /** What the `jwt` callback is told of the account. Defaults to one of a provider `testing`. */
  account?: Account | undefined
  /** What the `jwt` callback is told of the profile, as after a sign-in with OAuth. */
  profile?: Profile | undefined
  /** The variables of the application, if they are not those of this process: `AUTH_SECRET`, `AUTH_URL`. */
  env?: Env | undefined
}

/** A browser that is signed in, as far as cookies go. */
export interface SignedInBrowser {
  /** For Playwright: `context.addCookies(cookies)`, or `storageState: { cookies, origins: [] }`. */
  readonly cookies: TestCookie[]
  /** For `fetch`, supertest, `new Request` and the like. */
  readonly headers: { readonly cookie: string }
}

/**
 * Signs somebody in without a form: makes the session that a sign-in with this configuration would make, and
 * resolves with its cookies. They are as good as any: the application renews them, and can end the session.
 *
 * With an adapter, the user is looked up by id and by address, and stored if there is none. The `jwt`
 * callback runs as at every sign-in; the `signIn` callback and the events do not.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import { signInAs } from '@siteauth/testing'
 * import { expect, it } from 'vitest'
 *
 * const config = { secret: crypto.randomUUID(), trustHost: true, providers: [] }
 * const auth = createAuth(config)
 *
 * it('knows who is there', async () => {
 *   const { headers } = await signInAs(config, { id: '1', name: 'Ada' })
 *   const session = await auth.getSession(new Request('http://localhost:3000/', { headers }))
 *   expect(session?.user?.name).toBe('Ada')
 * })
 * ```
 */
export async function signInAs(
  config: TestedConfig,
  user: User,
  options: SignInAsOptions = {},
): Promise<SignedInBrowser> {
  rejectProduction('signInAs', options)
  const { env = process.env, at } = options
  const url = options.url ?? env['AUTH_URL'] ?? 'http://localhost:3000'
  const stored = await findOrStoreUser(config.adapter, user)
  const { raw: _, ...rest } = config
  const auth = createAuth(
    {
      ...rest,
      providers: [Credentials({ id: 'testing', credentials: {}, authorize: () => stored })],
      callbacks: callbacksOf(config, options),
      events: {},
      limits: false,
      trustHost: true,
      logger: SILENT, // what goes wrong is thrown
      ports: { ...config.ports, ...(at && { now: () => at.getTime() }) },
    },
    { env },
  )
  const { remember } = options
  const request = { headers: {}, url }
  await auth.signIn(request, 'testing', { remember })
  const setCookies = auth.takeSetCookies(request)
  const cookies = setCookies.map(line => readSetCookie(line, url)).filter(isOfSession)
  if (cookies.length === 0) {
    throw new Error('The jwt callback wants no session for this user, so there is no cookie.')
  }
  return { cookies, headers: { cookie: cookies.map(pairOf).join('; ') } }
}

/** Those that decide what is in a session. Where people go, and whether they may, has been decided. */
function callbacksOf(
  { callbacks = {} }: TestedConfig,
  { account, profile }: SignInAsOptions,
): Partial<Callbacks> {
  const { jwt, session } = callbacks as Partial<Callbacks> // of whatever types the application has
  return {
    ...(session && { session }),
    ...(jwt && {
      jwt: params => {
        const isSignIn = params.trigger === 'signIn'
        return jwt({
          ...params,
          ...(isSignIn && { ...(account && { account }), ...(profile && { profile }) }),
        })
      },
    }),
  }
}

const SILENT: LoggerInstance = { error() {}, warn() {}, debug() {} }

/** There is another that tells open tabs of the change. */
function isOfSession({ name, value }: TestCookie): boolean {
  return value !== '' && !name.endsWith('siteauth.changed')
}

function pairOf({ name, value }: TestCookie): string {
  return `${name}=${value}`
}
