import { inspect } from 'node:util'
import { createAuth } from '@siteauth/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type Faults } from '../oauth/fake-server.ts'
import { SECRET, Visitor } from '../visitor.ts'

/** Everything that was written, by console or logger. */
let written: string[] = []

beforeEach(() => {
  written = []
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      written.push(words.map(each => (typeof each === 'string' ? each : inspect(each))).join(' '))
    })
  }
})
afterEach(() => vi.restoreAllMocks())

/** Signs somebody in at a provider, with `debug: true`. Answers every secret that came up. */
async function signIn(
  faults: Faults = {},
  debug?: (...words: unknown[]) => void,
): Promise<ReadonlySet<string>> {
  const server = await createFakeServer()
  const secrets = new Set([SECRET, CLIENT_SECRET, 'at-ada', 'rt-ada'])
  Object.assign(server.faults, {
    tokens: (tokens: Record<string, unknown>) => {
      const id_token = String(tokens['id_token'])
      for (const each of [id_token, ...id_token.split('.')]) secrets.add(each)
      return { ...tokens, secret_of_the_provider: 'not for logs' }
    },
    ...faults,
  })
  secrets.add('not for logs')
  const op = { id: 'op', name: 'OP', type: 'oidc' as const, issuer: server.issuer }
  const { handle } = createAuth(
    {
      secret: SECRET,
      debug: true,
      ...(debug && { logger: { debug } }),
      providers: [{ ...op, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }],
      ports: { fetch: server.fetch },
    },
    { env: { NODE_ENV: 'test' } },
  )
  const visitor = new Visitor(handle)
  const remember = () => {
    for (const value of visitor.cookies.values()) {
      // But for the address to go back to, which everybody may know.
      if (!URL.canParse(decodeURIComponent(value))) {
        for (const part of [value, ...decodeURIComponent(value).split('|')]) secrets.add(part)
      }
    }
  }
  const started = await visitor.post('/signin/op', { callbackUrl: '/inbox' })
  remember()
  const url = new URL(started.headers.get('location') ?? '')
  for (const name of ['state', 'nonce', 'code_challenge']) {
    secrets.add(url.searchParams.get(name) ?? '')
  }
  const answer = server.authorize(url)
  secrets.add(answer.get('code') ?? '')
  await visitor.send(`/callback/op?${answer}`)
  remember()
  for (const { body } of server.requests) secrets.add(body.get('code_verifier') ?? '')
  secrets.delete('')
  return secrets
}

describe('with debug: true', () => {
  it('each step of a sign-in at a provider is told, in order', async () => {
    const told: unknown[][] = []
    await signIn({}, (...words) => void told.push(words))
    expect(told).toEqual([
      [
        'sign-in: the visitor is sent to the provider',
        {
          provider: 'op',
          type: 'oidc',
          endpoint: 'https://op.test/authorize',
          redirectUri: 'https://app.example.com/auth/callback/op',
          scope: 'openid profile email',
          checks: ['state', 'pkce', 'nonce'],
          parameters: expect.arrayContaining(['client_id', 'state', 'code_challenge']),
          isAdding: false,
        },
      ],
      ['sign-in: the visitor is back', expect.objectContaining({ parameters: expect.anything() })],
      [
        'sign-in: this is the browser that began',
        expect.objectContaining({ checks: ['state', 'pkce', 'nonce'] }),
      ],
      [
        'sign-in: the code was exchanged for tokens',
        expect.objectContaining({ tokenType: 'bearer', issuer: 'https://op.test' }),
      ],
      ['sign-in: the profile was read', expect.objectContaining({ source: 'id_token' })],
      ['sign-in: the profile was understood', expect.objectContaining({ hasEmail: true })],
      ['sign-in: the session has begun', expect.objectContaining({ strategy: 'jwt' })],
    ])
  })

  it.each([
    ['that succeeds', {}],
    ['with a profile from userinfo', { claims: ({ name: _, email: __, ...claims }) => claims }],
    ['whose id_token is of somebody else', { claims: claims => ({ ...claims, nonce: 'another' }) }],
    [
      'whose code is refused',
      {
        answer: path =>
          path === '/token'
            ? Response.json({ error: 'invalid_grant' }, { status: 400 })
            : undefined,
      },
    ],
  ] satisfies [string, Faults][])(
    'no secret of a sign-in %s is written, nor who it was',
    async (_how, faults) => {
      const secrets = await signIn(faults)
      expect(secrets.size).toBeGreaterThan(8)
      const all = written.join('\n')
      expect(all).toContain('sign-in: the visitor is back')
      expect([...secrets].filter(secret => all.includes(secret))).toEqual([])
      for (const personal of ['Ada', 'ada@example.test', '/inbox']) {
        expect(all).not.toContain(personal)
      }
    },
  )
})
