import { importBetterAuth } from '@siteauth/core/passwords'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { warningsOf } from '../visitor.ts'
import {
  ANN,
  askForLink,
  BEN,
  BETTER,
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

const EVIL = 'https://evil.example/'

describe.each(['jwt', 'database'] as const)('with %s sessions', strategy => {
  const application = (...[config, own]: Parameters<typeof passwordApplication>) =>
    passwordApplication({ session: { strategy }, ...config }, own)

  it('of two links that are used at the same moment one chooses the password', async () => {
    const app = application()
    await signUp(app)
    const [one, other] = [
      await askForLink(app, app.visitor(), 'forgot'),
      await askForLink(app, app.visitor(), 'forgot'),
    ]
    const { set } = app.adapter.passwords
    let isFirst = true
    app.adapter.passwords.set = async (password, replaces) => {
      if (isFirst) {
        isFirst = false
        expect(await choose(app.visitor(), other, BETTER)).toBe('in')
      }
      return set(password, replaces)
    }
    const late = app.visitor()
    expect(await choose(late, one, 'whoever comes late has nothing')).toBe('Verification')
    expect(await whoIsIn(late)).toBeNull()
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
  })

  it('a link is of no use once the owner has changed the password, even at the same moment', async () => {
    const app = application()
    const owner = await signUp(app)
    const link = await askForLink(app, app.visitor(), 'forgot')
    const { set } = app.adapter.passwords
    let isFirst = true
    app.adapter.passwords.set = async (password, replaces) => {
      if (isFirst) {
        isFirst = false
        expect(await change(owner, GOOD, BETTER)).toBe('in')
      }
      return set(password, replaces)
    }
    expect(await choose(app.visitor(), link, 'whoever read the mail is late')).toBe('Verification')
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
    expect(await whoIsIn(owner)).toBe(ANN)
  })

  it('whoever removes the old password while it is reset does not remove the new one', async () => {
    const app = application({
      providers: [
        { id: 'hub', name: 'Hub', type: 'oauth', issuer: 'https://hub.test', clientId: 'x' },
      ],
    })
    const intruder = await signUp(app)
    const { id: userId = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const account = { userId, provider: 'hub', providerAccountId: '1', type: 'oauth' } as const
    await app.adapter.linkAccount(account)
    const link = await askForLink(app, app.visitor(), 'forgot')
    const { listAccounts } = app.adapter
    app.adapter.listAccounts = async id => {
      app.adapter.listAccounts = listAccounts
      expect(await choose(app.visitor(), link, BETTER)).toBe('in')
      return listAccounts(id)
    }
    // The reset has ended all sessions, and with them whatever was in progress.
    expect(outcome(await intruder.post('/password/remove', { currentPassword: GOOD }))).toBe(
      'InvalidCheck',
    )
    expect(await signIn(app.visitor(), ANN, BETTER)).toBe('in')
  })

  it('a link to an address is of no use for the user who no longer has it', async () => {
    const app = application()
    await signUp(app)
    const { id = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const link = await askForLink(app, app.visitor(), 'forgot')
    await app.adapter.updateUser({ id, email: BEN })
    expect(await choose(app.visitor(), link, BETTER)).toBe('Verification')
    expect(await signIn(app.visitor(), BEN, BETTER)).toBe(WRONG)
    expect(await signIn(app.visitor(), BEN, GOOD)).toBe('in')
  })

  it('a link from before the address moved makes a user of its own, and touches no other', async () => {
    const app = application()
    await app.adapter.createUser({ id: 'u', email: ANN, emailVerified: new Date() })
    const link = await askForLink(app, app.visitor(), 'forgot')
    await app.adapter.updateUser({ id: 'u', email: BEN })
    const visitor = app.visitor()
    expect(await choose(visitor, link, BETTER)).toBe('in')
    expect(await whoIsIn(visitor)).toBe(ANN)
    expect(await app.adapter.passwords.get('u')).toBeNull()
  })

  it('a reset ends sessions that began at the very same moment, and not its own', async () => {
    const app = application()
    const thief = await signUp(app)
    const link = await askForLink(app, app.visitor(), 'forgot')
    const owner = app.visitor()
    expect(await choose(owner, link, BETTER)).toBe('in')
    expect(await whoIsIn(thief)).toBeNull()
    expect(await whoIsIn(owner)).toBe(ANN)
    expect(await change(owner, BETTER, GOOD)).toBe('in')
    expect(await whoIsIn(owner)).toBe(ANN)
  })

  it('no step leads to another site, whatever was asked for at the beginning', async () => {
    const app = application()
    const visitor = app.visitor()
    await visitor.post('/password/sign-up', { email: ANN, callbackUrl: EVIL })
    const link = new URL(app.mails.at(-1)?.url ?? '')
    expect(link.href).not.toContain('evil')
    link.searchParams.set('callbackUrl', EVIL)
    expect(await (await visitor.get(link.href)).text()).not.toContain('evil.example')
    const fields = { ...Object.fromEntries(link.searchParams), callbackUrl: EVIL }
    const answers = [
      await visitor.post('/callback/password', { ...fields, password: 'short' }),
      await visitor.post('/callback/password', { ...fields, password: GOOD }),
      await visitor.post('/password', {
        currentPassword: 'no',
        newPassword: BETTER,
        callbackUrl: EVIL,
      }),
      await visitor.post('/password', {
        currentPassword: GOOD,
        newPassword: BETTER,
        callbackUrl: EVIL,
      }),
      await visitor.post('/password/remove', { currentPassword: BETTER, callbackUrl: EVIL }),
      await visitor.post('/signin/password', { email: ANN, password: GOOD, callbackUrl: EVIL }),
      await visitor.post('/signin/password', { email: ANN, password: BETTER, callbackUrl: EVIL }),
      await visitor.post('/password/forgot', { email: ANN, callbackUrl: EVIL }),
      await visitor.get(`/password/forgot?callbackUrl=${EVIL}`),
      await visitor.get(`/password/sign-up?callbackUrl=${EVIL}`),
      await visitor.get(`/password?callbackUrl=${EVIL}`),
    ]
    for (const answer of answers) {
      expect(answer.headers.get('location') ?? '').not.toContain('evil.example')
      expect(await answer.text()).not.toContain('evil.example')
    }
  })

  it('pages of the application are told of no other site either', async () => {
    const pages = { signUp: '/join', forgot: '/lost', choose: '/choose', change: '/account' }
    const app = application({}, { pages })
    const visitor = await signUp(app)
    const link = await askForLink(app, visitor, 'forgot')
    link.searchParams.set('callbackUrl', EVIL)
    const fields = { ...Object.fromEntries(link.searchParams), password: 'short' }
    for (const answer of [
      await visitor.get(link.href),
      await visitor.post('/callback/password', fields),
      await visitor.get(`/password/forgot?callbackUrl=${EVIL}`),
      await visitor.get(`/password/sign-up?callbackUrl=${EVIL}`),
      await visitor.get(`/password?callbackUrl=${EVIL}`),
    ]) {
      expect(answer.headers.get('location')).toContain('https://app.example.com/')
      expect(answer.headers.get('location')).not.toContain('evil.example')
    }
  })

  it('a link is not used up by programs that open it, look at its head or send its form', async () => {
    const app = application()
    const link = await askForLink(app, app.visitor())
    const scanner = app.visitor()
    await scanner.get(link.href)
    await scanner.send(link.href, { method: 'HEAD' })
    await scanner.send(link.href, { method: 'POST' })
    await scanner.confirmLink(link)
    expect(await choose(app.visitor(), link)).toBe('in')
  })

  it('the only way in cannot be removed by way of an account that works no longer', async () => {
    const app = application()
    const owner = await signUp(app)
    const { id: userId = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    await app.adapter.linkAccount({
      userId,
      provider: 'gone',
      providerAccountId: '1',
      type: 'oauth',
    })
    expect(outcome(await owner.post('/password/remove', { currentPassword: GOOD }))).toBe(
      'PasswordRefused only_sign_in_method',
    )
  })

  it('links and their passwords go on with a new secret in front of the old one', async () => {
    const [earlier, later] = ['a'.repeat(40), 'b'.repeat(40)]
    const app = application({ secret: earlier })
    const link = await askForLink(app, app.visitor())
    const next = application({ adapter: app.adapter, secret: [later, earlier] })
    expect(await choose(next.visitor(), link)).toBe('in')
    expect(await signIn(application({ adapter: app.adapter, secret: later }).visitor())).toBe('in')
  })

  it('a password is taken if the blocklist cannot be asked, and the log says so', async () => {
    const blocklist = async () => {
      throw new Error('The list of known passwords answered 503.')
    }
    const app = application({}, { rules: { blocklist } })
    await signUp(app)
    const [logged = ''] = app.errors.map(({ message }) => message)
    expect(logged).toContain('The blocklist of "password" could not be asked')
    expect(logged).toContain('503')
    expect(logged).not.toContain(GOOD)
  })
})

describe('that a reset ends nothing', () => {
  const warned = 'sessions-outlast-passwords'
  const { revocations: _, ...unlogged } = MemoryAdapter()
  const { deleteSessions: __, ...undeleting } = MemoryAdapter()

  it.each([
    ['sessions in cookies without a log', { session: { strategy: 'jwt' }, adapter: unlogged }],
    ['a log that was switched off', { session: { strategy: 'jwt', revocation: false } }],
    ['a store without deleteSessions', { session: { strategy: 'database' }, adapter: undeleting }],
  ] as const)('is said: %s', async (_name, config) => {
    expect(await warningsOf(passwordApplication(config))).toContain(warned)
  })

  it.each(['jwt', 'database'] as const)('is not said where it does: %s', async strategy => {
    const app = passwordApplication({ session: { strategy } })
    expect(await warningsOf(app)).not.toContain(warned)
  })
})

it.each([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['f', false],
  [null, false],
])('an address of Better Auth that is verified: %j is proved here: %s', async (value, isProved) => {
  const adapter = MemoryAdapter()
  const user = { id: 'u', name: 'Ann', email: ANN, emailVerified: value as boolean }
  await importBetterAuth(adapter, { users: [user], accounts: [] })
  expect((await adapter.getUser('u'))?.emailVerified instanceof Date).toBe(isProved)
})
