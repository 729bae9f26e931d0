import Nodemailer from '@siteauth/core/providers/nodemailer'
import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'
import {
  ANN,
  askForLink,
  BEN,
  BETTER,
  CHEAP,
  change,
  choose,
  GOOD,
  outcome,
  passwordApplication,
  signIn,
  signUp,
  WRONG,
  whoIsIn,
} from './application.ts'

describe.each(['jwt', 'database'] as const)('passwords with %s sessions', strategy => {
  const application = (...[config, own]: Parameters<typeof passwordApplication>) =>
    passwordApplication({ session: { strategy }, ...config }, own)

  it('somebody new signs up behind a link, and signs in again with the password', async () => {
    const app = application()
    expect(await whoIsIn(await signUp(app))).toBe(ANN)
    const other = app.visitor()
    expect(await signIn(other)).toBe('in')
    expect(await whoIsIn(other)).toBe(ANN)
    expect((await app.adapter.getUserByEmail(ANN))?.emailVerified).toBeInstanceOf(Date)
  })

  it('a wrong password, an unknown address and one without a password are all the same', async () => {
    const app = application()
    await signUp(app)
    await app.adapter.createUser({ id: 'ben', email: BEN, emailVerified: new Date() })
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe(WRONG)
    expect(await signIn(app.visitor(), BEN, GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), 'nobody@example.com', GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, '')).toBe(WRONG)
  })

  it('opening the link uses nothing up, choosing does', async () => {
    const app = application()
    const link = await askForLink(app, app.visitor())
    for (let time = 0; time < 3; time++)
      expect((await app.visitor().get(link.href)).status).toBe(200)
    expect(await choose(app.visitor(), link)).toBe('in')
    expect(await choose(app.visitor(), link, BETTER)).toBe('Verification')
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe(WRONG)
  })

  it('a password that is refused does not use up the link', async () => {
    const app = application()
    const link = await askForLink(app, app.visitor())
    expect(await choose(app.visitor(), link, 'too short')).toBe('PasswordRefused too_short')
    expect(await choose(app.visitor(), link, 'x'.repeat(300))).toBe('PasswordRefused too_long')
    expect(await choose(app.visitor(), link, 'a'.repeat(20))).toBe('PasswordRefused too_common')
    expect(await app.adapter.getUserByEmail(ANN)).toBeNull()
    expect(await choose(app.visitor(), link)).toBe('in')
  })

  it('a link works for an hour', async () => {
    const app = application()
    const link = await askForLink(app, app.visitor())
    app.clock.now += 3601 * 1000
    expect(await choose(app.visitor(), link)).toBe('Verification')
  })

  it('a reset ends every other session, and tells the owner', async () => {
    const app = application()
    const first = await signUp(app)
    const [stranger, owner] = [app.visitor(), app.visitor()]
    await signIn(stranger)
    app.clock.now += 1000
    const link = await askForLink(app, owner, 'forgot')
    expect(app.mails.at(-1)?.reason).toBe('reset')
    expect(await choose(owner, link, BETTER)).toBe('in')
    expect(app.mails.at(-1)).toMatchObject({ to: ANN, reason: 'changed' })
    expect(await whoIsIn(owner)).toBe(ANN)
    expect(await whoIsIn(first)).toBeNull()
    expect(await whoIsIn(stranger)).toBeNull()
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
  })

  it('a reset makes all other links useless', async () => {
    const app = application()
    await signUp(app)
    const [one, other] = [
      await askForLink(app, app.visitor(), 'forgot'),
      await askForLink(app, app.visitor(), 'forgot'),
    ]
    expect(await choose(app.visitor(), one, BETTER)).toBe('in')
    expect(await choose(app.visitor(), other, GOOD)).toBe('Verification')
  })

  it('the owner changes it with the current one, which ends every other session', async () => {
    const app = application()
    const owner = await signUp(app)
    const other = app.visitor()
    await signIn(other)
    app.clock.now += 1000
    expect(await change(owner, GOOD, BETTER)).toBe('in')
    expect(app.mails.at(-1)).toMatchObject({ to: ANN, reason: 'changed' })
    expect(await whoIsIn(owner)).toBe(ANN)
    expect(await whoIsIn(other)).toBeNull()
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
  })

  it('a browser that was left open changes nothing without the current one', async () => {
    const app = application()
    const owner = await signUp(app)
    expect(await change(owner, BETTER, 'mallory was here today')).toBe(
      'PasswordRefused wrong_password',
    )
    expect(await change(owner, GOOD, 'short')).toBe('PasswordRefused too_short')
    expect(await change(app.visitor(), GOOD, BETTER)).toBe('AccessDenied')
    expect(await signIn(app.visitor())).toBe('in')
  })

  it('somebody who signs in otherwise gets one behind a link, and keeps all else', async () => {
    const app = application()
    const user = await app.adapter.createUser({ id: 'ann', email: ANN, emailVerified: new Date() })
    await app.adapter.linkAccount({
      userId: 'ann',
      provider: 'github',
      providerAccountId: '1',
      type: 'oauth',
    })
    const link = await askForLink(app, app.visitor(), 'forgot')
    expect(await choose(app.visitor(), link)).toBe('in')
    expect(await signIn(app.visitor())).toBe('in')
    expect(await app.adapter.listAccounts(user.id)).toHaveLength(1)
  })

  it('removes one where there is another way in, and tells the owner', async () => {
    const mail = Nodemailer({ server: 'smtp://localhost', from: 'a@example.com' })
    const app = application({ providers: [mail] })
    const owner = await signUp(app)
    expect(outcome(await owner.post('/password/remove', { currentPassword: BETTER }))).toBe(
      'PasswordRefused wrong_password',
    )
    expect(outcome(await owner.post('/password/remove', { currentPassword: GOOD }))).toBe('in')
    expect(app.mails.at(-1)).toMatchObject({ to: ANN, reason: 'removed' })
    expect(await signIn(app.visitor())).toBe(WRONG)
    expect(await whoIsIn(owner)).toBe(ANN)
  })

  it('never removes the only way in', async () => {
    const app = application()
    const owner = await signUp(app)
    await app.adapter.linkAccount({
      userId: (await app.adapter.getUserByEmail(ANN))?.id ?? '',
      provider: 'one-that-is-no-longer-configured',
      providerAccountId: '1',
      type: 'oauth',
    })
    expect(outcome(await owner.post('/password/remove', { currentPassword: GOOD }))).toBe(
      'PasswordRefused only_sign_in_method',
    )
    expect(await signIn(app.visitor())).toBe('in')
  })

  it('hashes a password anew when the cost has risen', async () => {
    const app = application()
    await signUp(app)
    const { id = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const hashing = { ...CHEAP, scryptCost: { ln: 2, r: 1 } }
    const dearer = application({ adapter: app.adapter }, { hashing })
    expect(await signIn(dearer.visitor(), ANN, BETTER)).toBe(WRONG)
    expect((await app.adapter.passwords.get(id))?.hash).toMatch(/ln=1/)
    expect(await signIn(dearer.visitor())).toBe('in')
    expect((await app.adapter.passwords.get(id))?.hash).toMatch(/ln=2/)
    expect(await signIn(dearer.visitor())).toBe('in')
  })

  it('two who sign in at once while it is hashed anew both get in', async () => {
    const app = application()
    await signUp(app)
    const hashing = { ...CHEAP, scryptCost: { ln: 2, r: 1 } }
    const dearer = application({ adapter: app.adapter }, { hashing })
    const came = await Promise.all([1, 2, 3, 4].map(() => signIn(dearer.visitor())))
    expect(came).toEqual(['in', 'in', 'in', 'in'])
  })

  it('lets nobody sign up where the application says so', async () => {
    const app = application({}, { signUp: false })
    await askForLink(app, app.visitor())
    expect(app.mails.at(-1)).toMatchObject({ reason: 'sign-up', url: undefined })
    await app.adapter.createUser({ id: 'ann', email: ANN, emailVerified: new Date() })
    expect(await choose(app.visitor(), await askForLink(app, app.visitor(), 'forgot'))).toBe('in')
  })

  it('asks the signIn callback, which knows whether the address is proved', async () => {
    const seen: unknown[] = []
    const app = application({
      callbacks: {
        signIn({ account, isEmailProven }) {
          seen.push([account?.type, account?.provider, isEmailProven])
          return true
        },
      },
    })
    await signUp(app)
    await signIn(app.visitor())
    expect(seen).toEqual([
      ['password', 'password', true],
      ['password', 'password', true],
    ])
  })
})

