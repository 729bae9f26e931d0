import type { AuthConfig } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import Passkey from '@siteauth/core/providers/passkey'
import type { CookiesOptions, Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { SessionScopedName } from '../../src/lib/http/fixed-cookies.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

/** What a request does with a cookie that the browser has. */
type Change = 'set' | 'removed' | 'left'

interface Row {
  /** What the cookie is called where the origin is https. */
  readonly name: string
  /** What a sign-in does with it, and what a sign-out does. */
  readonly changes: readonly [signIn: Change, signOut: Change]
  /** The application that uses this cookie: tokens are in a cookie only without a store. */
  readonly where?: keyof typeof APPLICATIONS
}

/** Every cookie of the library. One that is added to the types needs a row here. */
const COOKIES: Readonly<
  Record<keyof CookiesOptions | SessionScopedName | 'siteauth.token-error', Row>
> = {
  sessionToken: { name: '__Secure-authjs.session-token', changes: ['set', 'removed'] },
  sessionBinding: { name: '__Host-siteauth.bound', changes: ['set', 'removed'] },
  callbackUrl: { name: '__Secure-authjs.callback-url', changes: ['removed', 'left'] },
  csrfToken: { name: '__Host-authjs.csrf-token', changes: ['left', 'left'] },
  // Each belongs to one attempt, which ends by itself.
  state: { name: '__Host-authjs.state', changes: ['left', 'left'] },
  pkceCodeVerifier: { name: '__Secure-authjs.pkce.code_verifier', changes: ['left', 'left'] },
  nonce: { name: '__Secure-authjs.nonce', changes: ['left', 'left'] },
  webauthnChallenge: { name: '__Host-authjs.challenge', changes: ['left', 'left'] },
  emailRequest: { name: '__Host-authjs.email-request', changes: ['left', 'left'] },
  tokens: {
    name: '__Host-siteauth.tokens.op',
    changes: ['removed', 'removed'],
    where: 'without a store',
  },
  'siteauth.token-error': {
    name: '__Host-siteauth.token-error',
    changes: ['removed', 'removed'],
    where: 'without a store',
  },
  signInForm: { name: '__Host-authjs.sign-in-form', changes: ['removed', 'left'] },
  knownBrowser: { name: '__Host-siteauth.known', changes: ['set', 'left'] },
  lastProvider: { name: '__Host-siteauth.last-provider', changes: ['set', 'left'] },
  reauthentication: { name: '__Host-siteauth.reauthenticate', changes: ['removed', 'left'] },
  'siteauth.changed': { name: '__Secure-siteauth.changed', changes: ['set', 'set'] },
  'siteauth.hint': { name: '__Secure-siteauth.hint', changes: ['removed', 'removed'] },
  'siteauth.via': { name: '__Secure-siteauth.via', changes: ['removed', 'removed'] },
  // It belongs to one visit to the provider.
  'siteauth.logout': { name: '__Secure-siteauth.logout', changes: ['left', 'left'] },
}

const provider = {
  ...{ id: 'op', name: 'OP', type: 'oidc', issuer: 'https://op.example', clientId: 'client' },
  ...{ clientSecret: 'secret', logout: 'provider' },
} as OIDCConfig<Profile>

const credentials = Credentials({
  credentials: { email: {} },
  authorize: ({ email }) => ({ id: 'ann', email: String(email) }),
})

const APPLICATIONS = {
  'with a store': () => {
    const adapter = MemoryAdapter()
    const email = Nodemailer({ sendVerificationRequest() {} })
    return {
      adapter,
      session: { strategy: 'jwt' },
      experimental: { enableWebAuthn: true },
      limits: true,
      clientAddress: () => '203.0.113.7',
      providers: [provider, credentials, email, Passkey],
    }
  },
  'without a store': () => ({
    account: { storeTokensInCookie: true },
    providers: [provider, credentials],
  }),
} satisfies Record<string, () => Partial<AuthConfig>>

/** Signs in and out with every cookie in the browser, and returns what happened to each. */
async function observe(config: Partial<AuthConfig>): Promise<Record<string, [Change, Change]>> {
  const { handle, errors } = createTestAuth(config)
  const visitor = new Visitor(handle)
  const names = Object.values(COOKIES).map(({ name }) => name)
  async function changes(act: () => Promise<Response>): Promise<Change[]> {
    for (const name of names) if (!visitor.cookies.has(name)) visitor.cookies.set(name, 'x')
    visitor.cookies.delete(COOKIES.csrfToken.name) // one that cannot be opened would be replaced
    await visitor.get('/csrf')
    const lines = (await act()).headers.getSetCookie()
    return names.map(name => {
      const line = lines.find(each => each.startsWith(`${name}=`))
      if (line === undefined) return 'left'
      return line.includes('Max-Age=0') ? 'removed' : 'set'
    })
  }
  const signIn = await changes(() =>
    visitor.post('/callback/credentials', { email: 'ann@example.com' }),
  )
  expect(errors).toEqual([])
  const signOut = await changes(() => visitor.post('/signout'))
  return Object.fromEntries(
    names.map((name, index) => [name, [signIn[index] ?? 'left', signOut[index] ?? 'left']]),
  )
}

describe.each(Object.entries(APPLICATIONS))('an application %s', (application, configure) => {
  const rows = Object.values(COOKIES).filter(({ where = 'with a store' }) => where === application)

  it('sets and removes each cookie with the session, or leaves it', async () => {
    const observed = await observe(configure() as Partial<AuthConfig>)
    expect(Object.fromEntries(rows.map(({ name }) => [name, observed[name]]))).toEqual(
      Object.fromEntries(rows.map(({ name, changes }) => [name, changes])),
    )
  })
})

it('gives the cookies beside the session its scope, and not its lifetime or its encoding', async () => {
  const options = { domain: 'example.com', maxAge: 60, encode: (value: string) => `(${value})` }
  const { handle } = createTestAuth({
    providers: [provider, credentials],
    cookies: { sessionToken: { options } },
  })
  const visitor = new Visitor(handle)
  visitor.cookies.set(COOKIES['siteauth.via'].name, '1')
  const answer = await visitor.post('/callback/credentials', { email: 'ann@example.com' })
  const lines = answer.headers.getSetCookie().filter(line => line.includes('siteauth.'))
  expect(lines.map(line => line.replace(/=[0-9a-f]{16};/, '=random;'))).toEqual([
    '__Secure-siteauth.hint=; Max-Age=0; Domain=example.com; Path=/auth/signout; HttpOnly; Secure; SameSite=Lax',
    '__Secure-siteauth.via=; Max-Age=0; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Secure-siteauth.changed=random; Domain=example.com; Path=/; Secure; SameSite=Lax',
  ])
})
