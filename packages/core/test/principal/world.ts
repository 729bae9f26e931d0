import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { createHasher } from '@siteauth/core/passwords'
import Credentials from '@siteauth/core/providers/credentials'
import Passkey from '@siteauth/core/providers/passkey'
import Password from '@siteauth/core/providers/password'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { createTestAuth, recordingLogger, SECRET, Visitor } from '../visitor.ts'
import { SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'

// An application with every way to sign in, and one user, Ann, who is signed in in two browsers. The tests end the session
// in one of them, and look at what a request with its cookie still does.

type Strategy = 'jwt' | 'database'
type Check = 'always' | 'on-renewal'

/** How the sessions of a world are kept and checked. */
export interface Setting {
  readonly strategy: Strategy
  readonly check: Check
}

/** In seconds: short, so that sign-ins in progress outlast sessions. */
export const AGES = { maxAge: 200, updateAge: 60, absoluteAge: 240 }

const ORIGIN = 'https://app.example.com'
export const SESSION_COOKIE = '__Secure-authjs.session-token'

/** What belongs to Ann, and must not be in a response to somebody else. */
export const ANN = { sub: 'subject-of-ann', name: 'Ann Owner', email: 'ann@owner.test' }
/** Somebody whose session is planted in Ann's browser. He has the same account to unlink as she. */
export const CARL = {
  sub: 'carl',
  email: 'carl@other.test',
  second: { provider: 'second', providerAccountId: 'second-of-carl' },
}
const BOB = { name: 'Bob', email: 'bob@other.test' }
export const PASSWORDS = {
  ann: 'correct horse battery staple',
  new: 'purple monkeys rarely dishwash',
  third: 'seven wooden ships at dawn',
  bob: 'in the end everybody lets me in',
}

const CHEAP = { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } } as const
/** Of Ann's, beside the one that she signs in with. */
const SECOND_ACCOUNT = {
  type: 'oidc',
  provider: 'second',
  providerAccountId: 'second-of-ann',
} as const
const hasher = createHasher(CHEAP)
/** Made once: every world has them. */
const hashes = { ann: hasher.hash(PASSWORDS.ann), bob: hasher.hash(PASSWORDS.bob) }

export interface World {
  readonly setting: Setting
  readonly auth: AuthInstance
  readonly store: Required<Adapter>
  readonly clock: { now: number }
  /** What the application and the store do from now on. */
  readonly faults: { jwtIsNull: boolean; sessionIsNull: boolean; storeFails: boolean }
  /** The browser whose session the tests end. */
  readonly browser: Visitor
  /** Another browser of Ann's, whose session stays. */
  readonly other: Visitor
  /** The `Set-Cookie` lines that the first browser received. */
  readonly setCookies: string[]
  /** Another user whose session came beside Ann's, and a second browser of theirs, whose session stays. */
  beside?: { readonly userId: string; readonly other: Visitor }
  readonly device: SoftwareAuthenticator
  readonly annId: string
  readonly bobId: string
  /** The handle of the session in the other browser. */
  readonly otherHandle: string
  /** For forms of the first browser. */
  readonly csrfToken: string
  readonly mails: URL[]
  readonly passwordMails: URL[]
  /** The access tokens that arrived at an API of the provider. */
  readonly usedTokens: string[]
  /** The providers of the application. */
  readonly providers: AuthConfig['providers']
  /** The issuer of those that speak OpenID Connect. */
  readonly issuer: string
  /** The same application with another configuration. */
  configured(config: Partial<AuthConfig>): AuthInstance
  /** The configuration of a proxy, which has no store. */
  readonly withoutStore: AuthConfig
  /** Lets a user agree at a provider; returns the URL that the provider sends the browser back to. */
  agree(started: Response, sub: string): URL
}

