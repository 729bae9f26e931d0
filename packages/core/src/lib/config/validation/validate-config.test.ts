import { describe, expect, it } from 'vitest'
import { createTestAuth, SECRET, warningsOf } from '../../../../test/visitor.ts'
import type { Adapter } from '../../base/adapter.ts'
import type { AuthError } from '../../base/errors.ts'
import type { CredentialsConfig } from '../../providers/credentials.ts'
import type { EmailConfig } from '../../providers/email.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import type { AuthConfig } from '../options.ts'

/** What is reported of a configuration when it is first used. */
async function faultsOf(
  config: Partial<AuthConfig>,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly AuthError[]> {
  const auth = createTestAuth(config, env)
  const response = await auth.handle(new Request('https://app.example.com/auth/session'))
  expect(response.status).toBe(auth.errors.length > 0 ? 500 : 200)
  return auth.errors as AuthError[]
}

const types = (faults: readonly AuthError[]) => faults.map(({ type }) => type)

const oauth = (members: Partial<OAuthConfig<never>> = {}): ProviderObject => ({
  id: 'oa',
  name: 'OA',
  type: 'oauth',
  clientId: 'client',
  ...members,
})
const credentials = (members: Partial<CredentialsConfig> = {}): ProviderObject =>
  ({
    id: 'credentials',
    name: 'Password',
    type: 'credentials',
    credentials: {},
    ...members,
  }) as CredentialsConfig
const email: EmailConfig = {
  id: 'email',
  name: 'Email',
  type: 'email',
  sendVerificationRequest: () => {},
}
const passkey = (members: Partial<WebAuthnConfig> = {}): ProviderObject => ({
  id: 'passkey',
  name: 'Passkey',
  type: 'webauthn',
  ...members,
})

const pem = (base64: string) =>
  `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`

const method = () => {
  throw new Error('not needed here')
}
const databaseAdapter: Adapter = {
  createUser: method,
  getUser: method,
  getUserByEmail: method,
  getUserByAccount: method,
  updateUser: method,
  linkAccount: method,
  createSession: method,
  getSessionAndUser: method,
  updateSession: method,
  deleteSession: method,
}
const passkeyAdapter: Adapter = {
  ...databaseAdapter,
  getAccount: method,
  getAuthenticator: method,
  createAuthenticator: method,
  listAuthenticatorsByUserId: method,
  updateAuthenticatorCounter: method,
}

describe('a good configuration', () => {
  it.each([
    ['with nothing but a secret', {}],
    ['with credentials', { providers: [credentials({ authorize: () => null })] }],
    ['with an issuer', { providers: [oauth({ issuer: 'https://idp.example' })] }],
    ['with discovery elsewhere', { providers: [oauth({ wellKnown: 'https://idp.example/x' })] }],
    [
      'with all endpoints',
      {
        providers: [
          oauth({ authorization: 'https://a', token: 'https://t', userinfo: 'https://u' }),
        ],
      },
    ],
    [
      'with endpoints that are functions',
      {
        providers: [
          oauth({
            authorization: { url: 'https://a' },
            token: { request: async () => ({}) },
            userinfo: { request: async () => undefined },
          }),
        ],
      },
    ],
    ['with a database', { adapter: databaseAdapter }],
    ['with an adapter for users alone', { adapter: {}, session: { strategy: 'jwt' } }],
    [
      'with credentials and a database',
      { adapter: databaseAdapter, providers: [credentials({ authorize: () => null })] },
    ],
    ['with pages', { pages: { signIn: '/login', error: 'https://x.example/error?y=1' } }],
    ['with a list of hosts', { trustHost: ['app.example.com'] }],
    ['with durations', { session: { maxAge: 1, updateAge: 0 }, jwt: { maxAge: 60 } }],
  ] satisfies [string, Partial<AuthConfig>][])('%s has no fault', async (_what, config) => {
    expect(await faultsOf(config)).toEqual([])
  })
})

describe('the secret', () => {
  it.each([
    ['missing', { secret: undefined as never }],
    ['empty', { secret: '' }],
    ['an empty list', { secret: [] }],
    ['a list of nothing', { secret: [''] }],
    ['empty behind a good one', { secret: [SECRET, ''] }],
    ['not set behind a good one', { secret: [SECRET, undefined as never] }],
    ['empty for tokens', { jwt: { secret: [''] } }],
    ['empty for tokens behind a good one', { jwt: { secret: [SECRET, ''] } }],
  ])('is at fault where it is %s', async (_what, config) => {
    const faults = await faultsOf(config)
    expect(types(faults)).toEqual(['MissingSecret'])
    expect(faults[0]?.message).toMatch(/AUTH_SECRET|jwt\.secret/)
  })

  it('that is short is warned of', async () => {
    expect(await warningsOf(createTestAuth({ secret: 'x'.repeat(31) }))).toEqual(['short-secret'])
    expect(await warningsOf(createTestAuth({ secret: ['x'.repeat(32), 'short'] }))).toEqual([
      'short-secret',
    ])
    expect(await warningsOf(createTestAuth({ secret: 'x'.repeat(32) }))).toEqual([])
  })

  it('is never part of what is reported', async () => {
    const faults = await faultsOf({ secret: ['my own secret', ''] })
    expect(faults.map(String).join()).not.toContain('my own secret')
  })
})

describe('the host', () => {
  it.each([
    ['it is not trusted', { trustHost: false }, {}],
    ['the list of hosts is empty', { trustHost: [] }, {}],
    ['the environment says no', {}, { AUTH_TRUST_HOST: 'false' }],
  ] satisfies [string, Partial<AuthConfig>, Record<string, string>][])(
    'is not known where %s',
    async (_what, config, env) => {
      const faults = await faultsOf(config, env)
      expect(types(faults)).toEqual(['UntrustedHost'])
      expect(faults[0]?.message).toContain('AUTH_URL')
    },
  )

  it.each([['app.example.com'], [[7]], [{}]])(
    'is told of on a page where nobody can tell which it is: %j',
    async trustHost => {
      const auth = createTestAuth({ trustHost: trustHost as never })
      const page = await auth.handle(new Request('https://app.example.com/auth/signin'))
      expect(page.status).toBe(500)
      expect(page.headers.get('content-type')).toContain('text/html')
    },
  )

  it('is known from AUTH_URL, even where headers are not trusted', async () => {
    const env = { NODE_ENV: 'production', AUTH_URL: 'https://app.example.com' }
    expect(await faultsOf({ trustHost: false }, env)).toEqual([])
  })
})

describe('an option', () => {
  it.each([
    ['basePath', { basePath: 'auth' }],
    ['session.maxAge', { session: { maxAge: 0 } }],
    ['session.maxAge', { session: { maxAge: -1 } }],
    ['session.maxAge', { session: { maxAge: Number.NaN } }],
    ['session.maxAge', { session: { maxAge: Number.POSITIVE_INFINITY } }],
    ['session.maxAge', { session: { maxAge: '3600' as never } }],
    ['session.absoluteAge', { session: { absoluteAge: 0 } }],
    ['session.remember', { session: { remember: 'yes' as never } }],
    ['session.hashTokens', { session: { hashTokens: 'sha256' as never } }],
    ['jwt.maxAge', { jwt: { maxAge: 0 } }],
    ['jwt.maxAge', { jwt: { maxAge: Number.POSITIVE_INFINITY } }],
    ['jwt.cacheBytes', { jwt: { cacheBytes: -1 } }],
    ['jwt.cacheBytes', { jwt: { cacheBytes: Number.NaN } }],
    ['session.updateAge', { session: { updateAge: -1 } }],
    ['session.updateAge', { session: { updateAge: Number.NaN } }],
    ['pages.signIn', { pages: { signIn: 'login' } }],
    ['pages.error', { pages: { error: '//evil.example' } }],
    ['pages.newUser', { pages: { newUser: 'javascript:alert(1)' } }],
    ['pages.error', { pages: { error: 'https://user:pw@app.example/error' } }],
    ['pages.signOut', { pages: { signOut: '' } }],
    ['pages.verifyRequest', { pages: { verifyRequest: 7 as never } }],
    ['redirectProxyUrl', { redirectProxyUrl: '/auth' }],
    ['redirectProxyUrl', { redirectProxyUrl: 'ftp://x.example' }],
    ['redirectProxyOrigins', { redirectProxyOrigins: ['preview.example.com'] }],
    ['redirectProxyOrigins', { redirectProxyOrigins: ['https://x.example/auth'] }],
    ['cookies.sessionToken', { cookies: { sessionToken: { name: 'a;b' } } }],
    ['cookies.csrfToken', { cookies: { csrfToken: { options: { domain: 'example.com' } } } }],
    ['cookies.state', { cookies: { state: { options: { maxAge: 0.5 } } } }],
  ] satisfies [string, Partial<AuthConfig>][])('%s is at fault: %j', async (name, config) => {
    const faults = await faultsOf(config)
    expect(types(faults)).toEqual(['InvalidConfiguration'])
    expect(faults[0]?.message).toContain(name)
  })

  it('from the environment is at fault in the same way', async () => {
    const faults = await faultsOf({}, { AUTH_REDIRECT_PROXY_URL: 'nonsense' })
    expect(types(faults)).toEqual(['InvalidConfiguration'])
    expect(types(await faultsOf({}, { AUTH_URL: 'nonsense' }))).toEqual(['InvalidConfiguration'])
    expect(types(await faultsOf({}, { AUTH_TRUST_HOST: 'x' }))).toEqual(['InvalidConfiguration'])
  })

  it('about cookies is reported once, though there are two tables of them', async () => {
    expect(await faultsOf({ cookies: { sessionToken: { name: 'ä' } } })).toHaveLength(1)
  })

  it('about cookies that are never used does no harm', async () => {
    const cookies = { sessionToken: { name: '__Secure-mine' } }
    expect(await faultsOf({ cookies }, { AUTH_URL: 'https://app.example.com' })).toEqual([])
    expect(await faultsOf({ cookies, useSecureCookies: true })).toEqual([])
    expect(types(await faultsOf({ cookies, useSecureCookies: false }))).toEqual([
      'InvalidConfiguration',
    ])
  })
})

describe('a provider', () => {
  const url = 'https://idp.example'

  it.each([
    ['authorization', oauth()],
    ['authorization', oauth({ type: 'oidc' })],
    ['authorization', oauth({ authorization: '' })],
    ['authorization', oauth({ authorization: { params: { scope: 'x' } } })],
    ['token', oauth({ authorization: { url } })],
    ['token', oauth({ authorization: url, token: {} })],
    ['userinfo', oauth({ authorization: url, token: { url } })],
    ['userinfo', oauth({ authorization: url, token: url, userinfo: {} })],
  ])('without an issuer needs its endpoints: %s', async (name, provider) => {
    const faults = await faultsOf({ providers: [provider] })
    expect(types(faults)).toEqual(['InvalidEndpoints'])
    expect(faults[0]?.message).toContain('"oa"')
    expect(faults[0]?.message).toContain(name)
  })

  it.each([
    ['a word that is none', { logout: 'everywhere' as never }, /must be 'local' or 'provider'/],
    ['a provider that says nowhere how', { logout: 'provider' as const }, /Set `endSession`/],
  ])('signs out at the provider where it can: not by %s', async (_what, logout, cure) => {
    const endpoints = { authorization: url, token: url, userinfo: url }
    const faults = await faultsOf({ providers: [oauth({ ...endpoints, ...logout })] })
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(cure)])
  })

  it('is looked at as it is with its options', async () => {
    const options = { issuer: url } as never
    expect(await faultsOf({ providers: [oauth({ options })] })).toEqual([])
    expect(await faultsOf({ providers: [() => oauth({ options })] })).toEqual([])
  })

  it('of credentials needs authorize, as an object or as a function', async () => {
    for (const provider of [credentials(), () => credentials()]) {
      const faults = await faultsOf({ providers: [provider] })
      expect(types(faults)).toEqual(['MissingAuthorize'])
      expect(faults[0]?.message).toContain('"credentials"')
    }
    const options = { authorize: () => null }
    expect(await faultsOf({ providers: [credentials({ options })] })).toEqual([])
  })

  it('that is none is at fault, and the others are looked at all the same', async () => {
    const nothing = [undefined, null, {}, 'github', 7] as never[]
    const throwing = () => {
      throw new Error('needs `server`')
    }
    const faults = await faultsOf({ providers: [...nothing, throwing, credentials()] })
    expect(types(faults)).toEqual([
      ...nothing.map(() => 'InvalidProvider'),
      'InvalidProvider',
      'MissingAuthorize',
    ])
    expect(faults[5]?.cause?.err?.message).toBe('needs `server`')
  })

  it('without a client id is warned of', async () => {
    const provider = { ...oauth({ issuer: url }), clientId: undefined as never }
    expect(await warningsOf(createTestAuth({ providers: [provider] }))).toEqual([
      'missing-client-id',
    ])
  })
})

