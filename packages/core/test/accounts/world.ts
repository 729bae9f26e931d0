import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { Adapter, AdapterUser, ConditionalLink } from '@siteauth/core/adapters'
import { createHasher } from '@siteauth/core/passwords'
import Passkey from '@siteauth/core/providers/passkey'
import Password from '@siteauth/core/providers/password'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createFakeServer,
  type FakeServer,
} from '../oauth/fake-server.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'

// Two people, their browsers and devices, and an application with every way in. What each of them can
// do is what people can do: Ann reads her own mail, Mallory types whatever he likes.

export type Person = 'ann' | 'mallory'
export const PEOPLE: readonly Person[] = ['ann', 'mallory']

export const ADDRESS: Readonly<Record<Person, string>> = {
  ann: 'ann@example.test',
  mallory: 'mallory@example.test',
}

/** What each of them alone knows, and types where a password is asked for: the first, or after a change the other. */
export const SECRETS: Readonly<Record<Person, readonly [string, string]>> = {
  ann: ['correct horse battery staple', 'purple monkeys rarely dishwash'],
  mallory: ['in the end everybody lets me in', 'or I will wait for a little longer'],
}

const CHEAP = { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } } as const
export const hasher = createHasher(CHEAP)

/**
 * - `vouching`: OpenID Connect, says `email_verified`, and may link by address.
 * - `careful`: OAuth, hands out proven addresses only, and may not link.
 * - `loose`: OAuth, lets people write down any address.
 */
export type ProviderId = 'vouching' | 'careful' | 'loose'
export const PROVIDERS: readonly ProviderId[] = ['vouching', 'careful', 'loose']

export type BrowserName = `${Person} ${1 | 2}`
export const BROWSERS: readonly BrowserName[] = ['ann 1', 'ann 2', 'mallory 1', 'mallory 2']

/** How the application is set up. */
export interface Setting {
  readonly strategy: 'jwt' | 'database'
  /** Everything that ours have, or what adapters of the library that we succeed have. */
  readonly methods: 'ours' | 'published'
  /** Whether there are links by email. Where there are none, passkeys sign up with what is typed. */
  readonly email: boolean
  /** Whether a link signs in at once in the browser that asked for it. */
  readonly linksSignInAtOnce?: boolean
  /** Whether sessions in tokens are so large that they take several cookies. */
  readonly largeTokens?: boolean
  /** Whether signing out here ends the session at `vouching`, and the other way round. */
  readonly logoutReaches?: boolean
  /** Whether sessions in tokens are listed, and ended one by one. */
  readonly track?: boolean
  /** Whether `careful` and `loose` issue refresh tokens, each of which can be used once. */
  readonly refreshTokens?: boolean
  /** How many processes there are, each with a memory of its own. One, if it is left out. */
  readonly servers?: number
}

export interface World {
  readonly setting: Setting
  readonly auth: AuthInstance
  /** Every process of the application. The first is `auth`. */
  readonly servers: readonly AuthInstance[]
  /** The store, as the application itself sees it: it never fails here. */
  readonly store: Required<Adapter>
  readonly browsers: Readonly<Record<BrowserName, Visitor>>
  readonly devices: Readonly<Record<Person, SoftwareAuthenticator>>
  /** The links that were sent, each with its code, and to whom. */
  readonly links: { readonly url: URL; readonly code: string; readonly to: string }[]
  /** The links to choose a password by that were sent, and to whom. */
  readonly passwordLinks: { readonly url: URL; readonly to: string }[]
  /** Who can sign in with a password that the application looks after, as which user. */
  readonly passwords: Map<Person, string>
  /** Every user there has ever been. */
  readonly userIds: Set<string>
  /** The provider `vouching`. */
  readonly openId: FakeServer
  /** Somebody agrees at a provider, which sends them back to this address. */
  agree(provider: ProviderId, url: URL, who: Person, address: string): URL
  /** Runs something during which that call of the store fails, counted from 1. */
  failingAt<T>(call: number | undefined, run: () => Promise<T>): Promise<T>
  /** A browser that nobody has used yet, and the process that responds to it. */
  newBrowser(server?: number): Visitor
  /** Whatever is asked of the store goes through this, for tests that decide when. */
  ask: <T>(call: () => Promise<T>, name: string) => Promise<T>
  /** Starts the first process again, with that adapter. What the earlier one still responds reaches nobody. */
  restart(used: Required<Adapter>): void
}

const ORIGIN = 'https://app.example.com'

/** The methods that adapters of the library that we succeed have. */
const PUBLISHED = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const satisfies readonly (keyof Adapter)[]

/**
 * @param kept what the application works with, and the same store as it always responds
 */
