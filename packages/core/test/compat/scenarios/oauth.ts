import type { Adapter } from '@siteauth/core/adapters'
import { createFakeServer, type FakeServer, type Faults } from '../../oauth/fake-server.ts'
import { createBrowser } from '../browser.ts'
import {
  ANN,
  ANNS_CLAIMS,
  bindingCookie,
  cookieNames,
  csrfCookie,
  HTTPS,
  NOW,
} from '../fixtures.ts'
import type { Library } from '../libraries.ts'
import {
  attempt,
  type Observation,
  observeResponse,
  type Recorder,
  startRecording,
} from '../observe.ts'
import { makeConfig, makeRequest, type RequestScenario, type Scenario } from '../scenario.ts'
import { adapterWith, usersOf } from './database.ts'

/** A sign-in at a provider: the visitor is sent there, and comes back. */
interface SignIn {
  /** The kind of provider. Both are called `op`. */
  readonly type?: 'oidc' | 'oauth'
  /** What the provider has besides. */
  readonly provider?: object
  /** How the visitor starts. */
  readonly start?: Partial<RequestScenario>
  /** Who is signed in from start to end. */
  readonly signedIn?: Pick<RequestScenario, 'session' | 'cookies'>
  /** What goes wrong at the provider. */
  server?(faults: Faults): void
  /** Changes what the visitor brings back from there. */
  back?(parameters: URLSearchParams): void
  /** How the visitor comes back, besides. */
  readonly callback?: Partial<RequestScenario>
  /** Whether the visitor has lost the cookies in between. */
  readonly forgets?: boolean
  /** Whether the visitor comes back twice, the second time being looked at. */
  readonly twice?: boolean
  config?(library: Library, recorder: Recorder): object
}

/** The cookies of a browser that was given the session of a row. */
const ofRow = async () => ({ [SESSION]: 'row-1', ...(await bindingCookie({ row: 'row-1' })) })

/** What is seen when a visitor starts. */
function start(id: string, options: SignIn = {}): Scenario {
  return {
    id: `oauth/start/${id}`,
    async observe(library) {
      const { config, observe } = await setUp(library, options)
      return observe(async () =>
        library.core.Auth(await makeRequest(startScenario(options)), config),
      )
    },
  }
}

/** What is seen when a visitor comes back. Both libraries are told to check the same. */
function finish(id: string, given: SignIn = {}): Scenario {
  const options = { ...given, provider: { checks: ['pkce', 'state'], ...given.provider } }
  return {
    id: `oauth/finish/${id}`,
    async observe(library) {
      const { server, config, observe } = await setUp(library, options)
      const browser = await createBrowser(request => library.core.Auth(request, config))
      const started = await browser.send({ ...startScenario(options), ...options.signedIn })
      const parameters = server.authorize(new URL(started.headers.get('location') ?? HTTPS))
      options.back?.(parameters)
      if (options.forgets) browser.forget()
      const come = () =>
        browser.send({
          path: `/callback/op?${parameters}`,
          ...options.signedIn,
          ...options.callback,
        })
      if (options.twice) await come()
      return observe(come)
    },
  }
}

async function setUp(library: Library, options: SignIn) {
  const server = await createFakeServer({ now: () => NOW })
  if (options.type === 'oauth') server.faults.tokens = ({ id_token: _, ...rest }) => rest
  options.server?.(server.faults)
  const requests: string[] = []
  const fetchAndNote: typeof fetch = (input, init) => {
    requests.push(describeFetch(input, init))
    return server.fetch(input, init)
  }
  const recorder = startRecording()
  const config = makeConfig(library, recorder, () => ({
    providers: [{ ...providerAt(server, options), [library.core.customFetch]: fetchAndNote }],
    callbacks: {
      jwt: recorder.spy('callbacks.jwt', ({ token }) => token),
      signIn: recorder.spy('callbacks.signIn', () => true),
    },
    ...options.config?.(library, recorder),
  }))
  const observe = async (run: () => Promise<unknown>): Promise<Observation> => ({
    ...(await observeResponse(await attempt(run), recorder)),
    'requests to the provider': requests.join('\n'),
  })
  return { server, config, observe }
}

function providerAt({ issuer }: FakeServer, { type = 'oidc', provider }: SignIn): object {
  const endpoints = {
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
  }
  return {
    id: 'op',
    name: 'OP',
    type,
    issuer, // also of OAuth: the server names itself in its answers
    clientId: 'client',
    clientSecret: 'a client secret that is long enough',
    ...(type === 'oauth' && endpoints),
    ...provider,
  }
}

function describeFetch(input: string | URL | Request, init: RequestInit | undefined): string {
  const url = input instanceof Request ? input.url : String(input)
  const fields = [...new URLSearchParams(String(init?.body ?? ''))].map(([name, value]) =>
    ['code', 'code_verifier'].includes(name) ? name : `${name}=${value}`,
  )
  const [scheme] = (new Headers(init?.headers).get('authorization') ?? '').split(' ')
  return `${init?.method ?? 'GET'} ${url} ${fields.sort().join(' & ')} ${scheme}`.trim()
}