describe('the function door', () => {
  const request = (visitor: { cookieHeader(): string }) => ({
    url: 'https://app.example.com/account',
    headers: new Headers({ cookie: visitor.cookieHeader(), origin: 'https://app.example.com' }),
  })

  /** The browser that has received the cookies of a request. */
  const afterwards = (
    app: ReturnType<typeof passwordApplication>,
    finished: ReturnType<typeof request>,
  ) => {
    const setCookies = app.takeSetCookies(finished)
    const cookie = setCookies.map(line => line.split(';')[0]).join('; ')
    return { cookieHeader: () => cookie }
  }

  it('does all that the endpoints do', async () => {
    const app = passwordApplication({
      providers: [Nodemailer({ server: 'smtp://localhost', from: 'a@example.com' })],
    })
    const visitor = app.visitor()
    const { passwords } = app
    const asked = await passwords.sendLink(request(visitor), { purpose: 'sign-up', email: ANN })
    expect(asked).toContain('/auth/verify-request')
    const { token, email } = Object.fromEntries(new URL(app.mails[0]?.url ?? '').searchParams)
    const chosen = { token, email, password: GOOD, redirectTo: '/welcome' }
    const choosing = request(visitor)
    expect(await passwords.choose(choosing, chosen)).toBe('https://app.example.com/welcome')
    const signedIn = afterwards(app, choosing)
    await expect(
      passwords.change(request(signedIn), { currentPassword: BETTER, newPassword: GOOD }),
    ).rejects.toMatchObject({ type: 'PasswordRefused', code: 'wrong_password' })
    app.clock.now += 1000
    const changing = request(signedIn)
    await passwords.change(changing, { currentPassword: GOOD, newPassword: BETTER })
    await passwords.remove(request(afterwards(app, changing)), { currentPassword: BETTER })
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe(WRONG)
  })

  it('signs in', async () => {
    const app = passwordApplication()
    await signUp(app)
    const signingIn = request(app.visitor())
    await app.signIn(signingIn, 'password', { email: ANN, password: GOOD })
    expect(app.takeSetCookies(signingIn).some(line => line.includes('session-token'))).toBe(true)
  })

  it('says what is missing where there are no passwords', async () => {
    const bare = createTestAuth({ trustHost: true })
    const { passwords, handle } = bare
    await expect(
      passwords.sendLink(request(new Visitor(handle)), { purpose: 'reset', email: ANN }),
    ).rejects.toThrow('List Password(…) in `providers`')
    expect((await new Visitor(handle).get('/password/forgot')).status).toBe(404)
  })
})