describe('WebAuthn', () => {
  const config = (providers: ProviderObject[], more: Partial<AuthConfig> = {}) => ({
    providers,
    adapter: passkeyAdapter,
    experimental: { enableWebAuthn: true },
    ...more,
  })
  const field = { email: { autocomplete: 'username webauthn' } }

  it('is without fault where it is switched on', async () => {
    expect(await faultsOf(config([passkey()]))).toEqual([])
    const conditional = passkey({ enableConditionalUI: true, formFields: field })
    expect(await faultsOf(config([conditional]))).toEqual([])
    expect(await warningsOf(createTestAuth(config([passkey()])))).toEqual(['experimental-webauthn'])
  })

  it('must be switched on', async () => {
    const faults = await faultsOf(config([passkey()], { experimental: {} }))
    expect(types(faults)).toEqual(['ExperimentalFeatureNotEnabled'])
  })

  it('fills in one form only', async () => {
    const two = ['a', 'b'].map(id => passkey({ id, enableConditionalUI: true, formFields: field }))
    expect(types(await faultsOf(config(two)))).toEqual(['DuplicateConditionalUI'])
  })

  it('fills in a form that says so', async () => {
    for (const formFields of [
      undefined,
      {},
      { email: { autocomplete: 'username' } },
      { email: {} },
    ]) {
      const provider = passkey({ enableConditionalUI: true, ...(formFields && { formFields }) })
      expect(types(await faultsOf(config([provider])))).toEqual(['MissingWebAuthnAutocomplete'])
    }
  })

  it.each<[string, Partial<WebAuthnConfig>, Partial<AuthConfig>]>([
    ['trustAnchors', { requireAttestation: true as never }, {}],
    ['trustAnchors', { requireAttestation: { trustAnchors: [] } }, {}],
    ['trustAnchors', { requireAttestation: { trustAnchors: ['MIIB'] } }, {}],
    ['trustAnchors', { requireAttestation: { trustAnchors: [pem('AAAA')] } }, {}],
    ['aaguids', { requireAttestation: { trustAnchors: [pem('MIIB')], aaguids: ['x'] } }, {}],
    ['aaguids', { requireAttestation: { trustAnchors: [pem('MIIB')], aaguids: [] } }, {}],
    [
      'attestationType',
      {
        requireAttestation: { trustAnchors: [pem('MIIB')] },
        registrationOptions: { attestationType: 'none' },
      },
      {},
    ],
    [
      'relayingParty.origin',
      { relayingParty: { id: 'example.com' } },
      { trustHost: ['*.example.com'] },
    ],
    [
      'relayingParty.origin',
      { relayingParty: { id: 'example.com' } },
      { trustHost: ['app.example.com', '*.example.com'] },
    ],
  ])('is told what is wrong with %s', async (option, members, more) => {
    const faults = await faultsOf(config([passkey(members)], more))
    expect(types(faults)).toEqual(['InvalidConfiguration'])
    expect(faults[0]?.message).toContain(option)
  })

  it('is without fault if devices must prove what they are, and the site is known', async () => {
    const requireAttestation = { trustAnchors: [`Maker\n${pem('MIIB')}`] }
    const relayingParty = { id: 'example.com', origin: 'https://app.example.com' }
    const provider = passkey({ requireAttestation, relayingParty })
    expect(await faultsOf(config([provider], { trustHost: ['*.example.com'] }))).toEqual([])
  })

  it('needs an adapter, with methods of its own', async () => {
    const { adapter: _, ...without } = config([passkey()])
    expect(types(await faultsOf(without))).toEqual(['MissingAdapter'])
    const faults = await faultsOf(config([passkey()], { adapter: databaseAdapter }))
    expect(types(faults)).toEqual(['MissingAdapterMethods'])
    for (const name of ['getAccount', 'getAuthenticator', 'updateAuthenticatorCounter']) {
      expect(faults[0]?.message).toContain(name)
    }
  })
})