/** @param isSignedIn whether Ann is signed in, in both browsers; else she is only stored, which is quicker */
export async function createWorld(
  setting: Setting,
  { isSignedIn = true }: { readonly isSignedIn?: boolean } = {},
): Promise<World> {
  const { strategy, check } = setting
  const clock = { now: Date.now() }
  const store = withClock(MemoryAdapter() as Required<Adapter>, clock)
  const faults = { jwtIsNull: false, sessionIsNull: false, storeFails: false }
  const openId = await createFakeServer({ alg: 'ES256', now: () => clock.now })
  const subjects = new Map<string, string>()
  const mails: URL[] = []
  const passwordMails: URL[] = []
  const usedTokens: string[] = []

  const subjectOfCode = () => subjects.get(openId.requests.at(-1)?.body.get('code') ?? '') ?? ''
  openId.faults.tokens = tokens =>
    subjectOfCode() === CARL.sub ? { ...tokens, access_token: 'at-carl' } : tokens
  openId.faults.claims = claims => {
    const sub = subjectOfCode()
    const name = sub === ANN.sub ? ANN.name : sub
    const email = sub === ANN.sub ? ANN.email : `${sub}@other.test`
    return { ...claims, sub, name, email, email_verified: true }
  }
  const answer: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin === openId.issuer) return openId.fetch(input, init)
    const token = new Headers(init?.headers).get('authorization') ?? ''
    usedTokens.push(token)
    return Response.json({ id: token === 'Bearer at-ada' ? ANN.sub : 'somebody' })
  }
  const openIdProvider = (id: string) => ({
    id,
    name: id,
    type: 'oidc' as const,
    issuer: openId.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  })
  const isAnn = (id: unknown) => annId !== '' && id === annId
  let annId = ''
  const config = {
    adapter: failing(store, () => faults.storeFails),
    session: {
      strategy,
      ...AGES,
      ...(strategy === 'jwt' && { track: true, revocation: { check, maxStaleSeconds: 30 } }),
    },
    account: { exposeTokens: ['first'] },
    experimental: { enableWebAuthn: true },
    providers: [
      openIdProvider('first'),
      openIdProvider('second'),
      { ...openIdProvider('posting'), authorization: { params: { response_mode: 'form_post' } } },
      Passkey({ allowSignUpWithUnprovenEmail: true }),
      Credentials({
        credentials: { who: {} },
        authorize: ({ who }) => store.getUser(who === 'ann' ? annId : bobId),
      }),
      Password({
        hashing: CHEAP,
        mail: ({ url }) => void (url && passwordMails.push(new URL(url))),
      }),
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        confirm: false,
        sendVerificationRequest: ({ url }) => void mails.push(new URL(url)),
      },
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        const id = user?.id ?? token['id']
        return faults.jwtIsNull && isAnn(id) ? null : { ...token, id }
      },
      session: ({ session, user, token }) => {
        const id = user?.id ?? token?.['id']
        const shown = { ...session, user: { ...session.user, id } }
        return faults.sessionIsNull && isAnn(id) ? (null as never) : shown
      },
    },
    ports: { fetch: answer, now: () => clock.now },
  } satisfies Partial<AuthConfig>
  const configured = (more: Partial<AuthConfig>) =>
    createTestAuth({ secret: SECRET, ...config, ...more }, { AUTH_URL: `${ORIGIN}/auth` })
  const auth = configured({})

  const { id: bobId } = await store.createUser({ ...BOB, emailVerified: new Date() } as never)
  await store.passwords.set({ userId: bobId, hash: await hashes.bob, changedAt: new Date() })

  const agree: World['agree'] = (started, sub) => {
    const url = new URL(started.headers.get('location') ?? '')
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.search = openId.authorize(url).toString()
    subjects.set(back.searchParams.get('code') ?? '', sub)
    return back
  }
  const setCookies: string[] = []
  const browser = new Visitor(async request => {
    const response = await auth.handle(request)
    setCookies.push(...response.headers.getSetCookie())
    return response
  })
  const other = new Visitor(auth.handle)
  const isFirst = { type: 'oidc', provider: 'first', providerAccountId: ANN.sub } as const
  if (isSignedIn) {
    const { user, account } = await storedAnn()
    annId = user.id
    await store.createUser(user)
    await store.linkAccount(account)
    for (const each of [browser, other]) await each.post('/callback/credentials', { who: 'ann' })
  } else {
    const { id } = await store.createUser({ ...ANN, emailVerified: new Date() } as never)
    annId = id
    await store.linkAccount({ ...isFirst, userId: id })
  }
  await store.passwords.set({ userId: annId, hash: await hashes.ann, changedAt: new Date() })
  // A second account, so that one can be unlinked.
  const [first] = await store.listAccounts(annId)
  await store.linkAccount({ ...first, ...SECOND_ACCOUNT, userId: annId })
  const device = new SoftwareAuthenticator(ORIGIN)
  const otherHandle = isSignedIn ? await currentHandle(other) : ''
  const csrfToken = isSignedIn ? await browser.csrfToken() : ''
  return {
    setting,
    auth,
    store,
    clock,
    faults,
    browser,
    other,
    setCookies,
    device,
    annId,
    bobId,
    otherHandle,
    csrfToken,
    mails,
    passwordMails,
    usedTokens,
    providers: config.providers,
    issuer: openId.issuer,
    configured,
    withoutStore: {
      secret: SECRET,
      providers: [],
      session: { ...AGES },
      callbacks: config.callbacks,
      ports: config.ports,
      logger: recordingLogger().logger,
    },
    agree,
  }
}

