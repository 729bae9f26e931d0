import { inspect } from 'node:util'
import type { AuthConfig } from '@siteauth/core'
import type { OAuth2Config, Provider } from '@siteauth/core/providers'
import GitLab from '@siteauth/core/providers/gitlab'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'
import {
  CLIENT_SECRET,
  type PlainOAuthServer,
  startPlainOAuthServer,
} from './plain-oauth-server.ts'

interface PlainProfile {
  id: number
  name: string
  email: string
}

let server: PlainOAuthServer

beforeEach(async () => {
  const callbacks = 'https://app.example.com/auth/callback'
  server = await startPlainOAuthServer([`${callbacks}/plain`, `${callbacks}/gitlab`])
})

afterEach(() => server.close())

function plain(over: Partial<OAuth2Config<PlainProfile>> = {}): OAuth2Config<PlainProfile> {
  return {
    id: 'plain',
    name: 'Plain',
    type: 'oauth',
    authorization: `${server.origin}/oauth/authorize?scope=read_user`,
    token: `${server.origin}/oauth/token`,
    userinfo: `${server.origin}/api/v4/user`,
    clientId: 'client_secret_basic',
    clientSecret: CLIENT_SECRET,
    profile: ({ id, name, email }) => ({ id: String(id), name, email }),
    ...over,
  }
}

function setUp(provider: Provider, config: Partial<AuthConfig> = {}) {
  const auth = createTestAuth({ providers: [provider], ...config })
  return { auth, visitor: new Visitor(auth.handle) }
}

/** Sends a visitor to the server. */
async function start(visitor: Visitor, id = 'plain'): Promise<URL> {
  const started = await visitor.post(`/signin/${id}`, { callbackUrl: '/inbox' })
  return new URL(started.headers.get('location') ?? '')
}

/** The whole way. Answers where it ends. */
async function signIn(visitor: Visitor, id = 'plain'): Promise<string | null> {
  const back = await server.visit(await start(visitor, id))
  return (await visitor.send(back.href)).headers.get('location')
}

const INBOX = 'https://app.example.com/inbox'
const REFUSED = 'https://app.example.com/auth/signin?error=OAuthCallbackError'

async function expectNobody(visitor: Visitor) {
  expect(await visitor.session()).toBeNull()
  expect([...visitor.cookies.keys()].filter(name => /state|session/.test(name))).toEqual([])
}

describe('sign-in at a server that speaks plain OAuth 2', () => {
  it('ends signed in, with the tokens and the profile of the server', async () => {
    const callback = vi.fn(() => true)
    const { visitor } = setUp(plain(), { callbacks: { signIn: callback } })
    const now = Date.now() / 1000
    expect(await signIn(visitor)).toBe(INBOX)
    expect(await visitor.session()).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.test' },
    })
    expect(callback).toHaveBeenCalledWith({
      user: expect.objectContaining({ name: 'Ada Lovelace' }),
      account: {
        provider: 'plain',
        type: 'oauth',
        providerAccountId: '7',
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        token_type: 'bearer',
        scope: 'read_user',
        expires_in: expect.closeTo(3600, -1),
        expires_at: expect.closeTo(now + 3600, -2),
      },
      profile: expect.objectContaining({ username: 'ada' }),
      isEmailProven: false,
    })
    expect(server.refusals).toEqual([])
  })

  it.each(['client_secret_post', 'none'])('works for a client by %s', async method => {
    const { visitor } = setUp(
      plain({
        clientId: method,
        clientSecret: method === 'none' ? '' : CLIENT_SECRET,
        client: { token_endpoint_auth_method: method },
      }),
    )
    expect(await signIn(visitor)).toBe(INBOX)
    expect(await visitor.session()).not.toBeNull()
  })

  it('works for GitLab, with a server of your own', async () => {
    const { visitor } = setUp(
      GitLab({
        clientId: 'client_secret_basic',
        clientSecret: CLIENT_SECRET,
        baseUrl: server.origin,
      }),
    )
    expect(await signIn(visitor, 'gitlab')).toBe(INBOX)
    expect(await visitor.session()).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.test' },
    })
    expect(server.refusals).toEqual([])
  })

  it('asks no server for metadata that is configured', async () => {
    const { visitor } = setUp(plain())
    await signIn(visitor)
    expect(server.count('/.well-known/openid-configuration')).toBe(0)
    expect(server.count('/.well-known/oauth-authorization-server')).toBe(0)
  })
})

