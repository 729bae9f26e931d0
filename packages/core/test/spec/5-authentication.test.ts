import { CredentialsSignin } from '@siteauth/core/errors'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import {
  ANN,
  CSRF_COOKIE,
  createApplication,
  ORIGIN,
  PASSWORD,
  SESSION_COOKIE,
  signedIn,
  signIn,
  writtenCookie,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

describe('5 Authentication', () => {
  it('5 item 1: sign-in happens through a configured provider, here credentials', async () => {
    const visitor = createApplication().visitor()
    expect(await visitor.session()).toBeNull()
    const response = await signIn(visitor)
    expect(response.status).toBe(302)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN.email } })
  })

  it('5 item 1: a provider that is not configured cannot be used', async () => {
    const visitor = createApplication().visitor()
    expect((await visitor.post('/callback/github')).status).toBe(404)
    expect((await visitor.post('/signin/github')).status).toBe(404)
  })

  it('5 item 2: authorize gets the fields and the request, and its object has the id', async () => {
    const seen: unknown[] = []
    const application = createApplication({
      providers: [
        Credentials({
          async authorize(credentials, request) {
            seen.push(credentials, request.method, request.url, request.headers.get('x-device'))
            seen.push(await request.json())
            return { id: 'ann' }
          },
        }),
      ],
      callbacks: { session: ({ session, token }) => Object.assign(session, { id: token.sub }) },
    })
    const visitor = application.visitor()
    const csrfToken = await visitor.csrfToken()
    await visitor.post('/callback/credentials?from=app', { pin: '1234' }, { 'x-device': 'phone' })
    const fields = { csrfToken, pin: '1234' }
    expect(seen).toEqual([
      fields,
      'POST',
      `${ORIGIN}/auth/callback/credentials?from=app`,
      'phone',
      fields,
    ])
    expect(await visitor.session()).toHaveProperty('id', 'ann')
  })

  it('5 item 2: a thrown CredentialsSignin signals failure, and so does null', async () => {
    function refuse(): never {
      throw new CredentialsSignin()
    }
    for (const authorize of [refuse, async () => refuse(), () => null, async () => null]) {
      const application = createApplication({ providers: [Credentials({ authorize })] })
      const visitor = application.visitor()
      const response = await visitor.post('/callback/credentials')
      expect(response.headers.get('location')).toContain('/auth/signin?error=CredentialsSignin')
      expect(await visitor.session()).toBeNull()
    }
  })

  it('5 item 2: what is no user is a fault of the application, and signs nobody in', async () => {
    for (const answer of [true, 'ann', 42, [], [ANN]]) {
      const authorize = () => answer as never
      const application = createApplication({ providers: [Credentials({ authorize })] })
      const visitor = application.visitor()
      const response = await visitor.post('/callback/credentials')
      expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      expect(await visitor.session()).toBeNull()
    }
  })

  it('5 item 3: sign-in and sign-out requests must carry csrfToken in the body', async () => {
    const visitor = await signedIn(createApplication())
    const csrfToken = await visitor.csrfToken()
    const inQuery = await visitor.send(`/signout?csrfToken=${csrfToken}`, { method: 'POST' })
    expect(inQuery.headers.get('location')).toContain('error=MissingCSRF')
    const headers = { 'x-csrf-token': csrfToken }
    const inHeader = await visitor.send('/signout', { method: 'POST', headers })
    expect(inHeader.headers.get('location')).toContain('error=MissingCSRF')
    const body = new URLSearchParams({ csrfToken })
    const inBody = await visitor.send('/signout', { method: 'POST', body })
    expect(inBody.headers.get('location')).toBe(ORIGIN)
  })

  it('5 item 4: the secret protects sessions and forms: those of another count for nothing', async () => {
    const ours = createApplication()
    const theirs = createApplication({ secret: 'the secret of somebody else entirely' })
    const visitor = await signedIn(theirs)
    const stranger = new Visitor(ours.handle)
    for (const [name, value] of visitor.cookies) stranger.cookies.set(name, value)
    const csrfToken = decodeURIComponent(visitor.cookies.get(CSRF_COOKIE) ?? '').split('|')[0] ?? ''
    const body = new URLSearchParams({ csrfToken, username: 'Ann', password: PASSWORD })
    const response = await stranger.send('/callback/credentials', { method: 'POST', body })
    expect(response.headers.get('location')).toContain('error=MissingCSRF')
    expect(await stranger.session()).toBeNull()
  })

  it('5 item 5: the JWT session is an encrypted token in a cookie', async () => {
    const visitor = await signedIn(createApplication())
    const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
    expect(token.split('.')).toHaveLength(5)
    expect(token).not.toContain(btoa(ANN.email).slice(0, 12))
  })

  it('5 item 5: the database session has a sessionToken in the cookie', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    const visitor = await signedIn(createApplication({ adapter }))
    expect(sessions.get(visitor.cookies.get(SESSION_COOKIE) ?? '')?.userId).toBe(ANN.id)
  })

  it('5 item 6: cookies are HTTPS-only as useSecureCookies says', async () => {
    for (const [base, name, secure] of [
      ['https://app.example.com/auth', '__Secure-authjs.session-token', true],
      ['http://app.example.com/auth', 'authjs.session-token', undefined],
    ] as const) {
      const response = await signIn(createApplication().visitor(base))
      expect(writtenCookie(response, name)?.attributes['secure']).toBe(secure)
    }
  })

  it('5 item 7: the host is trusted as trustHost says', async () => {
    const application = createApplication({ trustHost: ['app.example.com'] })
    const headers = { 'x-forwarded-host': 'evil.example' }
    const request = new Request('http://10.0.0.7/auth/providers', { headers })
    expect((await application.handle(request)).status).toBe(400)
  })

  it('5 item 8: a host-written middleware can ask who is signed in, by function', async () => {
    const application = createApplication()
    const visitor = await signedIn(application)
    const request = new Request(`${ORIGIN}/account`, {
      headers: { cookie: visitor.cookieHeader() },
    })
    expect((await application.getSession(request))?.user?.name).toBe('Ann')
    expect(await application.getSession(new Request(`${ORIGIN}/account`))).toBeNull()
  })
})