/** What a sign-in with the first provider stores. She does so once: every world has it. */
let ann: ReturnType<typeof signUpAnn> | undefined

function storedAnn() {
  ann ??= signUpAnn()
  return ann
}

async function signUpAnn() {
  const { auth, agree, store, annId } = await createWorld(
    { strategy: 'jwt', check: 'always' },
    { isSignedIn: false },
  )
  const visitor = new Visitor(auth.handle)
  await visitor.send(agree(await visitor.post('/signin/first'), ANN.sub).href)
  const user = await store.getUser(annId)
  const account = await store.getAccount(ANN.sub, 'first')
  if (!user || !account?.access_token) throw new Error('Ann is not signed up')
  return { user, account }
}

async function currentHandle(visitor: Visitor): Promise<string> {
  const sessions = (await (await visitor.get('/sessions')).json()) as {
    handle: string
    isCurrent: boolean
  }[]
  return sessions.find(({ isCurrent }) => isCurrent)?.handle ?? ''
}

/** A store whose log goes by that clock: each world has the time that it needs, and none waits for it. */
function withClock(store: Required<Adapter>, clock: { now: number }): Required<Adapter> {
  const { revocations } = store
  const startedAt = clock.now
  const passed = () => clock.now - startedAt
  return {
    ...store,
    revocations: {
      ...revocations,
      end: entries =>
        revocations.end(
          entries.map(entry =>
            entry.isGeneration ? { generation: Date.now() + passed(), ...entry } : entry,
          ),
        ),
      async since(time) {
        const news = await revocations.since(time && new Date(time.getTime() - passed()))
        return { ...news, now: new Date(news.now.getTime() + passed()) }
      },
    },
  }
}

/** The store, whose calls fail when that is so. */
function failing<Store extends object>(store: Store, isDown: () => boolean): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member === 'function') {
        return (...args: unknown[]) => {
          if (isDown()) throw new Error('the store is down')
          return member.apply(target, args)
        }
      }
      return typeof member === 'object' && member !== null ? failing(member, isDown) : member
    },
  })
}

/** A request of the first browser, as calls take it. */
export function requestOf({ browser }: Pick<World, 'browser'>) {
  return { headers: { cookie: browser.cookieHeader() }, url: `${ORIGIN}/page` }
}