describe('nobody is signed in by a server that speaks plain OAuth 2', () => {
  it('when its visitor does not agree', async () => {
    const { auth, visitor } = setUp(plain())
    const back = await server.decline(await start(visitor))
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect((await visitor.send(back.href)).headers.get('location')).toBe(REFUSED)
    await expectNobody(visitor)
    expect(server.count('/oauth/token')).toBe(0)
    expect(auth.errors).toMatchObject([{ type: 'OAuthCallbackError' }])
  })

  it('when it demands PKCE and that is switched off', async () => {
    const { visitor } = setUp(plain({ checks: ['state'] }))
    expect(await signIn(visitor)).toBe(REFUSED)
    await expectNobody(visitor)
    expect(server.refusals).toEqual(['invalid_request: a code challenge by S256 is needed'])
  })

  it('when the code belongs to another attempt, and so to another verifier', async () => {
    const { auth, visitor } = setUp(plain())
    const one = await server.visit(await start(visitor))
    const two = await server.visit(await start(visitor))
    two.searchParams.set('code', one.searchParams.get('code') ?? '')
    expect((await visitor.send(two.href)).headers.get('location')).toBe(REFUSED)
    expect(await visitor.session()).toBeNull()
    expect(server.refusals).toEqual(['invalid_grant: Invalid grant: code verifier is invalid'])
    expect(server.count('/api/v4/user')).toBe(0)
    expect(auth.errors).toMatchObject([{ cause: { error: 'invalid_grant' } }])
  })

  it('when an answer comes a second time, of which the server does not even hear', async () => {
    const { auth, visitor } = setUp(plain())
    const back = await server.visit(await start(visitor))
    const other = new Visitor(auth.handle)
    await visitor.send(back.href)
    for (const each of [visitor, other]) {
      const again = await each.send(back.href)
      expect(again.headers.get('location')).toContain('/auth/error?error=InvalidCheck')
    }
    expect(server.count('/oauth/token')).toBe(1)
    await expectNobody(other)
  })

  it.each(['client_secret_basic', 'client_secret_post'])(
    'when the secret is wrong by %s, and the log does not say it',
    async method => {
      const clientSecret = 'not-the-secret'
      const client = { token_endpoint_auth_method: method }
      const { auth, visitor } = setUp(plain({ clientId: method, clientSecret, client }))
      expect(await signIn(visitor)).toBe(REFUSED)
      await expectNobody(visitor)
      expect(server.refusals).toEqual(['invalid_client: Invalid client: client is invalid'])
      expect(auth.errors).toHaveLength(1)
      expect(inspect(auth.errors, { depth: 20 })).not.toContain(clientSecret)
    },
  )

  it('when the profile is refused to the token', async () => {
    const { auth, visitor } = setUp(plain())
    server.forgetTokens()
    expect(await signIn(visitor)).toBe(REFUSED)
    await expectNobody(visitor)
    expect(server.refusals).toEqual(['invalid_token: Invalid token: access token is invalid'])
    expect(auth.errors).toMatchObject([{ cause: { status: 401, error: 'invalid_token' } }])
    expect(auth.errors[0]?.message).toContain('status 401: invalid_token')
  })

  it('when the profile is refused to the token at GitLab', async () => {
    const { visitor } = setUp(
      GitLab({
        clientId: 'client_secret_basic',
        clientSecret: CLIENT_SECRET,
        baseUrl: server.origin,
      }),
    )
    server.forgetTokens()
    expect(await signIn(visitor, 'gitlab')).toBe(REFUSED)
    await expectNobody(visitor)
    expect(server.count('/api/v4/user')).toBe(1)
  })
})

describe('the server itself', () => {
  it('shows a profile to nobody without a token', async () => {
    const response = await fetch(`${server.origin}/api/v4/user`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
  })
})
