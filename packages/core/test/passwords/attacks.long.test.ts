import Nodemailer from '@siteauth/core/providers/nodemailer'
import { describe, expect, it } from 'vitest'
import type { Visitor } from '../visitor.ts'
import {
  ANN,
  askForLink,
  BEN,
  BETTER,
  change,
  choose,
  GOOD,
  outcome,
  type PasswordApplication,
  passwordApplication,
  signIn,
  signUp,
  WRONG,
  whoIsIn,
} from './application.ts'

const MALLORYS = 'mallory waits in the row'

describe.each(['jwt', 'database'] as const)('an attack with %s sessions', strategy => {
  const application = (...[config, own]: Parameters<typeof passwordApplication>) =>
    passwordApplication({ session: { strategy }, ...config }, own)

  it('a link of one address chooses no password for another', async () => {
    const app = application()
    await signUp(app, BEN)
    const link = await askForLink(app, app.visitor(), 'forgot', ANN)
    link.searchParams.set('email', BEN)
    expect(await choose(app.visitor(), link, BETTER)).toBe('Verification')
    expect(await signIn(app.visitor(), BEN, BETTER)).toBe(WRONG)
  })

  it.each(['ANN@example.com', 'ann@EXAMPLE.com ', 'ann@example.com\u0000', 'ａnn@example.com'])(
    'a link is of no use for another spelling: %j',
    async email => {
      const app = application()
      await signUp(app, ANN)
      const link = await askForLink(app, app.visitor(), 'forgot', 'mallory@example.com')
      link.searchParams.set('email', email)
      expect(await choose(app.visitor(), link, BETTER)).toBe('Verification')
    },
  )

  it('a link to choose a password does not sign in by email, nor the other way round', async () => {
    const sent: string[] = []
    const mail = {
      ...Nodemailer({ server: 'smtp://localhost', from: 'a@example.com' }),
      id: 'mail',
      options: {},
      sendVerificationRequest: ({ url }: { url: string }) => void sent.push(url),
    }
    const app = application({ providers: [mail] })
    const link = await askForLink(app, app.visitor())
    const { token = '', email = '' } = Object.fromEntries(link.searchParams)
    expect(outcome(await app.visitor().post('/callback/mail', { token, email }))).toBe(
      'Verification',
    )
    await app.visitor().post('/signin/mail', { email: ANN })
    const other = new URL(sent[0] ?? '')
    other.pathname = other.pathname.replace('/mail', '/password')
    expect(await choose(app.visitor(), other)).toBe('Verification')
  })

  it('who waits in a row with an unproved address is put out when its owner chooses a password', async () => {
    const app = application()
    const mallory = await waitInRow(app)
    const owner = app.visitor()
    app.clock.now += 1000
    expect(await choose(owner, await askForLink(app, owner), GOOD)).toBe('in')
    expect(await whoIsIn(owner)).toBe(ANN)
    expect(await whoIsIn(mallory)).toBeNull()
    expect(await signIn(app.visitor(), ANN, MALLORYS)).toBe(WRONG)
    expect(await change(mallory, MALLORYS, BETTER)).toBe('AccessDenied')
  })

  it('who waits in a row with an unproved address is put out when its owner signs in by link', async () => {
    const sent: string[] = []
    const mail = {
      ...Nodemailer({ server: 'smtp://localhost', from: 'a@example.com' }),
      id: 'mail',
      options: {},
      sendVerificationRequest: ({ url }: { url: string }) => void sent.push(url),
    }
    const app = application({ providers: [mail] })
    const mallory = await waitInRow(app)
    const owner = app.visitor()
    app.clock.now += 1000
    await owner.post('/signin/mail', { email: ANN })
    await owner.openLink(new URL(sent[0] ?? ''))
    expect(await whoIsIn(owner)).toBe(ANN)
    expect(await whoIsIn(mallory)).toBeNull()
    expect(await signIn(app.visitor(), ANN, MALLORYS)).toBe(WRONG)
  })

  it.each([1, 2])(
    'whoever signs in with the old password while it is reset, at look %i, is out in the end',
    async look => {
      const app = application()
      await signUp(app)
      const link = await askForLink(app, app.visitor(), 'forgot')
      const [stranger, owner] = [app.visitor(), app.visitor()]
      app.clock.now += 1000
      const { get } = app.adapter.passwords
      let looks = 0
      app.adapter.passwords.get = async userId => {
        const found = await get(userId)
        if (++looks === look) expect(await choose(owner, link, BETTER)).toBe('in')
        return found
      }
      await signIn(stranger, ANN, GOOD)
      expect(looks).toBeGreaterThan(look)
      expect(await whoIsIn(stranger)).toBeNull()
      expect(await whoIsIn(owner)).toBe(ANN)
    },
  )

  it.each([1, 2])(
    'whoever signs in to an unproved row while its owner moves in, at look %i, is out in the end',
    async look => {
      const app = application()
      await waitInRow(app)
      const link = await askForLink(app, app.visitor())
      const [stranger, owner] = [app.visitor(), app.visitor()]
      app.clock.now += 1000
      const { get } = app.adapter.passwords
      let looks = 0
      app.adapter.passwords.get = async userId => {
        const found = await get(userId)
        if (++looks === look) expect(await choose(owner, link, BETTER)).toBe('in')
        return found
      }
      await signIn(stranger, ANN, MALLORYS)
      expect(await whoIsIn(stranger)).toBeNull()
      expect(await whoIsIn(owner)).toBe(ANN)
      expect(await signIn(app.visitor(), ANN, MALLORYS)).toBe(WRONG)
    },
  )

  it('whoever changes the password of an unproved row while its owner moves in has none', async () => {
    const app = application()
    const mallory = await waitInRow(app)
    const link = await askForLink(app, app.visitor())
    const owner = app.visitor()
    app.clock.now += 1000
    const { set } = app.adapter.passwords
    let isFirst = true
    app.adapter.passwords.set = async (password, replaces) => {
      if (isFirst) {
        isFirst = false
        expect(await choose(owner, link, GOOD)).toBe('in')
      }
      return set(password, replaces)
    }
    expect(await change(mallory, MALLORYS, BETTER)).toBe('PasswordRefused wrong_password')
    expect(await whoIsIn(mallory)).toBeNull()
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe('in')
  })

  it('a hash that is made anew does not bring back a password that was reset meanwhile', async () => {
    const app = application()
    await signUp(app)
    const link = await askForLink(app, app.visitor(), 'forgot')
    const hashing = { algorithm: 'scrypt', scryptCost: { ln: 2, r: 1 } } as const
    const dearer = application({ adapter: app.adapter }, { hashing })
    const { set } = app.adapter.passwords
    let isFirst = true
    app.adapter.passwords.set = async (password, replaces) => {
      if (isFirst) {
        isFirst = false
        expect(await choose(app.visitor(), link, BETTER)).toBe('in')
      }
      return set(password, replaces)
    }
    const stranger = dearer.visitor()
    await signIn(stranger, ANN, GOOD)
    expect(await whoIsIn(stranger)).toBeNull()
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
  })

  it('a page of another site changes, removes and chooses nothing', async () => {
    const app = application()
    const owner = await signUp(app)
    const form = (path: string, fields: Record<string, string>) =>
      owner.send(path, {
        method: 'POST',
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        body: new URLSearchParams(fields),
      })
    const link = await askForLink(app, owner, 'forgot')
    for (const [path, fields] of [
      ['/password', { currentPassword: GOOD, newPassword: BETTER }],
      ['/password/remove', { currentPassword: GOOD }],
      ['/password/sign-up', { email: BEN }],
      ['/callback/password', { ...Object.fromEntries(link.searchParams), password: BETTER }],
      ['/signin/password', { email: ANN, password: GOOD }],
    ] as const) {
      expect(outcome(await form(path, fields)), path).toBe('MissingCSRF')
    }
    expect(await signIn(app.visitor())).toBe('in')
  })

  it('values that are no texts are no passwords', async () => {
    const app = application()
    await signUp(app)
    for (const password of [[GOOD], { length: 20 }, 42, null, true]) {
      const response = await app.visitor().postJson('/signin/password', { email: ANN, password })
      expect(outcome(response)).toBe(WRONG)
    }
    const link = await askForLink(app, app.visitor(), 'forgot')
    const fields = Object.fromEntries(link.searchParams)
    const response = await app
      .visitor()
      .postJson('/callback/password', { ...fields, password: [GOOD] })
    expect(outcome(response)).toBe('PasswordRefused too_short')
  })

  it('no password, hash or link is ever logged, nor handed on with the request', async () => {
    const app = application({ debug: true })
    const owner = await signUp(app)
    await signIn(app.visitor(), ANN, BETTER)
    await change(owner, GOOD, BETTER)
    await change(owner, GOOD, 'short')
    const tokens = app.mails.flatMap(({ url }) =>
      url ? [new URL(url).searchParams.get('token')] : [],
    )
    const { id = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const { hash = '' } = (await app.adapter.passwords.get(id)) ?? {}
    const requests = await Promise.all(app.mails.map(({ request }) => request.clone().text()))
    const logged = JSON.stringify([
      app.debugs,
      app.warnings,
      app.errors.map(error => [error.message, error.stack, JSON.stringify(error.cause)]),
      requests,
    ])
    for (const secret of [GOOD, BETTER, hash, ...tokens]) expect(logged).not.toContain(secret)
  })

  it('guesses are limited, and the owner still gets in from a known browser', async () => {
    const app = application({ limits: {} })
    const owner = await signUp(app)
    const came: string[] = []
    for (let guess = 0; guess < 8; guess++) came.push(await signIn(app.visitor(), ANN, BETTER))
    expect(came).toEqual([...Array(5).fill(WRONG), 'too many', 'too many', 'too many'])
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe('too many')
    await owner.post('/signout')
    expect(await signIn(owner, ANN, GOOD)).toBe('in')
  })

  it('messages are limited, known or not', async () => {
    const app = application({ limits: {} })
    await signUp(app, BEN)
    app.clock.now += 3_600_000
    for (const email of [ANN, BEN]) {
      const sent = app.mails.length
      const ask = async () => outcome(await app.visitor().post('/password/forgot', { email }))
      expect([await ask(), await ask()]).toEqual(['in', 'too many'])
      expect(app.mails).toHaveLength(sent + 1)
    }
  })
})

/** Mallory is in a row with Ann's address, which nobody has proved, as one that came with a table of old. */
async function waitInRow(app: PasswordApplication): Promise<Visitor> {
  const other = passwordApplication()
  await signUp(other, BEN, MALLORYS)
  const { id = '' } = (await other.adapter.getUserByEmail(BEN)) ?? {}
  const stored = await other.adapter.passwords.get(id)
  await app.adapter.createUser({ id: 'row', email: ANN, emailVerified: null })
  await app.adapter.passwords.set({
    userId: 'row',
    hash: stored?.hash ?? '',
    changedAt: new Date(),
  })
  const mallory = app.visitor()
  expect(await signIn(mallory, ANN, MALLORYS)).toBe('in')
  return mallory
}
