import type { AuthConfig } from '@siteauth/core'
import type { AdapterUser } from '@siteauth/core/adapters'
import type { Callbacks, SessionOptions } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ANN, createApplication, everybodyIs, ORIGIN, signedIn } from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'

type SessionCallback = Callbacks['session']

const ROW = {
  ...ANN,
  emailVerified: new Date(0),
  passwordHash: '$argon2id$secret-hash',
  role: 'admin',
  born: new Date(Date.UTC(1990, 0, 1)),
  settings: { theme: 'dark', backupCodes: ['secret-code'] },
}

/** What is seen of the row if nobody names more. */
const SEEN = { name: ANN.name, email: ANN.email, image: ANN.image }

/** What the browser gets of a session, and what the server gets. */
async function seenBy(config: Partial<AuthConfig>) {
  const application = createApplication({ providers: [everybodyIs(ROW)], ...config })
  const visitor = await signedIn(application)
  const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
  return {
    browser: (await visitor.session()) as { user: object; expires: string },
    server: (await application.getSession(request)) as unknown as { user: object; expires: string },
    errors: application.errors,
  }
}

function stored(row: object = ROW) {
  const found = { ...memoryAdapter([ROW]).adapter }
  const { getSessionAndUser } = found
  found.getSessionAndUser = async token => {
    const rows = await getSessionAndUser(token)
    return rows && { session: rows.session, user: row as AdapterUser }
  }
  return { adapter: found }
}

/** The adapter of our own package, whose sessions are renewed as they are read. */
async function inMemory() {
  const adapter = MemoryAdapter()
  const user = await adapter.createUser?.(ROW)
  return { adapter, providers: [everybodyIs({ ...user })] }
}

/** Ways in which applications put together what they return. None of them names a column. */
const careless: Readonly<Record<string, SessionCallback>> = {
  'the session as it is': ({ session }) => session,
  'a copy of it': ({ session }) => ({ ...session }),
  'copies of it and of its user': ({ session }) => ({ ...session, user: { ...session.user } }),
  'the row itself as the user': ({ session, user }) => ({ ...session, user }),
  'the row, assigned': ({ session, user }) => Object.assign(session, { user }),
  'all of the row, assigned to the user': ({ session, user }) => {
    Object.assign(session.user, user)
    return session
  },
  'entries of the row': ({ session, user }) => ({
    ...session,
    user: Object.fromEntries(Object.entries(user)),
  }),
  'what a loop finds': ({ session, user }) => {
    const copy: Record<string, unknown> = {}
    for (const name in user) copy[name] = Reflect.get(user, name)
    return { ...session, user: copy }
  },
  'a structured clone': ({ session }) => structuredClone(session),
  'what JSON has of it': ({ session }) => JSON.parse(JSON.stringify(session)),
  'the rest of the row': ({ session, user: { emailVerified, ...rest } }) => ({
    ...session,
    user: rest,
    isProven: emailVerified !== null,
  }),
}

describe('What a session callback returns without naming it', () => {
  it.each(Object.entries(careless))('reaches nobody: %s', async (_, callback) => {
    const { browser, server } = await seenBy({ ...stored(), callbacks: { session: callback } })
    expect(browser.user).toEqual(SEEN)
    expect(server).toEqual(browser)
    expect(Object.getOwnPropertyNames(server.user).sort()).toEqual(['email', 'image', 'name'])
  })

  it('stays hidden where the user is returned under another name', async () => {
    const session: SessionCallback = ({ session, user }) => ({ ...session, owner: user })
    const { browser, server } = await seenBy({ ...stored(), callbacks: { session } })
    expect(browser).toMatchObject({ owner: SEEN })
    expect(JSON.stringify(browser)).not.toContain('secret')
    expect(Object.getPrototypeOf(Reflect.get(server, 'owner'))).toBe(Object.prototype)
  })

  it('is the same with an adapter that renews sessions as it reads them', async () => {
    const session: SessionCallback = ({ session, user }) => ({ ...session, user })
    const { browser } = await seenBy({ ...(await inMemory()), callbacks: { session } })
    expect(browser.user).toEqual(SEEN)
  })

  it('leaves out columns of the session that are not of the contract', async () => {
    const { adapter } = stored()
    const { getSessionAndUser } = adapter
    adapter.getSessionAndUser = async token => {
      const found = await getSessionAndUser(token)
      return found && { ...found, session: { ...found.session, refreshToken: 'secret' } as never }
    }
    const session: SessionCallback = ({ session }) => ({ ...session })
    const { browser } = await seenBy({ adapter, callbacks: { session } })
    expect(Object.keys(browser).sort()).toEqual(['expires', 'user', 'userId'])
  })

  it.each([
    ['frozen', Object.freeze({ ...ROW })],
    ['without a prototype', Object.assign(Object.create(null), ROW)],
    [
      'an object of a class that writes itself as JSON',
      new (class Entity {
        #row = ROW
        get id() {
          return this.#row.id
        }
        get name() {
          return this.#row.name
        }
        get email() {
          return this.#row.email
        }
        get image() {
          return this.#row.image
        }
        get role() {
          return this.#row.role
        }
        toJSON() {
          return this.#row
        }
      })(),
    ],
  ])('is hidden of a row that is %s, and can be read and set', async (_, row) => {
    const session: SessionCallback = ({ session, user }) => {
      session.user.id = user.id
      const isAdmin = Reflect.get(user, 'role') === 'admin'
      return Object.assign(session, { isAdmin, text: JSON.stringify(user) })
    }
    const { browser } = await seenBy({ ...stored(row), callbacks: { session } })
    const text = JSON.stringify({ ...SEEN, id: ANN.id })
    expect(browser).toMatchObject({ isAdmin: true, text })
    expect(browser.user).toEqual({ ...SEEN, id: ANN.id })
  })
})

