import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it, vi } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type Faults } from './fake-server.ts'

/** An id_token that says who it is about, and no more. */
const thin: Faults = {
  claims: ({ name: _name, email: _email, picture: _picture, ...claims }) => claims,
}

/** Signs somebody in. Answers what the application was told of them, and what came of it. */
async function signIn(faults: Faults, config: Partial<OIDCConfig<Profile>> = {}) {
  const server = await createFakeServer()
  Object.assign(server.faults, faults)
  const told = vi.fn((_params: { profile?: Profile; isEmailProven?: boolean }) => true)
  const op = { id: 'op', name: 'OP', type: 'oidc' as const, issuer: server.issuer }
  const auth = createTestAuth({
    providers: [{ ...op, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, ...config }],
    ports: { fetch: server.fetch },
    callbacks: { signIn: told },
  })
  const visitor = new Visitor(auth.handle)
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  const finished = await visitor.send(`/callback/op?${server.authorize(url)}`)
  return {
    asked: server.count('/userinfo'),
    params: told.mock.calls[0]?.[0],
    session: await visitor.session(),
    location: finished.headers.get('location'),
    steps: auth.debugs.map(([message]) => message),
  }
}

describe('an id_token without name and address', () => {
  it('is completed by the userinfo endpoint', async () => {
    const { asked, session } = await signIn(thin)
    expect(session).toMatchObject({
      user: { name: 'Ada from userinfo', email: 'ada@example.test' },
    })
    expect(asked).toBe(1)
  })

  it('wins where both say something', async () => {
    const { params } = await signIn({
      claims: claims => ({ ...thin.claims?.(claims), locale: 'en', picture: 'of the token' }),
      profile: profile => ({ ...profile, locale: 'fr', picture: 'of userinfo', zoneinfo: 'UTC' }),
    })
    expect(params?.profile).toMatchObject({
      locale: 'en',
      picture: 'of the token',
      zoneinfo: 'UTC',
      iss: 'https://op.test',
    })
  })

  it.each([
    ['userinfo', { email_verified: false }, { email_verified: true }, true],
    ['userinfo, which does not', { email_verified: true }, { email_verified: false }, false],
    ['userinfo, which is silent', { email_verified: true }, {}, false],
  ])('leaves it to %s to vouch for the address', async (_whom, inToken, inUserinfo, expected) => {
    const { params } = await signIn({
      claims: claims => ({ ...thin.claims?.(claims), ...inToken }),
      profile: profile => ({ ...profile, ...inUserinfo }),
    })
    expect(params).toMatchObject({ isEmailProven: expected })
  })

  it('does not vouch by a claim of its own for the address of userinfo', async () => {
    const faults: Faults = { claims: claims => ({ ...thin.claims?.(claims), confirmed: true }) }
    const { params } = await signIn(faults, { emailVerified: 'confirmed' })
    expect(params).toMatchObject({ isEmailProven: false })
  })

  it.each([
    ['of somebody else', { profile: profile => ({ ...profile, sub: 'mallory' }) }],
    ['of nobody', { profile: ({ sub: _, ...profile }) => profile }],
    [
      'that may be there the next time',
      { answer: path => (path === '/userinfo' ? new Response('', { status: 503 }) : undefined) },
    ],
  ] satisfies [string, Faults][])('signs nobody in by a profile %s', async (_whose, faults) => {
    const { session, location } = await signIn({ ...thin, ...faults })
    expect(session).toBeNull()
    expect(location).toContain('error=OAuthCallbackError')
  })

  it.each([401, 403, 404])(
    'has to do where userinfo refuses by %i, and a line says so',
    async status => {
      const refuse = (path: string) =>
        path === '/userinfo' ? new Response('', { status }) : undefined
      const { session, params, steps } = await signIn({ ...thin, answer: refuse })
      expect(session).not.toBeNull()
      expect(params?.profile).toMatchObject({ sub: 'ada' })
      expect(steps).toContainEqual(expect.stringContaining('userinfo refused'))
    },
  )

  it.each([
    ['it says the name', { claims: ({ email: _, ...claims }) => claims }, {}],
    ['it says the address', { claims: ({ name: _, ...claims }) => claims }, {}],
    ['nobody asked who it is', thin, { authorization: { params: { scope: 'openid' } } }],
    ['the application says that it is enough', thin, { idToken: true }],
    [
      'the server has no such endpoint',
      { ...thin, metadata: ({ userinfo_endpoint: _, ...document }) => document },
      {},
    ],
  ] satisfies [string, Faults, Partial<OIDCConfig<Profile>>][])(
    'costs no request where %s',
    async (_where, faults, config) => {
      const { asked, session } = await signIn(faults, config)
      expect(asked).toBe(0)
      expect(session).not.toBeNull()
    },
  )
})