export async function createWorld(
  setting: Setting,
  now = Date.now,
  kept?: { readonly used: Required<Adapter>; readonly whole: Required<Adapter> },
): Promise<World> {
  const { used, whole: store } = kept ?? inMemory()
  const userIds = new Set<string>()
  const failing = { left: Number.POSITIVE_INFINITY }
  const world = { ask: <T>(call: () => Promise<T>) => call() }
  const openId = await createFakeServer({ alg: 'ES256', now })
  const grants = new Map<string, { readonly who: Person; readonly address: string }>()
  const links: World['links'] = []
  const passwordLinks: World['passwordLinks'] = []
  const passwords: World['passwords'] = new Map()

  openId.faults.claims = claims => {
    const grant = grants.get(openId.requests.at(-1)?.body.get('code') ?? '')
    return {
      ...claims,
      sub: grant?.who,
      name: grant?.who,
      email: grant?.address,
      email_verified: true,
      sid: `at ${grant?.who}`,
    }
  }

  const answer: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin === openId.issuer) return openId.fetch(input, init)
    if (url.pathname === '/token') {
      const body = new URLSearchParams(String(init?.body))
      const code = body.get('refresh_token') ?? body.get('code') ?? ''
      const grant = grants.get(code)
      if (!grant) return Response.json({ error: 'invalid_grant' }, { status: 400 })
      grants.delete(code)
      const id = setting.refreshTokens ? `${grant.who} ${crypto.randomUUID()}` : code
      grants.set(`token of ${id}`, grant)
      if (setting.refreshTokens) grants.set(`refresh of ${id}`, grant)
      return Response.json({
        ...{ access_token: `token of ${id}`, token_type: 'bearer' },
        ...(setting.refreshTokens && { refresh_token: `refresh of ${id}`, expires_in: 3600 }),
      })
    }
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? ''
    const grant = grants.get(token)
    return Response.json({ id: grant?.who, name: grant?.who, email: grant?.address })
  }

  const createServer = (adapter: Required<Adapter>) =>
    createTestAuth(
      {
        adapter: guarded(adapter, setting, userIds, failing, world),
        session: { strategy: setting.strategy, ...(setting.track && { track: true }) },
        experimental: { enableWebAuthn: true },
        providers: [
          {
            id: 'vouching',
            name: 'Vouching',
            type: 'oidc',
            issuer: openId.issuer,
            clientId: CLIENT_ID,
            clientSecret: CLIENT_SECRET,
            allowDangerousEmailAccountLinking: true,
            ...(setting.logoutReaches && {
              logout: 'provider' as const,
              backChannelLogout: true,
              frontChannelLogout: true,
            }),
          },
          plainProvider('careful', true),
          plainProvider('loose', undefined),
          Passkey({ allowSignUpWithUnprovenEmail: true }),
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            async authorize({ who }) {
              const id = passwords.get(who as Person)
              return id === undefined ? null : store.getUser(id)
            },
          },
          // It needs a store that keeps them.
          ...(setting.methods === 'ours'
            ? [
                Password({
                  id: 'kept',
                  hashing: CHEAP,
                  mail: ({ url, to }) =>
                    void (url && passwordLinks.push({ url: new URL(url), to })),
                }),
              ]
            : []),
          ...(setting.email
            ? [
                {
                  id: 'mail',
                  name: 'Mail',
                  type: 'email' as const,
                  ...(setting.linksSignInAtOnce && { confirm: false }),
                  code: true,
                  sendVerificationRequest: ({
                    url,
                    code = '',
                    identifier,
                  }: {
                    url: string
                    code?: string
                    identifier: string
                  }) => void links.push({ url: new URL(url), code, to: identifier }),
                },
              ]
            : []),
        ],
        callbacks: {
          userHasOtherSignInMethods: ({ user }) => [...passwords.values()].includes(user.id),
          ...(setting.largeTokens && {
            jwt: ({ token }) => ({ ...token, roles: 'r'.repeat(4000) }),
          }),
          session: ({ session, user, token }) => ({
            ...session,
            user: { ...session.user, id: user?.id ?? token.sub },
          }),
        },
        events: {
          // As the guide asks of applications with passwords of their own.
          emailClaimed({ earlierUser, outcome }) {
            if (outcome === 'released') return
            for (const [who, id] of passwords) if (id === earlierUser.id) passwords.delete(who)
          },
        },
        ports: { fetch: answer, now },
      } satisfies Partial<AuthConfig>,
      { AUTH_URL: `${ORIGIN}/auth` },
    )
  const servers = Array.from({ length: setting.servers ?? 1 }, () => createServer(used))
  const serverAt = (at: number) => {
    const server = servers[at]
    if (!server) throw new Error('there are not as many processes')
    return server
  }
  const newBrowser = (at = 0) =>
    new Visitor(async request => {
      const server = serverAt(at)
      const response = await server.handle(request)
      return server === serverAt(at) ? response : new Promise<never>(() => {})
    })
  return Object.assign(world, {
    setting,
    auth: serverAt(0),
    servers,
    restart(next) {
      servers[0] = createServer(next)
      Object.assign(world, { auth: servers[0] })
    },
    store,
    openId,
    links,
    passwordLinks,
    passwords,
    userIds,
    newBrowser,
    browsers: {
      'ann 1': newBrowser(),
      'ann 2': newBrowser(1 % servers.length),
      'mallory 1': newBrowser(2 % servers.length),
      'mallory 2': newBrowser(3 % servers.length),
    },
    devices: {
      ann: new SoftwareAuthenticator(ORIGIN),
      mallory: new SoftwareAuthenticator(ORIGIN),
    },
    agree(provider, url, who, address) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      if (provider === 'vouching') back.search = openId.authorize(url).toString()
      else {
        const state = url.searchParams.get('state') ?? ''
        back.search = new URLSearchParams({ code: crypto.randomUUID(), state }).toString()
      }
      grants.set(back.searchParams.get('code') ?? '', { who, address })
      return back
    },
    async failingAt(call, run) {
      failing.left = call ?? Number.POSITIVE_INFINITY
      try {
        return await run()
      } finally {
        failing.left = Number.POSITIVE_INFINITY
      }
    },
  } satisfies Omit<World, 'ask'>)
}

