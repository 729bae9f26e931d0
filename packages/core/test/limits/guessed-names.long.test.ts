import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import {
  ANN,
  askForLink,
  BETTER,
  change,
  choose,
  GOOD,
  outcome,
  passwordApplication,
  signIn,
  signUp,
  WRONG,
} from '../passwords/application.ts'
import type { Visitor } from '../visitor.ts'
import { guardedApplication, tryPassword } from './guarded.ts'

/** People sign in by their address; the form says so, or lists no fields at all. */
const byAddress = (credentials: Record<string, { type?: string }>) =>
  Credentials({
    credentials,
    authorize: ({ email, password }: Record<string, unknown>) =>
      password === `right ${String(email)}` ? { id: String(email) } : null,
  })

const FIELDS = { email: {}, username: {}, password: { type: 'password' } }

describe.each([
  ['lists no fields', {}],
  ['lists two names', FIELDS],
] as const)('a form that %s', (_, credentials) => {
  const MALLORY = 'mallory@example.com'
  const post = async (visitor: Visitor, fields: Record<string, string>) =>
    (await visitor.post('/callback/credentials', fields)).status

  it('does not let somebody begin anew at the account of another by naming it beside their own', async () => {
    const app = guardedApplication({ providers: [byAddress(credentials)] })
    const statuses: number[] = []
    for (let guess = 0; guess < 8; guess++) {
      statuses.push(await post(app.visitor(''), { email: ANN, password: `${guess}` }))
      const own = { email: MALLORY, password: `right ${MALLORY}`, username: ANN }
      await post(app.visitor(''), own)
    }
    expect(statuses.filter(status => status !== 429).length).toBeLessThanOrEqual(5)
  })

  it('does not make a browser known to an account that was only named beside another', async () => {
    const app = guardedApplication({ providers: [byAddress(credentials)] })
    const mallory = app.visitor('')
    await post(mallory, { email: MALLORY, password: `right ${MALLORY}`, username: ANN })
    for (let guess = 0; guess < 5; guess++) {
      await post(app.visitor(''), { email: ANN, password: `${guess}` })
    }
    expect(await post(mallory, { email: ANN, password: 'wrong' })).toBe(429)
  })

  it('counts a name once that is in two fields, which is one name', async () => {
    const app = guardedApplication({ providers: [byAddress(credentials)] })
    const names = { email: ANN, username: ANN }
    for (let guess = 0; guess < 4; guess++) {
      expect(await post(app.visitor(''), { ...names, password: 'wrong' })).toBe(302)
    }
    const visitor = app.visitor('')
    expect(await post(visitor, { ...names, password: `right ${ANN}` })).toBe(302)
    expect(visitor.cookies.has('__Host-siteauth.known')).toBe(true)
  })

  it('still lets somebody begin anew who gives one name', async () => {
    const app = guardedApplication({ providers: [byAddress(credentials)] })
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 4; guess++) {
        await post(app.visitor(''), { email: ANN, password: 'wrong' })
      }
      expect(await post(app.visitor(''), { email: ANN, password: `right ${ANN}` })).toBe(302)
    }
  })
})

it('a name that anybody can take is not the address of somebody with another provider', async () => {
  const sent: string[] = []
  const app = guardedApplication({
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      Credentials({
        credentials: { username: {}, password: { type: 'password' } },
        authorize: ({ username }) => ({ id: String(username) }),
      }),
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ identifier }) => void sent.push(identifier),
      },
    ],
  })
  for (let browser = 0; browser < 5; browser++) {
    const mallory = app.visitor()
    expect(await tryPassword(mallory, ANN, '')).toBe('in')
    await mallory.post('/signin/mail', { email: ANN })
  }
  expect(sent).toEqual([ANN])
})

describe('browsers that signed in before', () => {
  it('have no more guesses together than an owner has browsers', async () => {
    const app = guardedApplication()
    const browsers: Visitor[] = []
    for (let index = 0; index < 30; index++) {
      const visitor = app.visitor()
      expect(await tryPassword(visitor, 'ann', 'right ann')).toBe('in')
      browsers.push(visitor)
    }
    // By now the password is another one.
    app.guesses.length = 0
    for (const visitor of browsers) {
      for (let guess = 0; guess < 5; guess++) await tryPassword(visitor, 'ann', 'wrong')
    }
    expect(app.guesses.length).toBeLessThanOrEqual(100)
  })

  it('are not known to an address that nobody has proved', async () => {
    const app = passwordApplication({ limits: {} })
    await importUser(app, GOOD)
    const mallory = app.visitor()
    expect(await signIn(mallory, ANN, GOOD)).toBe('in')
    app.clock.now += 1000
    const owner = app.visitor()
    expect(await choose(owner, await askForLink(app, owner), BETTER)).toBe('in')
    for (let guess = 0; guess < 5; guess++) await signIn(app.visitor(), ANN, GOOD)
    expect(await signIn(mallory, ANN, GOOD)).toBe('too many')
    await owner.post('/signout')
    expect(await signIn(owner, ANN, BETTER)).toBe('in')
  })
})

it('nobody gets a message for each of many changes, be the address theirs or not', async () => {
  const app = passwordApplication({ limits: {} })
  await importUser(app, GOOD)
  const mallory = app.visitor()
  expect(await signIn(mallory, ANN, GOOD)).toBe('in')
  const came: string[] = []
  let [current, next] = [GOOD, BETTER]
  for (let time = 0; time < 10; time++) {
    const answer = await change(mallory, current, next)
    came.push(answer)
    if (answer === 'in') [current, next] = [next, current]
    app.clock.now += 30_000
  }
  expect(came.filter(each => each === 'in')).toHaveLength(5)
  expect(app.mails).toHaveLength(5)
})

it('an address in another spelling, or beside the own one, is counted as the same', async () => {
  const app = passwordApplication({ limits: {} })
  await signUp(app)
  for (const email of [ANN, 'ANN@example.com', ' ann@example.com', 'ann@EXAMPLE.com ', ANN]) {
    expect(await signIn(app.visitor(), email, BETTER)).toBe(WRONG)
  }
  expect(await signIn(app.visitor(), 'Ann@Example.Com', BETTER)).toBe('too many')
  const response = await app
    .visitor()
    .post('/signin/password', { email: `${ANN}.`, password: GOOD })
  expect(outcome(response)).toBe(WRONG)
})

/** Somebody who came with a table of old, where nobody had to prove an address. */
async function importUser(app: ReturnType<typeof passwordApplication>, password: string) {
  const other = passwordApplication()
  await signUp(other, ANN, password)
  const { id = '' } = (await other.adapter.getUserByEmail(ANN)) ?? {}
  const { hash = '' } = (await other.adapter.passwords.get(id)) ?? {}
  await app.adapter.createUser({ id: 'row', email: ANN, emailVerified: null })
  await app.adapter.passwords.set({ userId: 'row', hash, changedAt: new Date() })
}