describe('an adapter', () => {
  it.each([
    ['database sessions', { session: { strategy: 'database' } }],
    ['email', { providers: [email] }],
  ] satisfies [string, Partial<AuthConfig>][])('is needed for %s', async (_what, config) => {
    const faults = await faultsOf(config)
    expect(types(faults)).toEqual(['MissingAdapter'])
    expect(faults[0]?.message).toContain('adapter')
  })

  it('that lacks methods is told which, for each thing that needs them', async () => {
    const faults = await faultsOf({ adapter: { getUser: method }, providers: [email] })
    expect(types(faults)).toEqual(['MissingAdapterMethods', 'MissingAdapterMethods'])
    const [sessions, links] = faults.map(({ message }) => message)
    for (const name of ['createUser', 'getSessionAndUser', 'deleteSession']) {
      expect(sessions).toContain(name)
    }
    expect(sessions).not.toMatch(/getUser[,.]/)
    expect(links).toContain('useVerificationToken')
  })

  it('may have its methods from a class', async () => {
    class Store {}
    Object.assign(Store.prototype, databaseAdapter)
    expect(await faultsOf({ adapter: new Store() })).toEqual([])
  })
})

describe('several faults', () => {
  it('are all reported at once, each with what to do about it', async () => {
    const faults = await faultsOf(
      {
        secret: '',
        basePath: 'auth',
        session: { strategy: 'database', maxAge: -1 },
        pages: { signIn: 'x' },
        providers: [oauth(), credentials()],
        cookies: { sessionToken: { name: 'ä' } },
      },
      { NODE_ENV: 'production', AUTH_TRUST_HOST: 'false' },
    )
    expect(types(faults).sort()).toEqual([
      'InvalidConfiguration',
      'InvalidConfiguration',
      'InvalidConfiguration',
      'InvalidConfiguration',
      'InvalidEndpoints',
      'MissingAdapter',
      'MissingAuthorize',
      'MissingSecret',
      'UntrustedHost',
    ])
    for (const { message } of faults) expect(message).toMatch(/[Ss]et |must|needs|cannot have/)
  })

  it('of one configuration are not those of another', async () => {
    expect(types(await faultsOf({ providers: [email] }))).toEqual(['MissingAdapter'])
    expect(await faultsOf({ adapter: {}, session: { strategy: 'jwt' } })).toEqual([])
  })
})
