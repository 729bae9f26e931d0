import { describe, expect, it } from 'vitest'
import {
  ANN,
  CSRF_COOKIE,
  createApplication,
  ORIGIN,
  passwords,
  SESSION_COOKIE,
  signedIn,
  signIn,
  writtenCookies,
} from './application.ts'

describe('4.1 HTTP endpoints', () => {
  it('4.1 session: GET answers what the session callback returned', async () => {
    const application = createApplication({
      callbacks: { session: ({ session }) => Object.assign(session, { role: 'admin' }) },
    })
    const response = await (await signedIn(application)).get('/session')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ user: { name: 'Ann' }, role: 'admin' })
  })

  it('4.1 session: GET answers null when there is no session, and sets no cookie', async () => {
    const response = await createApplication().visitor().get('/session')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(writtenCookies(response)).toEqual([])
  })

  it('4.1 session: POST with a csrfToken updates, and answers as GET does', async () => {
    const application = createApplication({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' && typeof session === 'string' ? { ...token, name: session } : token,
      },
    })
    const visitor = await signedIn(application)
    const response = await visitor.postJson('/session', { data: 'Ann Other' })
    expect(await response.json()).toMatchObject({ user: { name: 'Ann Other' } })
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann Other' } })
  })

  it('4.1 session: POST without a csrfToken is 400 and null', async () => {
    const visitor = await signedIn(createApplication())
    const response = await visitor.send('/session', { method: 'POST' })
    expect(response.status).toBe(400)
    expect(await response.text()).toBe('null')
  })

  it('4.1 session: POST when there is no session answers null', async () => {
    const response = await createApplication().visitor().postJson('/session', { data: {} })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
  })

  it('4.1 callback/<provider_id>: is where the provider with that id is answered', async () => {
    const application = createApplication({ providers: [passwords('staff')] })
    const visitor = application.visitor()
    const form = { username: ANN.name, password: 'wrong' }
    const response = await visitor.post('/callback/staff', form)
    expect(response.headers.get('location')).toContain('error=CredentialsSignin')
    expect((await visitor.post('/callback/credentials', form)).status).toBe(404)
  })

  it('4.1 callback/<provider_id>: has its URL in the list of providers', async () => {
    const application = createApplication({ providers: [passwords('staff')] })
    expect(await (await application.visitor().get('/providers')).json()).toEqual({
      staff: {
        id: 'staff',
        name: 'Credentials',
        type: 'credentials',
        signinUrl: `${ORIGIN}/auth/signin/staff`,
        callbackUrl: `${ORIGIN}/auth/callback/staff`,
      },
    })
  })

  it('4.1 sign-in and sign-out requests: must include csrfToken in the body', async () => {
    const application = createApplication()
    for (const path of ['/signin', '/signin/credentials', '/callback/credentials', '/signout']) {
      const visitor = await signedIn(application)
      const before = visitor.cookies.get(SESSION_COOKIE)
      const response = await visitor.send(path, { method: 'POST', body: new URLSearchParams() })
      expect(response.headers.get('location'), path).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
      expect(visitor.cookies.get(SESSION_COOKIE), path).toBe(before)
    }
  })

  it('4.1 sign-in and sign-out requests: get the csrfToken from GET csrf, with its cookie', async () => {
    const visitor = createApplication().visitor()
    const csrfToken = await visitor.csrfToken()
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(decodeURIComponent(visitor.cookies.get(CSRF_COOKIE) ?? '')).toMatch(
      new RegExp(`^${csrfToken}\\|[0-9a-f]{64}$`),
    )
    expect(await visitor.csrfToken()).toBe(csrfToken)
  })

  it('4.1 sign-in and sign-out requests: may be forms, multipart forms or JSON', async () => {
    const fields = { username: 'Ann', password: 'correct horse battery staple' }
    const application = createApplication()
    const json = application.visitor()
    await json.postJson('/callback/credentials', fields)
    expect(await json.session()).toMatchObject({ user: { name: 'Ann' } })
    const form = application.visitor()
    await form.post('/callback/credentials', fields)
    expect(await form.session()).toMatchObject({ user: { name: 'Ann' } })
    const multipart = application.visitor()
    const body = new FormData()
    const all = { ...fields, csrfToken: await multipart.csrfToken() }
    for (const [name, value] of Object.entries(all)) body.set(name, value)
    await multipart.send('/callback/credentials', { method: 'POST', body })
    expect(await multipart.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('4.1 sign-in and sign-out requests: by a script are told where to go, not sent there', async () => {
    const visitor = createApplication().visitor()
    const fields = { username: 'Ann', password: 'wrong' }
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await visitor.post('/callback/credentials', fields, headers)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      url: `${ORIGIN}/auth/signin?error=CredentialsSignin&code=credentials`,
    })
  })

  it('4.1 sign-in and sign-out requests: a sign-out ends the session and goes where it was asked to', async () => {
    const visitor = await signedIn(createApplication())
    const response = await visitor.post('/signout', { callbackUrl: '/bye' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${ORIGIN}/bye`)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await visitor.session()).toBeNull()
  })

  it('4.1 sign-in and sign-out requests: a sign-in returns to the page that was asked for before', async () => {
    const visitor = createApplication().visitor()
    await visitor.get('/signin?callbackUrl=/inbox')
    expect((await signIn(visitor)).headers.get('location')).toBe(`${ORIGIN}/inbox`)
    await visitor.post('/signout')
    expect((await signIn(visitor)).headers.get('location')).toBe(ORIGIN)
  })

  it('4.1 catch-all: GET and POST serve all endpoints, and an unknown path is 404', async () => {
    const application = createApplication()
    for (const path of [
      'session',
      'csrf',
      'providers',
      'signin',
      'signout',
      'error',
      'verify-request',
    ]) {
      expect((await application.visitor().get(`/${path}`)).status, path).toBe(200)
    }
    for (const path of ['', '/', '/nothing', '/session/more', '/callback', '/signin/a/b']) {
      expect((await application.visitor().get(path)).status, path).toBe(404)
    }
  })

  it('4.1 catch-all: a method that an endpoint does not have is 405, with those that it has', async () => {
    const application = createApplication()
    async function refused(method: string, path: string): Promise<[number, string | null]> {
      const response = await application.visitor().send(path, { method })
      return [response.status, response.headers.get('allow')]
    }
    expect(await refused('POST', '/csrf')).toEqual([405, 'GET'])
    expect(await refused('GET', '/callback/credentials')).toEqual([405, 'POST'])
    expect(await refused('GET', '/signin/credentials')).toEqual([405, 'POST'])
    expect(await refused('PUT', '/providers')).toEqual([405, 'GET'])
    expect(await refused('DELETE', '/session')).toEqual([405, 'GET, POST'])
  })

  it('4.1 catch-all: HEAD is GET without the body', async () => {
    const visitor = await signedIn(createApplication())
    const response = await visitor.send('/session', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})
