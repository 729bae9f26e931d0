import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { ANN, createApplication, SESSION_COOKIE, signedIn } from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const junk = (length: number) =>
  createHash('sha512').update(String(length)).digest('hex').repeat(99).slice(0, length)
const PLANTED: readonly (readonly [string, (real: string) => string])[] = [
  ['junk in front', real => `${SESSION_COOKIE}=${junk(50)}; ${real}`],
  ['three times junk in front', real => `${`${SESSION_COOKIE}=${junk(50)}; `.repeat(3)}${real}`],
  ['a stray part', real => `${SESSION_COOKIE}.3=${junk(50)}; ${real}`],
  ['a stray part behind', real => `${real}; ${SESSION_COOKIE}.4=${junk(50)}`],
  ['another first part', real => `${SESSION_COOKIE}.0=${junk(3936)}; ${real}`],
  [
    'odd names',
    real => `${SESSION_COOKIE}.x=1; ${SESSION_COOKIE}.__proto__=1; ${SESSION_COOKIE}.=2; ${real}`,
  ],
  [
    '400 parts',
    real =>
      `${real}; ${Array.from({ length: 400 }, (_, n) => `${SESSION_COOKIE}.${n + 4}=${junk(9)}`).join('; ')}`,
  ],
]

describe.each(['jwt', 'database', 'jwt in parts'])('cookies planted beside a session, %s', kind => {
  async function begin() {
    const { adapter } = memoryAdapter([ANN])
    const application = createApplication({
      adapter,
      session: { strategy: kind === 'database' ? 'database' : 'jwt' },
      callbacks: {
        ...(kind === 'jwt in parts' && {
          jwt: ({ token }) => ({ ...token, roles: 'r'.repeat(9000) }),
        }),
      },
    })
    return { application, visitor: await signedIn(application) }
  }

  it.each(PLANTED)('%s: it is read, and stays', async (_, plant) => {
    const { visitor } = await begin()
    const cookie = plant(visitor.cookieHeader())
    const answer = await visitor.get('/session', { cookie })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: { name: 'Ann' } })
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('more junk than is looked at: nothing is deleted', async () => {
    const { visitor } = await begin()
    const plant = `${SESSION_COOKIE}=${junk(50)}; `
    const others = [51, 52, 53, 54].map(length => `${SESSION_COOKIE}=${junk(length)}`).join('; ')
    const cookie = `${plant}${others}; ${visitor.cookieHeader()}; ${SESSION_COOKIE}=${junk(60)}`
    const answer = await visitor.get('/session', { cookie })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('junk in front: signing out ends the real one', async () => {
    const { visitor } = await begin()
    const csrfToken = await visitor.csrfToken()
    const real = visitor.cookieHeader()
    await visitor.send('/signout', {
      method: 'POST',
      headers: { cookie: `${SESSION_COOKIE}=${junk(50)}; ${real}` },
      body: new URLSearchParams({ csrfToken }),
    })
    expect(await visitor.session()).toBeNull()
    if (kind === 'database') {
      expect(await (await visitor.get('/session', { cookie: real })).json()).toBeNull()
    }
  })
})

describe('the session of somebody else, planted in front of the real one', () => {
  async function begin() {
    let now = Date.UTC(2030, 0, 1)
    const BOB = { id: 'bob', name: 'Bob', email: 'bob@example.com' }
    const { adapter, sessions } = memoryAdapter([ANN, BOB])
    const application = createApplication({
      adapter,
      session: { strategy: 'database' },
      ports: { now: () => now },
    })
    const visitor = await signedIn(application)
    const expires = new Date(now + 40 * 86_400_000)
    sessions.set('planted', { sessionToken: 'planted', userId: 'bob', expires })
    return { visitor, sessions, later: (days: number) => (now += days * 86_400_000) }
  }

  it('is not written in its place when it is due', async () => {
    const { visitor, later } = await begin()
    later(2)
    const cookie = `${SESSION_COOKIE}=planted; ${visitor.cookieHeader()}`
    const answer = await visitor.get('/session', { cookie })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('does not keep the real one from being signed out of', async () => {
    const { visitor, sessions } = await begin()
    const csrfToken = await visitor.csrfToken()
    await visitor.send('/signout', {
      method: 'POST',
      headers: { cookie: `${SESSION_COOKIE}=planted; ${visitor.cookieHeader()}` },
      body: new URLSearchParams({ csrfToken }),
    })
    expect(sessions.size).toBe(0)
  })
})