function startScenario({ start: options }: SignIn): RequestScenario {
  return { path: '/signin/op', form: { callbackUrl: '/next' }, ...options }
}

function fail(): never {
  throw new Error('no')
}

const { session: SESSION, csrf: CSRF } = cookieNames(HTTPS)

function stored(changes: Partial<Adapter>, rest: object = {}): NonNullable<SignIn['config']> {
  return (_library, recorder) => ({ adapter: adapterWith(recorder, null, changes), ...rest })
}

/** A provider that says that the address is the person's. */
function vouches(faults: Faults): void {
  faults.claims = claims => ({ ...claims, email_verified: true })
}

const ada = { id: 'u9', email: 'ada@example.test', emailVerified: new Date(NOW - 1e9) }
const nobody = { getUserByEmail: () => null, getUserByAccount: () => null }

/** A database with a user whose address nobody has proved. */
function unproven(
  changes: Partial<Adapter> = {},
  rest: object = {},
): NonNullable<SignIn['config']> {
  return (library, recorder) => {
    const users = usersOf({ ...ada, emailVerified: null })
    return stored({ ...nobody, ...users, ...changes }, rest)(library, recorder)
  }
}

export const oauthScenarios: readonly Scenario[] = [
  start('OIDC'),
  start('OAuth', {
    type: 'oauth',
    provider: { authorization: { url: 'https://op.test/authorize', params: { scope: 'me' } } },
  }),
  start('OAuth without scope', { type: 'oauth', provider: { checks: ['pkce'] } }),
  start('in client mode', { start: { client: true } }),
  start('no CSRF token', { start: { csrf: 'none' } }),
  start('checks: state', { provider: { checks: ['state'] } }),
  start('checks: pkce', { provider: { checks: ['pkce'] } }),
  start('checks: none', { provider: { checks: ['none'] } }),
  start('own parameters', {
    provider: { authorization: { params: { scope: 'openid', prompt: 'login' } } },
  }),
  start('checks in options', {
    provider: { checks: ['pkce', 'state'], options: { checks: ['none'] } },
  }),
  start("the visitor's parameters", { start: { path: '/signin/op?login_hint=ada&prompt=none' } }),
  start("the visitor's parameters that are ours", {
    start: { path: '/signin/op?client_id=x&redirect_uri=https://x.example&response_type=token' },
  }),
  start("the visitor's parameters that are configured", {
    provider: { authorization: { params: { prompt: 'login' } } },
    start: { path: '/signin/op?prompt=none' },
  }),
  start("the visitor's narrower scope", { start: { path: '/signin/op?scope=openid' } }),
  start("the visitor's wider scope", { start: { path: '/signin/op?scope=openid%20admin' } }),
  start('form_post', { provider: { authorization: { params: { response_mode: 'form_post' } } } }),
  start('no client id', { provider: { clientId: undefined } }),
  start('discovery fails', {
    server: faults => {
      faults.answer = () => new Response('down', { status: 500 })
    },
  }),
  start('with a redirect proxy', {
    config: () => ({
      redirectProxyUrl: 'https://proxy.example/auth',
      redirectProxyOrigins: ['https://app.example.com'],
    }),
  }),

  finish('OIDC'),
  finish('OIDC, checks not decided', { provider: { checks: undefined } }),
  finish('OAuth', { type: 'oauth' }),
  finish('in client mode', { callback: { client: true } }),
  finish('OIDC with userinfo', { provider: { idToken: false } }),
  finish('own profile', {
    provider: { profile: (claims: { sub: string }) => ({ id: claims.sub, name: 'Own' }) },
  }),
  finish('profile throws', { provider: { profile: fail } }),
  finish('profile with a number as id', { provider: { profile: () => ({ id: 7 }) } }),
  finish('profile without id', { provider: { profile: () => ({ name: 'X' }) } }),
  finish('signIn answers false', {
    config: (_library, { spy }) => ({
      callbacks: { signIn: spy('callbacks.signIn', () => false) },
    }),
  }),
  finish('signIn answers a path', {
    config: (_library, { spy }) => ({
      callbacks: { signIn: spy('callbacks.signIn', () => '/not-yet') },
    }),
  }),
  finish('the visitor said no', {
    back: parameters => {
      parameters.delete('code')
      parameters.set('error', 'access_denied')
    },
  }),
  finish('no code', { back: parameters => parameters.delete('code') }),
  finish('cookies lost', { forgets: true }),
  finish('in another browser, which has the cookie of the attempt', {
    callback: { cookies: async () => ({ [CSRF]: await csrfCookie('d6'.repeat(32)) }) },
  }),
  finish('another state', { back: parameters => parameters.set('state', 'x') }),
  finish('no state', {
    back: parameters => parameters.delete('state'),
  }),
  finish('another issuer', { back: parameters => parameters.set('iss', 'https://x.example') }),
  finish('twice', { twice: true }),
  finish('the token endpoint refuses', {
    server: faults => {
      faults.answer = path =>
        path === '/token' ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : undefined
    },
  }),
  finish('the token endpoint is down', {
    server: faults => {
      faults.answer = path => (path === '/token' ? new Response('', { status: 502 }) : undefined)
    },
  }),
  finish('userinfo refuses', {
    type: 'oauth',
    server: faults => {
      faults.answer = path =>
        path === '/userinfo' ? Response.json({ error: 'x' }, { status: 401 }) : undefined
    },
  }),
  finish('ID token for somebody else', {
    server: faults => {
      faults.claims = claims => ({ ...claims, aud: 'another' })
    },
  }),
  finish('ID token of another time', {
    server: faults => {
      faults.claims = claims => ({ ...claims, exp: NOW / 1000 - 3600 })
    },
  }),
  finish('ID token signed by another key', {
    server: faults => {
      faults.answer = path => (path === '/jwks' ? Response.json({ keys: [] }) : undefined)
    },
  }),
  finish('with a page for new users', {
    config: stored(nobody, { pages: { newUser: '/welcome' } }),
  }),

  finish('adapter: somebody new', { config: stored(nobody) }),
  finish('adapter: somebody new, JWT sessions', {
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, null, nobody),
      session: { strategy: 'jwt' },
      callbacks: { jwt: recorder.spy('callbacks.jwt', ({ token }) => token) },
    }),
  }),
  finish('adapter: what of the account the linkAccount event has', {
    config: (_library, recorder) => {
      const members = recorder.spy('members of the linked account', (_members: unknown) => {})
      return {
        adapter: adapterWith(recorder, null, nobody),
        events: {
          linkAccount: ({ account: { userId: _, ...rest } }: { account: { userId?: string } }) =>
            members(Object.keys(rest).sort()),
        },
      }
    },
  }),
  finish('adapter: somebody new, the provider vouches for the address', {
    server: vouches,
    config: (library, recorder) => stored({ ...nobody, ...usersOf() })(library, recorder),
  }),
  finish('adapter: somebody known, the provider vouches for the address', {
    server: vouches,
    config: unproven({ getUserByAccount: () => ({ ...ada, emailVerified: null }) }),
  }),
  finish('adapter: somebody known', { config: stored({ getUserByAccount: () => ada }) }),
  finish('adapter: the address is taken', {
    config: stored({ ...nobody, getUserByEmail: () => ada }),
  }),
  finish('adapter: the address is taken, the provider vouches for it', {
    server: vouches,
    config: stored({ ...nobody, getUserByEmail: () => ada }),
  }),
  finish('adapter: the address is taken, linking allowed', {
    provider: { allowDangerousEmailAccountLinking: true },
    server: vouches,
    config: stored({ ...nobody, getUserByEmail: () => ada }),
  }),
  finish('adapter: the address is taken, linking allowed, nobody vouches for it', {
    provider: { allowDangerousEmailAccountLinking: true },
    config: stored({ ...nobody, getUserByEmail: () => ada }),
  }),
  finish('adapter: the address was never proved', { config: unproven() }),
  finish('adapter: the address was never proved until now', {
    server: vouches,
    config: unproven(),
  }),
  finish('adapter: the address was never proved until now, linking allowed', {
    provider: { allowDangerousEmailAccountLinking: true },
    server: vouches,
    config: unproven(),
  }),
  finish('adapter: the address was never proved until now, JWT sessions', {
    server: vouches,
    config: unproven({}, { session: { strategy: 'jwt' } }),
  }),
  start('adapter: somebody is signed in since before the swap', {
    start: { cookies: { [SESSION]: 'row-1' } },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, { expires: new Date(NOW + 1e9) }, nobody),
    }),
  }),
  finish('adapter: somebody is signed in', {
    signedIn: { cookies: ofRow },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, { expires: new Date(NOW + 1e9) }, nobody),
    }),
  }),
  finish('adapter: somebody has signed in meanwhile', {
    callback: { cookies: ofRow },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, { expires: new Date(NOW + 1e9) }, nobody),
    }),
  }),
  finish('adapter: somebody has signed out meanwhile', {
    start: { cookies: ofRow },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, { expires: new Date(NOW + 1e9) }, nobody),
    }),
  }),
  finish('adapter: somebody was signed in, long ago', {
    signedIn: { cookies: ofRow },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, { expires: new Date(NOW - 1e9) }, nobody),
    }),
  }),
  finish('adapter: somebody else is signed in', {
    signedIn: { cookies: ofRow },
    config: (_library, recorder) => ({
      adapter: adapterWith(
        recorder,
        { expires: new Date(NOW + 1e9) },
        { ...nobody, getUserByAccount: () => ada },
      ),
    }),
  }),
  finish('adapter: somebody is signed in, JWT sessions', {
    signedIn: {
      session: { ...ANNS_CLAIMS, sub: ANN.id },
      cookies: () => bindingCookie({ userId: ANN.id }),
    },
    config: (_library, recorder) => ({
      adapter: adapterWith(recorder, null, nobody),
      session: { strategy: 'jwt' },
    }),
  }),
  finish('adapter: createUser throws', { config: stored({ ...nobody, createUser: fail }) }),
  finish('adapter: linkAccount throws', { config: stored({ ...nobody, linkAccount: fail }) }),
]