function inMemory() {
  const store = MemoryAdapter() as Required<Adapter>
  return { used: store, whole: store }
}

function plainProvider(id: 'careful' | 'loose', emailVerified: true | undefined) {
  const site = `https://${id}.test`
  return {
    id,
    name: id,
    type: 'oauth' as const,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authorization: `${site}/authorize`,
    token: `${site}/token`,
    userinfo: `${site}/userinfo`,
    ...(emailVerified && { emailVerified }),
  }
}

const TRACKING = ['add', 'renew', 'list', 'remove', 'removeSeveral', 'removeAll'] as const

/** The methods that the setting has. A call that is to fail does nothing. */
function guarded(
  store: Required<Adapter>,
  { methods }: Setting,
  userIds: Set<string>,
  failing: { left: number },
  world: Pick<World, 'ask'>,
): Adapter {
  const watch = (name: string, act: (...args: unknown[]) => unknown) => {
    return async (...args: unknown[]) => {
      failing.left -= 1
      if (failing.left === 0) throw new Error(`${name} fails`)
      const answer = await world.ask(async () => act(...args), name)
      if (name === 'createUser') userIds.add((answer as AdapterUser).id)
      if (name === 'createUserWithAccount' && answer) {
        userIds.add((answer as { user: AdapterUser }).user.id)
      }
      return answer
    }
  }
  // Looked up when it is called, so that a test can replace one.
  const watched = <Methods extends object>(all: Methods, names: readonly (keyof Methods)[]) =>
    names.map(name => [
      name,
      watch(String(name), (...args) => (all[name] as (...args: unknown[]) => unknown)(...args)),
    ])
  const { revocations, passwords, trackedSessions, extends: tables, limiter: _, ...rows } = store
  const watchedLog = Object.fromEntries(watched(revocations, ['end', 'find', 'since']))
  /** The store knows its log by identity, which is not that of the watched one. */
  const linkByOwnLog = watch('linkAccountIf', async link => {
    const { condition, ...rest } = link as ConditionalLink
    const { unrevoked, ...others } = condition
    const own = unrevoked && { ...unrevoked, log: revocations }
    return store.linkAccountIf({
      ...rest,
      condition: { ...others, ...(own && { unrevoked: own }) },
    })
  })
  const entries =
    methods === 'published'
      ? watched(store, PUBLISHED)
      : [
          ...watched(store, Object.keys(rows) as (keyof Adapter)[]),
          ['passwords', Object.fromEntries(watched(passwords, ['get', 'set', 'remove']))],
          ['trackedSessions', Object.fromEntries(watched(trackedSessions, TRACKING))],
          ['extends', tables],
          ['linkAccountIf', linkByOwnLog],
          ['revocations', watchedLog],
        ]
  return Object.fromEntries(entries) as Adapter // the methods of the store, each with its own signature
}

export function personOf(browser: BrowserName): Person {
  return browser.startsWith('ann') ? 'ann' : 'mallory'
}

/** As which user a browser is signed in. */
export async function userIn(browser: Visitor): Promise<string | null> {
  const session = (await browser.session()) as { user?: { id?: string } } | null
  return session?.user?.id ?? null
}
