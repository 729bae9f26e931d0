import type { Session } from '@siteauth/core/types'
import type { Auth, NextAuthRequest, SignIn, SignOut, SiteAuthResult } from '@siteauth/next'
import { type ProductionOption, refuseProduction } from '../refuse-production.ts'

/** A call of a function other than `auth`. */
export interface StandInCall {
  /** Such as `signOut` or `passwords.change`. */
  readonly name: string
  readonly given: readonly unknown[]
}

/** The options of {@link createAuthStandIn}. */
export interface AuthStandInOptions<Sess = Session> extends ProductionOption {
  /** Who is signed in. Defaults to nobody. */
  session?: Sess | null | undefined
  /** What other functions do, such as `getAccessToken`. Without, they say that they are missing. */
  answers?: Partial<Omit<SiteAuthResult<Sess>, 'auth'>> | undefined
}

/** Stands in for what `SiteAuth` returns. */
export interface AuthStandIn<Sess = Session> extends SiteAuthResult<Sess> {
  /** From now on, this is who is signed in; null for nobody. */
  become(session: Sess | null): void
  /** What was called besides `auth`, the latest last. */
  readonly calls: readonly StandInCall[]
}

/**
 * Creates a stand-in for `auth.ts` of an application: `auth()` says what the test says, wherever it is
 * called, and needs neither Next nor a secret. `signIn` and `signOut` redirect as the real ones do, by
 * throwing, and are noted in `calls`.
 *
 * @example
 * ```ts
 * import { sessionOf } from '@siteauth/testing'
 * import { createAuthStandIn } from '@siteauth/testing/next'
 * import { expect, it, vi } from 'vitest'
 *
 * const standIn = createAuthStandIn()
 * vi.doMock('../auth', () => standIn)
 *
 * it('lets nobody in', async () => {
 *   expect(await standIn.auth()).toBeNull()
 * })
 *
 * it('lets Ada in', async () => {
 *   standIn.become(sessionOf({ name: 'Ada' }))
 *   expect((await standIn.auth())?.user?.name).toBe('Ada')
 * })
 * ```
 */
export function createAuthStandIn<Sess = Session>(
  options: AuthStandInOptions<Sess> = {},
): AuthStandIn<Sess> {
  refuseProduction('createAuthStandIn', options)
  let current: Sess | null = options.session ?? null
  const calls: StandInCall[] = []

  /** A function that is noted, and does what the test says, or what is said here. */
  function noted<Given extends readonly unknown[], Answer>(
    name: string,
    does: (...given: Given) => Promise<Answer> = () => Promise.reject(missing(name)),
  ): (...given: Given) => Promise<Answer> {
    return async (...given) => {
      calls.push({ name, given })
      return does(...given)
    }
  }

  const endpoint = noted('handlers', async () => new Response(null, { status: 404 }))
  const result: SiteAuthResult<Sess> = {
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuth(() => current),
    signIn: Object.assign(
      noted('signIn', async (provider?: string, fields: Fields = {}) =>
        leave(fields, signInUrl(provider)),
      ) as SignIn,
      {
        attempt: noted('signIn.attempt', async (provider?: string, fields: Fields = {}) => {
          return { ok: true, status: 200, url: wishIn(fields) ?? signInUrl(provider) } as const
        }),
      },
    ),
    signOut: noted('signOut', async (fields: Fields = {}) => {
      current = null
      return leave(fields, '/')
    }) as SignOut,
    unstable_update: noted('unstable_update', async () => current),
    rotate: noted('rotate', async () => current),
    endUser: noted('endUser', async () => {}),
    listProviders: noted('listProviders'),
    listSessions: noted('listSessions'),
    endSession: noted('endSession', async () => true),
    endOtherSessions: noted('endOtherSessions', async () => current !== null),
    getAccessToken: noted('getAccessToken'),
    providerFetch: noted('providerFetch'),
    listAccounts: noted('listAccounts'),
    unlinkAccount: noted('unlinkAccount'),
    passwords: {
      ask: noted('passwords.ask'),
      choose: noted('passwords.choose'),
      change: noted('passwords.change'),
      remove: noted('passwords.remove'),
    },
    ...options.answers,
  }
  return {
    ...result,
    calls,
    become(session) {
      current = session
    },
  }
}

/** `auth`, told apart by what it is given, as the real one does. */
function createAuth<Sess>(read: () => Sess | null): Auth<Sess> {
  type Handler = (request: NextAuthRequest<Sess>, context: unknown) => unknown

  function auth(first?: unknown): unknown {
    if (typeof first === 'function') return wrap(first as Handler)
    const isRequest = typeof (first as Partial<Request> | undefined)?.headers?.get === 'function'
    return isRequest ? Promise.resolve(passed()) : Promise.resolve(read())
  }

  function wrap(handler: Handler) {
    return async (request: NextAuthRequest<Sess>, context: unknown): Promise<Response> => {
      const answer = await handler(Object.assign(request, { auth: read() }), context)
      return answer instanceof Response ? answer : passed()
    }
  }

  const session = async () => ({ session: read(), applyTo: (response: Response) => response })
  // Each form answers what its signature says.
  return Object.assign(auth as Auth<Sess>, { session })
}

/** What Next takes for "go on". */
function passed(): Response {
  return new Response(null, { headers: { 'x-middleware-next': '1' } })
}

/** What `signIn` and `signOut` are given. */
type Fields = FormData | { readonly redirect?: unknown; readonly redirectTo?: unknown }

/** Goes where the call wishes: by throwing what Next throws, or with `redirect: false` as a value. */
function leave(fields: Fields, otherwise: string): string {
  const url = wishIn(fields) ?? otherwise
  if (!(fields instanceof FormData) && fields.redirect === false) return url
  const digest = `NEXT_REDIRECT;push;${url};303;`
  throw Object.assign(new Error('NEXT_REDIRECT'), { digest })
}

function wishIn(fields: Fields): string | undefined {
  const wish = fields instanceof FormData ? fields.get('redirectTo') : fields.redirectTo
  return typeof wish === 'string' ? wish : undefined
}

function signInUrl(provider: string | undefined): string {
  return `/api/auth/signin${provider === undefined ? '' : `/${encodeURIComponent(provider)}`}`
}

function missing(name: string): Error {
  return new Error(
    `The test has not said what ${name} answers: createAuthStandIn({ answers: { … } }).`,
  )
}
