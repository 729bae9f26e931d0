import { AccessDenied } from '@siteauth/core/errors'
import { type AuthCalls, deriveCalls, type RequireSessionOptions } from '@siteauth/core/integration'
import { assertGuardOptions, decideAccess, isAllowed } from '@siteauth/core/internal'
import { wantsRedirect } from '@siteauth/core/internal/endpoints'
import type { Session } from '@siteauth/core/types'
import type { Auth, NextAuthRequest, SignIn, SignOut, SiteAuthResult } from '@siteauth/next'
import { type ProductionOption, rejectProduction } from '../reject-production.ts'

/** A call of a function other than `auth` and `requireSession`. */
export interface StandInCall {
  /** Such as `signOut` or `sessions.endOthers`. */
  readonly name: string
  readonly given: readonly unknown[]
}

/** The functions that a test replaces. Those of a group are under the name of the group. */
export type StandInReplacements<Sess = Session> = {
  readonly [Name in Exclude<keyof SiteAuthResult, 'auth'>]?: SiteAuthResult<Sess>[Name] extends (
    ...given: never
  ) => unknown
    ? SiteAuthResult<Sess>[Name]
    : Partial<SiteAuthResult<Sess>[Name]>
}

/** The options of {@link createAuthStandIn}. */
export interface AuthStandInOptions<Sess = Session> extends ProductionOption {
  /** Who is signed in. Defaults to nobody. */
  session?: Sess | null | undefined
  /**
   * What other functions do, such as `{ sessions: { list: async () => [] } }`. A call without a replacement throws an error
   * that names it.
   */
  replacements?: StandInReplacements<Sess> | undefined
}

/** Stands in for what `SiteAuth` returns. */
export interface AuthStandIn<Sess = Session> extends SiteAuthResult<Sess> {
  /** From now on, this is who is signed in; null for nobody. */
  become(session: Sess | null): void
  /** What was called besides `auth` and `requireSession`, the latest last. */
  readonly calls: readonly StandInCall[]
}

/**
 * Creates a stand-in for `auth.ts` of an application: `auth()` and `requireSession()` say what the test says, wherever they
 * are called, and need neither Next nor a secret. `signIn` and `signOut` redirect as the real ones do, by throwing. Calls
 * are noted in `calls`.
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
  rejectProduction('createAuthStandIn', options)
  let current: Sess | null = options.session ?? null
  const calls: StandInCall[] = []

  /** What functions do unless the test says otherwise. */
  const usual: Readonly<Record<string, AnyCall>> = {
    signIn: (provider, fields) => leave(fields, signInUrl(provider)),
    'signIn.attempt': (provider, fields) => {
      const url = returnUrlIn(fields) ?? signInUrl(provider)
      return { ok: true, status: 200, url }
    },
    signOut: fields => {
      current = null
      return leave(fields, '/')
    },
    unstable_update: () => current,
    'sessions.end': () => true,
    'sessions.endOthers': () => current !== null,
    'sessions.rotate': () => current,
    'sessions.onEnd': () => () => {},
    'users.endSessions': () => undefined,
    'users.revokeAccess': () => ({ accounts: [] }),
  }

  /** Notes a call, and does what the test says, or what is usual. */
  async function run(name: string, given: readonly unknown[]): Promise<unknown> {
    calls.push({ name, given })
    const replacement = findReplacement(name, options.replacements) ?? usual[name]
    if (!replacement) throw missing(name)
    return replacement(...given)
  }

  async function requireSession(options: RequireSessionOptions<Sess> = {}): Promise<Sess> {
    assertGuardOptions(options, ['redirectTo', 'allow'])
    const { redirectTo, allow } = options
    const allowed = current ? await isAllowed(current, allow) : false
    const decision = decideAccess(current, { allowed })
    if (decision === 'sign in') throw redirection(redirectTo ?? signInUrl())
    if (decision === 'forbidden') throw new AccessDenied('The option allow has rejected the user.')
    return current as Sess // nobody passes without one
  }

  const {
    getSession: _,
    signIn,
    signOut,
    update,
    ...common
  } = deriveCalls<Calls<Sess>>((name, given) =>
    run(name === 'update' ? 'unstable_update' : name, given),
  )
  const endpoint = async (...given: readonly unknown[]) => {
    calls.push({ name: 'handlers', given })
    return new Response(null, { status: 404 })
  }
  return {
    ...common,
    handlers: { GET: endpoint, POST: endpoint, ...options.replacements?.handlers },
    auth: createAuth(() => current),
    signIn: Object.assign(signIn as SignIn, {
      attempt: (...given: readonly unknown[]) =>
        run('signIn.attempt', given) as ReturnType<SignIn['attempt']>, // what that is given and answers
    }),
    signOut: signOut as SignOut,
    unstable_update: update,
    requireSession: options.replacements?.requireSession ?? requireSession,
    calls,
    become(session) {
      current = session
    },
  }
}

type Calls<Sess> = AuthCalls<[], string, Sess>

type AnyCall = (...given: readonly unknown[]) => unknown

/** The function that a test replaces a call by. */
function findReplacement(name: string, replacements: object | undefined): AnyCall | undefined {
  const members = name.split('.')
  const found = members.reduce<unknown>(
    (each, member) => (each as Record<string, unknown> | undefined)?.[member],
    replacements,
  )
  return found as AnyCall | undefined // by the type of the option
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
      const response = await handler(Object.assign(request, { auth: read() }), context)
      return response instanceof Response ? response : passed()
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

/** Goes where the call wishes: by throwing what Next throws, or with `redirect: false` as a value. */
function leave(fields: unknown, otherwise: string): string {
  const url = returnUrlIn(fields) ?? otherwise
  if (wantsRedirect(fields)) throw redirection(url)
  return url
}

function redirection(url: string): Error {
  const digest = `NEXT_REDIRECT;push;${url};303;`
  return Object.assign(new Error('NEXT_REDIRECT'), { digest })
}

function returnUrlIn(fields: unknown): string | undefined {
  const members = fields instanceof FormData ? Object.fromEntries(fields) : fields
  const { redirectTo } = { ...(members as { readonly redirectTo?: unknown }) }
  return typeof redirectTo === 'string' ? redirectTo : undefined
}

function signInUrl(provider?: unknown): string {
  return `/api/auth/signin${provider === undefined ? '' : `/${encodeURIComponent(String(provider))}`}`
}

function missing(name: string): Error {
  return new Error(`The test does not replace ${name}: createAuthStandIn({ replacements: { … } }).`)
}
