import { type AuthConfig, type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import Passkey from '@siteauth/core/providers/passkey'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { at, createLog } from '../revocation/network.ts'
import { recordingLogger, rotate, SECRET, Visitor } from '../visitor.ts'
import { type Options, SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'

export const SECOND = 1000
export const HOUR = 60 * 60 * SECOND
export const DAY = 24 * HOUR
export const COOKIE = '__Secure-authjs.session-token'
const ORIGIN = 'https://app.example.com'
const ADDRESS = 'ann@example.test'

export const STRATEGIES = ['jwt', 'database'] as const
export type Strategy = (typeof STRATEGIES)[number]

export const WAYS = ['password', 'provider', 'link', 'passkey'] as const

/** How somebody signs in; the fields are of the form. */
type Way = (visitor: Visitor, fields?: Record<string, string>) => Promise<Response>

/** An application of several servers with every way in, whose clock the tests move. */
export async function createSite(
  strategy: Strategy,
  session: AuthConfig['session'] = {},
  more: Partial<AuthConfig> = {},
) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const store = MemoryAdapter()
  const { log } = createLog(now)
  const openId = await createFakeServer({ alg: 'ES256', now })
  const { logger, errors } = recordingLogger()
  const links: URL[] = []
  const device = new SoftwareAuthenticator(ORIGIN)
  const ann = await store.createUser({
    id: 'ann',
    name: 'Ann',
    email: ADDRESS,
    emailVerified: new Date(clock.now),
  })
  openId.faults.claims = claims => ({ ...claims, sub: 'ann', email: ADDRESS, email_verified: true })

  /** A server of its own: only what is stored is shared. */
  function node(change: Partial<AuthConfig> & { readonly store?: Adapter } = {}): AuthInstance {
    const { store: changed = store, ...config } = change
    return createAuth(
      {
        secret: SECRET,
        logger,
        adapter: { ...changed, revocations: { ...log } },
        experimental: { enableWebAuthn: true },
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: ({ who = ann.id }) => store.getUser(String(who)),
          },
          {
            id: 'op',
            name: 'OP',
            type: 'oidc',
            issuer: openId.issuer,
            clientId: CLIENT_ID,
            clientSecret: CLIENT_SECRET,
            allowDangerousEmailAccountLinking: true,
          },
          {
            id: 'mail',
            name: 'Mail',
            type: 'email',
            sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
          },
          Passkey({}),
        ],
        ports: { now, fetch: openId.fetch },
        ...more,
        ...config,
        session: { strategy, ...session, ...config.session },
      },
      { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
    )
  }

  const auth = node()

  async function answerPasskey(
    visitor: Visitor,
    action: 'register' | 'authenticate',
    fields: Record<string, string>,
  ): Promise<Response> {
    const asked = await visitor.get(`/webauthn-options/passkey?action=${action}`)
    const { options } = (await asked.json()) as { options: Options }
    const answer = action === 'register' ? device.create(options) : device.get(options)
    return visitor.post('/callback/passkey', { action, data: JSON.stringify(answer), ...fields })
  }

  async function goToProvider(visitor: Visitor, fields: Record<string, string> = {}): Promise<URL> {
    const started = await visitor.post('/signin/op', fields)
    const url = new URL(started.headers.get('location') ?? '')
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.search = openId.authorize(url).toString()
    return back
  }

  const ways: Readonly<Record<(typeof WAYS)[number], Way>> = {
    password: (visitor, fields) => visitor.post('/callback/password', fields),
    provider: async (visitor, fields) => visitor.send((await goToProvider(visitor, fields)).href),
    async link(visitor, fields) {
      await visitor.post('/signin/mail', { email: ADDRESS, ...fields })
      return visitor.openLink(links.at(-1) ?? new URL('no:link'))
    },
    async passkey(visitor, fields = {}) {
      if (device.keys.length === 0) {
        const maker = new Visitor(auth.handle)
        await maker.post('/callback/password')
        await answerPasskey(maker, 'register', {})
      }
      return answerPasskey(visitor, 'authenticate', fields)
    },
  }

  return {
    clock,
    auth,
    node,
    store,
    log,
    openId,
    links,
    errors,
    ways,
    addPasskey: (visitor: Visitor, fields = {}) => answerPasskey(visitor, 'register', fields),
    visitor: () => new Visitor(auth.handle),
    async signedIn(fields?: Record<string, string>, at: AuthInstance = auth): Promise<Visitor> {
      const visitor = new Visitor(at.handle)
      await ways.password(visitor, fields)
      return visitor
    },
  }
}

/** Whether a browser is signed in. */
export async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

/** The session cookies that an answer sets or removes. */
export function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter(line => line.startsWith(COOKIE))
}

/** When the session cookie of an answer expires, in milliseconds. */
export function cookieEnd(response: Response): number {
  const [, date] = /Expires=([^;]+)/i.exec(sessionCookies(response).join()) ?? []
  return date === undefined ? Number.NaN : Date.parse(date)
}

/** The browser that has a new token; the old one stays as it is. Null if no new token came. */
export async function rotated(auth: AuthInstance, visitor: Visitor): Promise<Visitor | null> {
  const copy = at(auth, visitor)
  await rotate(auth, copy)
  return copy.cookies.get(COOKIE) === visitor.cookies.get(COOKIE) ? null : copy
}

/** Lets something happen once, where it is called first. */
export function once(act: () => Promise<unknown>): () => Promise<void> {
  let next: typeof act | null = act
  return async () => {
    const now = next
    next = null
    await now?.()
  }
}
