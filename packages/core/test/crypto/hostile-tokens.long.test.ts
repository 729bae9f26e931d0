import { getToken } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'
import { honestToken, hostileTokens } from './hostile-tokens.ts'

const COOKIE = '__Secure-authjs.session-token'
const NOW = Date.now()
const hostile = hostileTokens(SECRET, COOKIE, NOW)
const sendable = hostile.filter(([, token]) => token !== '')

function sessionRequest(cookie: string): Request {
  return new Request('https://app.example.com/auth/session', { headers: { cookie } })
}

describe('a session cookie that no server of ours has made', () => {
  it('would be let in if it were honest', async () => {
    const auth = createTestAuth({})
    const response = await auth.handle(
      sessionRequest(`${COOKIE}=${honestToken(SECRET, COOKIE, NOW)}`),
    )
    expect(await response.json()).toMatchObject({ user: { name: 'Ann' } })
  })

  it.each(sendable)('is nobody, and is removed: %s', async (_what, token) => {
    const auth = createTestAuth({})
    const request = sessionRequest(`${COOKIE}=${token}`)
    const response = await auth.handle(request)
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([
      `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(await auth.getSession(request)).toBeNull()
    expect(auth.errors.map(error => error.message).join()).not.toContain('mallory')
  })

  it('is nobody in the chunks of a large one, either', async () => {
    const auth = createTestAuth({})
    const token = honestToken(SECRET, COOKIE, NOW)
    const chunks = [token.slice(0, 100), token.slice(101)] // one character is lost
    const cookie = chunks.map((chunk, index) => `${COOKIE}.${index}=${chunk}`).join('; ')
    const response = await auth.handle(sessionRequest(cookie))
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual(
      [0, 1].map(n => `${COOKIE}.${n}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`),
    )
  })
})

// CVE-2023-48309: the cookie of a sign-in that was merely started passed for a session.
describe('a cookie of ours that is no session', () => {
  it('is nobody where it stands in for one', async () => {
    const auth = createTestAuth({
      providers: [
        {
          id: 'oa',
          name: 'OA',
          type: 'oauth',
          clientId: 'client',
          clientSecret: 'secret of the client',
          authorization: 'https://idp.example/authorize',
          token: 'https://idp.example/token',
          userinfo: 'https://idp.example/userinfo',
        },
      ],
    })
    const visitor = new Visitor(auth.handle)
    const started = await visitor.post('/signin/oa', { callbackUrl: '/home' })
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const values = [...visitor.cookies.values(), state]
    expect([auth.errors, values.length]).toEqual([[], 3])
    for (const value of values) {
      const request = sessionRequest(`${COOKIE}=${value}`)
      expect(await (await auth.handle(request)).json()).toBeNull()
      expect(await auth.getSession(request)).toBeNull()
      expect(await getToken({ req: request, secret: SECRET, secureCookie: true })).toBeNull()
      const bearer = { headers: { authorization: `Bearer ${value}` } }
      expect(await getToken({ req: bearer, secret: SECRET, secureCookie: true })).toBeNull()
    }
  })
})

describe('getToken', () => {
  const secureCookie = true

  it('lets the honest token in, from a cookie or a header', async () => {
    const token = honestToken(SECRET, COOKIE, NOW)
    const inCookie = { headers: { cookie: `${COOKIE}=${token}` } }
    const inHeader = { headers: { authorization: `Bearer ${token}` } }
    for (const req of [inCookie, inHeader]) {
      expect(await getToken({ req, secret: SECRET, secureCookie })).toMatchObject({ sub: 'ann' })
    }
  })

  it.each(sendable)('answers null: %s', async (_what, token) => {
    const inCookie = { headers: { cookie: `${COOKIE}=${token}` } }
    const inHeader = { headers: { authorization: `Bearer ${token}` } }
    for (const req of [inCookie, inHeader]) {
      expect(await getToken({ req, secret: SECRET, secureCookie })).toBeNull()
      expect(await getToken({ req, secret: [SECRET, 'x'], secureCookie })).toBeNull()
    }
  })
})
