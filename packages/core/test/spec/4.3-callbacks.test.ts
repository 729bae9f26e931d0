import { AccessDenied, CredentialsSignin } from '@siteauth/core/errors'
import type { Callbacks } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { readWithoutRenewal } from '../visitor.ts'
import {
  ANN,
  type Application,
  configFor,
  createApplication,
  everybodyIs,
  ORIGIN,
  PASSWORD,
  SESSION_COOKIE,
  STRATEGIES,
  signedIn,
  signIn,
  writtenCookies,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

type SignInCallback = Callbacks['signIn']
type SignInCall = Parameters<SignInCallback>[0]
type JwtCall = Parameters<Callbacks['jwt']>[0]
type SessionCall = Parameters<Callbacks['session']>[0]

describe('4.3 Callbacks', () => {
  describe('signIn', () => {
    async function outcome(signInCallback: SignInCallback) {
      const application = createApplication({ callbacks: { signIn: signInCallback } })
      const visitor = application.visitor()
      const response = await signIn(visitor, ANN, { callbackUrl: '/inbox' })
      const location = response.headers.get('location')
      const { errors } = application
      return { status: response.status, location, session: await visitor.session(), errors }
    }

    it('4.3 signIn: receives user, account and credentials, and neither profile nor email', async () => {
      const calls: SignInCall[] = []
      await outcome(params => {
        calls.push(params)
        return true
      })
      expect(calls).toEqual([
        {
          user: ANN,
          account: { provider: 'credentials', providerAccountId: ANN.id, type: 'credentials' },
          credentials: {
            csrfToken: expect.any(String),
            callbackUrl: '/inbox',
            username: 'Ann',
            password: PASSWORD,
          },
        },
      ])
    })

    it('4.3 signIn: true continues the sign-in, also from a promise', async () => {
      for (const callback of [() => true, async () => true]) {
        expect(await outcome(callback)).toMatchObject({
          location: `${ORIGIN}/inbox`,
          session: { user: { name: 'Ann' } },
        })
      }
    })

    it('4.3 signIn: false stops it and redirects to the error page', async () => {
      for (const callback of [() => false, async () => false]) {
        expect(await outcome(callback)).toMatchObject({
          status: 302,
          location: `${ORIGIN}/auth/error?error=AccessDenied`,
          session: null,
        })
      }
    })

    it('4.3 signIn: what is neither true nor a string stops it, too', async () => {
      for (const answer of [undefined, null, 0, '']) {
        expect(await outcome(() => answer as never)).toMatchObject({
          location: `${ORIGIN}/auth/error?error=AccessDenied`,
          session: null,
        })
      }
    })

    it.each([
      ['object', {}],
      ['number', 1],
      ['object', Response.redirect('https://app.example.com/')],
      ['function', () => true],
      ['symbol', Symbol('yes')],
      ['bigint', 1n],
    ])('4.3 signIn: a truthy %s lets nobody in, and is a fault in words', async (type, answer) => {
      const application = createApplication({ callbacks: { signIn: () => answer as never } })
      const visitor = application.visitor()
      const response = await signIn(visitor)
      expect(response.headers.get('location')).toContain('error=Configuration')
      expect(await visitor.session()).toBeNull()
      expect(application.errors.map(({ message }) => message).join()).toContain(
        `a value of type ${type}. Return true`,
      )
    })

    it('4.3 signIn: a thrown error stops it and redirects to the error page', async () => {
      function fail(): never {
        throw new Error('Ann has been banned')
      }
      for (const callback of [fail, async () => fail()]) {
        const { location, session } = await outcome(callback)
        expect(location).toBe(`${ORIGIN}/auth/error?error=AccessDenied`)
        expect(session).toBeNull()
      }
    })

    it('4.3 signIn: an unhandled error becomes an AccessDenied that carries the original message', async () => {
      const original = new Error('Ann has been banned')
      const { errors } = await outcome(() => Promise.reject(original))
      expect(errors).toHaveLength(1)
      expect(errors[0]).toBeInstanceOf(AccessDenied)
      expect(errors[0]?.message).toContain('Ann has been banned')
      expect(errors[0]?.cause).toMatchObject({ err: original })
    })

    it('4.3 signIn: an error of the library keeps its meaning', async () => {
      const { location } = await outcome(() => {
        throw Object.assign(new CredentialsSignin(), { code: 'locked' })
      })
      expect(location).toBe(`${ORIGIN}/auth/signin?error=CredentialsSignin&code=locked`)
    })

    it('4.3 signIn: a string redirects to that URL, and nobody is signed in', async () => {
      for (const [answer, location] of [
        ['/terms?new=1', `${ORIGIN}/terms?new=1`],
        [`${ORIGIN}/terms`, `${ORIGIN}/terms`],
        ['https://help.example.org/banned', 'https://help.example.org/banned'],
      ] as const) {
        const found = await outcome(() => answer)
        expect(found).toMatchObject({ status: 302, location, session: null })
      }
    })
  })

  describe('redirect', () => {
    it('4.3 redirect: receives the URL that the client supplied and the base URL of the site', async () => {
      const calls: unknown[] = []
      const application = createApplication({
        callbacks: {
          redirect(params) {
            calls.push(params)
            return params.baseUrl
          },
        },
      })
      await signIn(application.visitor(), ANN, { callbackUrl: '/inbox' })
      expect(calls).toEqual([{ url: '/inbox', baseUrl: ORIGIN }])
    })

    it('4.3 redirect: runs at sign-in and at sign-out, and decides where they lead', async () => {
      const application = createApplication({
        callbacks: { redirect: async ({ url, baseUrl }) => `${baseUrl}/gate?to=${url}` },
      })
      const visitor = application.visitor()
      const entered = await signIn(visitor, ANN, { callbackUrl: '/inbox' })
      expect(entered.headers.get('location')).toBe(`${ORIGIN}/gate?to=/inbox`)
      const left = await visitor.post('/signout', { callbackUrl: '/bye' })
      expect(left.headers.get('location')).toBe(`${ORIGIN}/gate?to=/bye`)
    })

    it('4.3 redirect: may let visitors go to another site', async () => {
      const application = createApplication({ callbacks: { redirect: ({ url }) => url } })
      const fields = { callbackUrl: 'https://docs.example.org/start' }
      const response = await signIn(application.visitor(), ANN, fields)
      expect(response.headers.get('location')).toBe('https://docs.example.org/start')
    })

    it('4.3 redirect: by default only URLs on the same host as the origin are allowed', async () => {
      const application = createApplication()
      for (const [callbackUrl, location] of [
        ['/inbox?page=2#top', `${ORIGIN}/inbox?page=2#top`],
        [`${ORIGIN}/inbox`, `${ORIGIN}/inbox`],
        [`${ORIGIN}:443/inbox`, `${ORIGIN}/inbox`],
        ['https://evil.example/inbox', ORIGIN],
        ['http://app.example.com/inbox', ORIGIN],
        ['https://app.example.com:8443/', ORIGIN],
        ['https://app.example.com.evil.example', ORIGIN],
        ['//evil.example', ORIGIN],
        ['inbox', ORIGIN],
      ] as const) {
        const response = await signIn(application.visitor(), ANN, { callbackUrl })
        expect(response.headers.get('location'), callbackUrl).toBe(location)
      }
    })
  })

  describe('session', () => {
    async function callsOf(application: Application, calls: SessionCall[]): Promise<SessionCall[]> {
      const visitor = await signedIn(application)
      await visitor.session()
      await visitor.postJson('/session', { data: { theme: 'dark' } })
      return calls
    }

    function recording(calls: SessionCall[]): Pick<Callbacks, 'session'> {
      return {
        session(params) {
          calls.push(params)
          return params.session
        },
      }
    }

    it('4.3 session: receives session and token with the JWT strategy', async () => {
      const calls: SessionCall[] = []
      const [read] = await callsOf(createApplication({ callbacks: recording(calls) }), calls)
      const { name, email, image } = ANN
      expect(Object.keys(read ?? {}).sort()).toEqual(['session', 'token'])
      expect(read?.session).toEqual({
        user: { name, email, image },
        expires: '2030-01-31T00:00:00.000Z',
      })
      expect(read?.token).toMatchObject({ sub: ANN.id, name, email })
    })

    it('4.3 session: receives session and user with the database strategy', async () => {
      const calls: SessionCall[] = []
      const { adapter } = memoryAdapter([ANN])
      const application = createApplication({ adapter, callbacks: recording(calls) })
      const [read] = await callsOf(application, calls)
      expect(read).not.toHaveProperty('token')
      expect(read?.user).toMatchObject({ ...ANN, emailVerified: null })
      expect(read?.session).toMatchObject({ userId: ANN.id, user: ANN })
      expect(read?.trigger).toBeUndefined()
    })

    it.each(STRATEGIES)(
      '4.3 session: receives newSession and the trigger update on update (%s)',
      async strategy => {
        const calls: SessionCall[] = []
        const config = { ...configFor(strategy), callbacks: recording(calls) }
        const [, update] = await callsOf(createApplication(config), calls)
        expect(update).toMatchObject({ newSession: { theme: 'dark' }, trigger: 'update' })
      },
    )

    it('4.3 session: runs whenever a session is checked', async () => {
      let runs = 0
      const application = createApplication({
        callbacks: {
          session({ session }) {
            runs++
            return session
          },
        },
      })
      const visitor = await signedIn(application)
      expect(runs).toBe(0)
      await visitor.session()
      const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
      await application.getSession(request)
      await readWithoutRenewal(application, request)
      expect(runs).toBe(3)
    })

    it('4.3 session: its return value is what the client sees', async () => {
      const application = createApplication({
        callbacks: { session: async () => ({ expires: 'never', role: 'admin' }) },
      })
      expect(await (await signedIn(application)).session()).toEqual({
        expires: 'never',
        role: 'admin',
      })
    })

    it.each(STRATEGIES)(
      '4.3 session: by default only email, name and image are exposed (%s)',
      async strategy => {
        const application = createApplication({
          ...configFor(strategy),
          callbacks: { jwt: ({ token }) => ({ ...token, salary: 1000 }) },
        })
        const { name, email, image } = ANN
        expect(await (await signedIn(application)).session()).toEqual({
          user: { name, email, image },
          expires: expect.any(String),
        })
      },
    )

    it('4.3 session: what jwt added is exposed if it is returned', async () => {
      const application = createApplication({
        callbacks: {
          jwt: ({ token, user }) => (user ? { ...token, role: 'admin' } : token),
          session: ({ session, token }) => Object.assign(session, { role: token['role'] }),
        },
      })
      expect(await (await signedIn(application)).session()).toHaveProperty('role', 'admin')
    })

    it.each(STRATEGIES)(
      '4.3 session: that throws is an error, not the end of a session (%s)',
      async strategy => {
        let fails = true
        const application = createApplication({
          ...configFor(strategy),
          callbacks: {
            session({ session }) {
              if (fails) throw new Error('the permission service is down')
              return session
            },
          },
        })
        const visitor = await signedIn(application)
        const response = await visitor.get('/session')
        expect(response.status).toBe(503)
        expect(writtenCookies(response)).toEqual([])
        await expect(
          application.getSession({ headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }),
        ).rejects.toThrow()
        fails = false
        expect(await visitor.session()).toBeTruthy()
      },
    )
  })

  describe('jwt', () => {
    function recorded() {
      const calls: JwtCall[] = []
      const application = createApplication({
        callbacks: {
          jwt(params) {
            calls.push({ ...params })
            return params.token
          },
        },
      })
      return { application, calls }
    }

    it('4.3 jwt: receives token, user and account at sign-in, with the trigger signIn', async () => {
      const { application, calls } = recorded()
      await signedIn(application)
      const { id, name, email, image } = ANN
      expect(calls).toEqual([
        {
          token: { sub: id, name, email, picture: image },
          user: ANN,
          account: { provider: 'credentials', providerAccountId: id, type: 'credentials' },
          isNewUser: false,
          trigger: 'signIn',
        },
      ])
    })

    it('4.3 jwt: receives the token alone when a session is read', async () => {
      const { application, calls } = recorded()
      await (await signedIn(application)).session()
      expect(calls[1]).toEqual({
        token: expect.objectContaining({ sub: ANN.id }),
        session: undefined,
      })
    })

    it('4.3 jwt: receives what update sent as session, with the trigger update', async () => {
      const { application, calls } = recorded()
      await (await signedIn(application)).postJson('/session', { data: { theme: 'dark' } })
      expect(calls[1]).toMatchObject({ trigger: 'update', session: { theme: 'dark' } })
      expect(calls[1]).not.toHaveProperty('user')
      expect(calls[1]).not.toHaveProperty('account')
    })

    it('4.3 jwt: its return value is stored in the JWT and forwarded to session', async () => {
      const seen: unknown[] = []
      const application = createApplication({
        callbacks: {
          jwt: async ({ token, user }) => (user ? { ...token, role: 'admin' } : token),
          session({ session, token }) {
            seen.push(token['role'])
            return session
          },
        },
      })
      const visitor = await signedIn(application)
      await visitor.session()
      await visitor.session()
      expect(seen).toEqual(['admin', 'admin'])
    })

    it('4.3 jwt: that changes the token at a read has it stored at once, and else nothing is', async () => {
      let role = 'guest'
      const application = createApplication({
        callbacks: { jwt: ({ token }) => ({ ...token, role }) },
      })
      const visitor = await signedIn(application)
      expect(writtenCookies(await visitor.get('/session'))).toEqual([])
      role = 'admin'
      expect(writtenCookies(await visitor.get('/session'))).toHaveLength(1)
      expect(writtenCookies(await visitor.get('/session'))).toEqual([])
    })

    it('4.3 jwt: null ends the session', async () => {
      let isBanned = false
      const application = createApplication({
        callbacks: { jwt: ({ token }) => (isBanned ? null : token) },
      })
      const visitor = await signedIn(application)
      expect(await visitor.session()).toBeTruthy()
      isBanned = true
      expect(await visitor.session()).toBeNull()
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    })

    it('4.3 jwt: null at sign-in starts none, and removes the one there was', async () => {
      let isBanned = false
      const application = createApplication({
        callbacks: { jwt: ({ token }) => (isBanned ? null : token) },
      })
      const visitor = await signedIn(application)
      isBanned = true
      await signIn(visitor)
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    })

    it('4.3 jwt: that throws or returns nothing is an error, not the end of a session', async () => {
      const broken: Callbacks['jwt'][] = [
        () => undefined as never,
        () => Promise.reject(new Error('the directory is down')),
      ]
      for (const jwt of broken) {
        let isBroken = false
        const application = createApplication({
          callbacks: { jwt: params => (isBroken ? jwt(params) : params.token) },
        })
        const visitor = await signedIn(application)
        isBroken = true
        expect((await visitor.get('/session')).status).toBe(503)
        expect((await visitor.postJson('/session', { data: {} })).status).toBe(503)
        isBroken = false
        expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      }
    })

    it('4.3 jwt: does not run for database sessions', async () => {
      let runs = 0
      const { adapter } = memoryAdapter([ANN])
      const application = createApplication({
        adapter,
        callbacks: {
          jwt({ token }) {
            runs++
            return token
          },
        },
      })
      await (await signedIn(application)).session()
      expect(runs).toBe(0)
    })

    it('4.3 jwt: a token of any size is kept, in several cookies if need be', async () => {
      const application = createApplication({
        providers: [everybodyIs(ANN)],
        callbacks: {
          jwt: ({ token, user }) => (user ? { ...token, groups: 'x'.repeat(9000) } : token),
          session: ({ session, token }) =>
            Object.assign(session, { size: String(token['groups']).length }),
        },
      })
      const visitor = await signedIn(application)
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
      expect(visitor.cookies.has(`${SESSION_COOKIE}.3`)).toBe(true)
      expect(await visitor.session()).toHaveProperty('size', 9000)
    })
  })
})
