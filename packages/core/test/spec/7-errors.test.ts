import { Auth, type AuthConfig, createAuth, raw, skipCSRFCheck } from '@siteauth/core'
import {
  AccessDenied,
  AuthError,
  CallbackRouteError,
  CredentialsSignin,
  MissingSecret,
  MissingSecretError,
} from '@siteauth/core/errors'
import { getToken } from '@siteauth/core/jwt'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { readWithoutRenewal, recordingLogger, SECRET } from '../visitor.ts'
import { ANN, createApplication, everybodyIs, ORIGIN, signIn } from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

class AccountLocked extends CredentialsSignin {
  override code = 'locked & sealed'
}

function throwing(error: unknown) {
  return Credentials({
    authorize() {
      throw error
    },
  })
}

/** What a framework does for a form action of its own: calls the library and wants no response. */
function signInByFunction(config: Partial<AuthConfig>): Promise<unknown> {
  const request = new Request(`${ORIGIN}/auth/callback/credentials`, { method: 'POST' })
  const { logger } = recordingLogger()
  return Auth(request, {
    providers: [],
    secret: SECRET,
    trustHost: true,
    logger,
    skipCSRFCheck,
    raw,
    ...config,
  })
}

describe('7 Errors', () => {
  describe('AUTH_SECRET not set in production', () => {
    function secretless() {
      const recorded = recordingLogger()
      const env = { NODE_ENV: 'production', AUTH_URL: ORIGIN }
      return { ...createAuth({ providers: [], logger: recorded.logger }, { env }), ...recorded }
    }

    it('7 AUTH_SECRET not set in production: MissingSecretError is thrown by functions', async () => {
      const auth = secretless()
      await expect(auth.getSession({ headers: {} })).rejects.toBeInstanceOf(MissingSecretError)
      await expect(readWithoutRenewal(auth, { headers: {} })).rejects.toBeInstanceOf(
        MissingSecretError,
      )
      const req = new Request(ORIGIN, { headers: { authorization: 'Bearer x' } })
      await expect(getToken({ req })).rejects.toBeInstanceOf(MissingSecretError)
    })

    it('7 AUTH_SECRET not set in production: every endpoint says so with 500, and the log why', async () => {
      const auth = secretless()
      for (const path of ['session', 'csrf', 'providers']) {
        const response = await auth.handle(new Request(`${ORIGIN}/auth/${path}`))
        expect(response.status).toBe(500)
        expect(await response.json()).toEqual({ message: expect.stringContaining('server logs') })
      }
      const page = await auth.handle(new Request(`${ORIGIN}/auth/signin`))
      expect(page.status).toBe(500)
      expect(await page.text()).not.toContain('AUTH_SECRET')
      expect(auth.errors.every(each => each instanceof MissingSecretError)).toBe(true)
      expect(auth.errors[0]?.message).toContain('AUTH_SECRET')
    })

    it('7 AUTH_SECRET not set in production: MissingSecret is another name of the error', () => {
      expect(MissingSecret).toBe(MissingSecretError)
      expect(new MissingSecret()).toMatchObject({
        name: 'MissingSecretError',
        type: 'MissingSecret',
      })
    })
  })

  describe('signIn() fails', () => {
    it('7 signIn() fails: an AuthError is thrown, which instanceof tells from others', async () => {
      const failures: [Partial<AuthConfig>, typeof AuthError][] = [
        [{ providers: [throwing(new CredentialsSignin())] }, CredentialsSignin],
        [{ providers: [Credentials({ authorize: () => null })] }, CredentialsSignin],
        [{ providers: [throwing(new Error('the directory is down'))] }, CallbackRouteError],
        [{ providers: [everybodyIs(ANN)], callbacks: { signIn: () => false } }, AccessDenied],
      ]
      for (const [config, Kind] of failures) {
        const failure: unknown = await signInByFunction(config).catch(error => error)
        expect(failure).toBeInstanceOf(AuthError)
        expect(failure).toBeInstanceOf(Kind)
      }
    })

    it('7 signIn() fails: what was thrown is the cause', async () => {
      const original = new Error('the directory is down')
      const failing = signInByFunction({ providers: [throwing(original)] })
      await expect(failing).rejects.toMatchObject({
        cause: { err: original, provider: 'credentials' },
      })
    })
  })

  describe('CredentialsSignin', () => {
    it('7 CredentialsSignin thrown from authorize in a flow with redirects: leads to the sign-in page with error and code', async () => {
      const application = createApplication({ providers: [throwing(new CredentialsSignin())] })
      const visitor = application.visitor()
      const response = await visitor.post('/callback/credentials')
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(
        `${ORIGIN}/auth/signin?error=CredentialsSignin&code=credentials`,
      )
      expect(await visitor.session()).toBeNull()
    })

    it('7 CredentialsSignin thrown from authorize in a flow with redirects: a subclass brings its own code', async () => {
      const application = createApplication({ providers: [throwing(new AccountLocked())] })
      const response = await application.visitor().post('/callback/credentials')
      const to = new URL(response.headers.get('location') ?? '')
      expect(Object.fromEntries(to.searchParams)).toEqual({
        error: 'CredentialsSignin',
        code: 'locked & sealed',
      })
    })

    it('7 CredentialsSignin thrown from authorize in a flow with redirects: the page tells people so', async () => {
      const page = await createApplication().visitor().get('/signin?error=CredentialsSignin&code=x')
      expect(await page.text()).toContain('Sign-in failed')
    })

    it('7 CredentialsSignin thrown in a framework that handles form actions server-side: is thrown to the caller', async () => {
      const locked = new AccountLocked('three wrong passwords')
      const failing = signInByFunction({ providers: [throwing(locked)] })
      await expect(failing).rejects.toBe(locked)
    })
  })

  describe('signIn callback', () => {
    it('7 signIn callback returns false or throws: the sign-in stops and the user goes to the error page', async () => {
      for (const callback of [
        () => false,
        () => {
          throw new Error('no')
        },
      ]) {
        const application = createApplication({ callbacks: { signIn: callback } })
        const visitor = application.visitor()
        const response = await signIn(visitor)
        expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=AccessDenied`)
        expect(await visitor.session()).toBeNull()
        const page = await visitor.get('/error?error=AccessDenied')
        expect(page.status).toBe(403)
        expect(await page.text()).toContain('Access Denied')
      }
    })

    it('7 Unhandled error in the signIn callback: is an AccessDenied with the original message', async () => {
      const callbacks = { signIn: () => Promise.reject(new Error('Ann has been banned')) }
      const failing = signInByFunction({ providers: [everybodyIs(ANN)], callbacks })
      await expect(failing).rejects.toBeInstanceOf(AccessDenied)
      await expect(signInByFunction({ providers: [everybodyIs(ANN)], callbacks })).rejects.toThrow(
        'Ann has been banned',
      )
    })

    it('7 Unhandled error in the signIn callback: its message is for the log, not for the visitor', async () => {
      const application = createApplication({
        callbacks: { signIn: () => Promise.reject(new Error('Ann has been banned')) },
      })
      const response = await signIn(application.visitor())
      expect(response.headers.get('location')).not.toContain('banned')
      expect(application.errors[0]?.message).toContain('Ann has been banned')
    })
  })

  describe('Credentials failure codes', () => {
    it('7 Credentials failure codes: the code is configurable and ends up in the URL, nothing else does', async () => {
      const error = new CredentialsSignin('the password of Ann is wrong')
      error.code = 'try_again'
      const application = createApplication({ providers: [throwing(error)] })
      const response = await application.visitor().post('/callback/credentials')
      expect(response.headers.get('location')).toBe(
        `${ORIGIN}/auth/signin?error=CredentialsSignin&code=try_again`,
      )
    })

    it('7 Credentials failure codes: the full error is always logged on the server', async () => {
      const cause = new Error('hash mismatch')
      const error = new CredentialsSignin('the password of Ann is wrong', { cause })
      const application = createApplication({ providers: [throwing(error)] })
      await application.visitor().post('/callback/credentials')
      expect(application.errors).toEqual([error])
    })

    it('7 Credentials failure codes: any other error says no more than Configuration', async () => {
      const error = new Error('connect ECONNREFUSED 10.0.0.9:5432')
      const application = createApplication({ providers: [throwing(error)] })
      const response = await application.visitor().post('/callback/credentials')
      expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      expect(application.errors[0]).toBeInstanceOf(CallbackRouteError)
      expect(application.errors[0]?.cause).toMatchObject({ err: error })
    })
  })

  it('a user from authorize whom the database does not know is told of, with what to do', async () => {
    const stranger = { ...ANN, id: 'of nobody' }
    const { adapter, sessions } = memoryAdapter([ANN])
    const application = createApplication({ providers: [everybodyIs(stranger)], adapter })
    const answer = await signIn(application.visitor())
    expect(answer.headers.get('location')).toContain('error=Configuration')
    expect(application.errors.at(-1)?.message).toMatch(/id the adapter does not know.*createUser/)
    expect(sessions.size).toBe(0)
  })
})