describe('What a session callback names', () => {
  const named: Readonly<Record<string, SessionCallback>> = {
    'in a copy': ({ session, user }) => ({
      ...session,
      user: { ...session.user, id: user.id, settings: Reflect.get(user, 'settings') },
    }),
    'by setting it': ({ session, user }) => {
      session.user.id = user.id
      return Object.assign(session, {
        user: Object.assign(session.user, { settings: Reflect.get(user, 'settings') }),
      })
    },
  }

  it.each(Object.entries(named))('is seen: %s', async (_, callback) => {
    const { browser, server } = await seenBy({ ...stored(), callbacks: { session: callback } })
    expect(browser.user).toEqual({ ...SEEN, id: ANN.id, settings: ROW.settings })
    expect(server).toEqual(browser)
  })

  it('may be the token, which can be read as well', async () => {
    const session: SessionCallback = ({ session }) => ({
      ...session,
      tokenLength: session.sessionToken.length,
    })
    expect((await seenBy({ ...stored(), callbacks: { session } })).browser).toHaveProperty(
      'tokenLength',
      36,
    )
  })
})

describe('session.expose', () => {
  const expose = ['id', 'role', 'born', 'nickname']
  const shown = { ...SEEN, id: ANN.id, role: 'admin', born: '1990-01-01T00:00:00.000Z' }

  it.each([
    ['in a cookie', async () => ({})],
    ['in a cookie, beside an adapter', async () => ({ ...stored(), strategy: 'jwt' as const })],
    ['in a store with the methods of Auth.js', async () => stored()],
  ])('shows what it names, with sessions %s', async (_, settings) => {
    const { strategy, ...config } = { strategy: undefined, ...(await settings()) }
    const { browser, server } = await seenBy({ ...config, session: { strategy, expose } })
    expect(browser.user).toEqual(shown)
    expect(JSON.parse(JSON.stringify(server))).toEqual(browser)
  })

  it('shows the id that our own adapter gave', async () => {
    const memory = await inMemory()
    const { browser } = await seenBy({ ...memory, session: { expose: ['id'] } })
    expect(browser.user).toEqual({ ...SEEN, id: expect.any(String) })
  })

  it.each([
    ['jwt', {}],
    ['database', stored()],
  ])('is part of what the session callback copies (%s)', async (_, config) => {
    const session: SessionCallback = ({ session }) => ({ ...session, user: { ...session.user } })
    const { browser } = await seenBy({ ...config, session: { expose }, callbacks: { session } })
    expect(browser.user).toEqual(shown)
  })

  it('shows claims that the jwt callback made', async () => {
    const { browser } = await seenBy({
      providers: [everybodyIs(ANN)],
      session: { expose: ['plan'] },
      callbacks: { jwt: ({ token }) => ({ ...token, plan: 'free' }) },
    })
    expect(browser.user).toEqual({ ...SEEN, plan: 'free' })
  })

  it('never takes a column for a claim that means something else', async () => {
    const { browser } = await seenBy({
      providers: [everybodyIs({ ...ANN, exp: 7, sub: 'guru' })],
      session: { expose: ['id', 'exp', 'sub'] },
    })
    expect(browser.user).toMatchObject({ id: ANN.id, sub: ANN.id, exp: expect.any(Number) })
    expect(browser.user).not.toMatchObject({ exp: 7 })
  })

  it.each([
    ['a name alone', 'role'],
    ['no name', ['']],
    ['what every object has', ['__proto__']],
    ['its maker', ['constructor']],
    ['a number', [1]],
  ])('that is %s is a fault in words', async (_, value) => {
    const expose = value as unknown as SessionOptions['expose']
    const application = createApplication({ session: { expose } })
    expect((await application.visitor().get('/session')).status).toBe(500)
    expect(application.errors.map(each => each.message).join()).toContain(
      'session.expose must list columns',
    )
  })
})
