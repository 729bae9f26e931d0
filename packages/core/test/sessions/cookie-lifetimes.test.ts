import type { AuthConfig } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import Passkey from '@siteauth/core/providers/passkey'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { type Application, type Change, COOKIES } from './cookies.ts'

const provider = {
  ...{ id: 'op', name: 'OP', type: 'oidc', issuer: 'https://op.example', clientId: 'client' },
  ...{ clientSecret: 'secret', logout: 'provider' },
} as OIDCConfig<Profile>

const credentials = Credentials({
  credentials: { email: {} },
  authorize: ({ email }) => ({ id: 'ann', email: String(email) }),
})

const APPLICATIONS: Readonly<Record<Application, () => Partial<AuthConfig>>> = {
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
}

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
