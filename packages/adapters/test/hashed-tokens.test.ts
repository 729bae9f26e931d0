import { createHash } from 'node:crypto'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { type AuthConfig, type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import pg from 'pg'
import { createStorage } from 'unstorage'
import { describe, expect, it } from 'vitest'
import { readWithoutRenewal, SECRET, Visitor } from '../../core/test/visitor.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { AUTHJS_PRISMA_TABLES } from './authjs-tables.ts'
import { PrismaClient } from './prisma/client.mjs'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'
import { OUR_STORES } from './stores.ts'

const COOKIE = '__Secure-authjs.session-token'
const ORIGIN = 'https://app.example.com'
type Mode = NonNullable<AuthConfig['session']>['hashTokens']
const MODES: readonly Mode[] = [false, 'migrate', true]

const PUBLISHED = [
  {
    name: '@auth/unstorage-adapter',
    isThere: true,
    open: async () => ({ adapter: UnstorageAdapter(createStorage()) as Adapter, close() {} }),
  },
  {
    name: '@auth/prisma-adapter',
    isThere: POSTGRES_URL !== undefined,
    async open() {
      const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
      await pool.query(AUTHJS_PRISMA_TABLES)
      const client = new PrismaClient({ adapter: new PrismaPg(pool) })
      return { adapter: PrismaAdapter(client) as Adapter, close: () => pool.end() }
    },
  },
]

const STORES: readonly {
  readonly name: string
  readonly isThere: boolean
  open(): Promise<{ readonly adapter: Adapter; close(): unknown }>
}[] = [...OUR_STORES, ...PUBLISHED]

/** An application whose store records its calls for the tests. */
async function openSite(open: () => Promise<{ adapter: Adapter; close(): unknown }>) {
  const { adapter: store, close } = await open()
  /** The names of sessions that the store has received, as they stand in its columns. */
  const names = new Set<string>()
  const calls: string[] = []
  const adapter = new Proxy(store, {
    get(target, name: keyof Adapter) {
      const method = target[name]
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => {
        if (/Session/.test(name)) calls.push(name)
        if (name === 'createSession') names.add((args[0] as { sessionToken: string }).sessionToken)
        return (method as (...args: unknown[]) => unknown).apply(target, args)
      }
    },
  })
  const user = await store.createUser?.({
    id: crypto.randomUUID(),
    name: 'Ann',
    email: 'ann@example.test',
    emailVerified: null,
  })
  const site = (hashTokens: Mode): AuthInstance =>
    createAuth(
      {
        secret: SECRET,
        adapter,
        logger: { error: error => void errors.push(error) },
        session: { strategy: 'database', hashTokens },
        // The tests take tokens to browsers that were not given them.
        cookies: { sessionToken: { options: { domain: 'example.com' } } },
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: async () => (await store.getUser?.(user?.id ?? '')) ?? null,
          },
        ],
      },
      { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
    )
  const errors: Error[] = []
  const sites = new Map(MODES.map(mode => [mode, site(mode)]))
  const at = (mode: Mode) => sites.get(mode) as AuthInstance
  const holding = (token: string, mode: Mode) => {
    const visitor = new Visitor(at(mode).handle)
    visitor.cookies.set(COOKIE, token)
    return visitor
  }
  return {
    names,
    asked: calls,
    errors,
    store,
    at,
    close,
    holding,
    async signedIn(mode: Mode): Promise<string> {
      const visitor = new Visitor(at(mode).handle)
      await visitor.post('/callback/password')
      return visitor.cookies.get(COOKIE) ?? ''
    },
    isIn: async (token: string, mode: Mode) => (await holding(token, mode).session()) !== null,
  }
}

for (const { name, isThere, open } of STORES) {
  describe.skipIf(!isThere)(`session tokens in ${name}`, () => {
    it('are not stored, where they are hashed, and what is stored signs nobody in', async () => {
      const { names, signedIn, isIn, errors, close } = await openSite(open)
      const token = await signedIn(true)
      expect([...names]).toEqual([expect.stringMatching(/^h1\.[0-9a-f]{64}$/)])
      expect(names.has(token)).toBe(false)
      for (const mode of ['migrate', true] as const) expect(await isIn(token, mode)).toBe(true)
      for (const mode of MODES) {
        for (const stored of names) expect(await isIn(stored, mode)).toBe(false)
      }
      expect(errors).toEqual([])
      await close()
    })

    it('are hashed when they are next used, and nobody is signed out by it', async () => {
      const { names, signedIn, isIn, store, errors, close } = await openSite(open)
      const token = await signedIn(false)
      expect(names.has(token)).toBe(true)
      expect(await isIn(token, true)).toBe(false)
      // The requests of a page come all at once.
      const page = await Promise.all([1, 2, 3].map(() => isIn(token, 'migrate')))
      expect(page).toEqual([true, true, true])
      expect(await store.getSessionAndUser?.(token)).toBeNull()
      for (const mode of ['migrate', true] as const) expect(await isIn(token, mode)).toBe(true)
      names.delete(token)
      expect(names.size).toBe(1)
      for (const mode of MODES) {
        for (const stored of names) expect(await isIn(stored, mode)).toBe(false)
      }
      expect(errors).toEqual([])
      await close()
    })

    it.each(['migrate', true] as const)('end when somebody signs out (%s)', async mode => {
      const { names, signedIn, holding, isIn, at, close } = await openSite(open)
      const tokens = [await signedIn(mode), ...(mode === 'migrate' ? [await signedIn(false)] : [])]
      for (const token of tokens) {
        const ann = holding(token, mode)
        const response = await ann.post('/signout')
        expect(response.headers.get('location')).not.toContain('error')
        for (const other of MODES) expect(await isIn(token, other)).toBe(false)
      }
      expect(at(mode)).toBeDefined()
      expect(names.size).toBe(tokens.length)
      await close()
    })

    it.each(['migrate', true] as const)('end when they are replaced (%s)', async mode => {
      const { signedIn, holding, names, close, isIn } = await openSite(open)
      const ann = holding(await signedIn(mode), mode)
      await ann.post('/callback/password')
      expect(await isIn(ann.cookies.get(COOKIE) ?? '', mode)).toBe(true)
      for (const stored of names) {
        for (const other of MODES) expect(await isIn(stored, other)).toBe(false)
      }
      await close()
    })

    it('are looked for once, where they are hashed', async () => {
      const { asked: calls, signedIn, at, close } = await openSite(open)
      for (const mode of ['migrate', true] as const) {
        const headers = { cookie: `${COOKIE}=${await signedIn(mode)}` }
        calls.length = 0
        const request = { headers, url: ORIGIN }
        expect(await readWithoutRenewal(at(mode), request)).not.toBeNull()
        expect(calls).toEqual(['getSessionAndUser'])
      }
      await close()
    })
  })
}

it('a session that another server hashes between two looks is found', async () => {
  const store = MemoryAdapter()
  let token = ''
  let hashMeanwhile = async () => {}
  const { signedIn, isIn, at } = await openSite(async () => ({
    adapter: {
      ...store,
      async getSessionAndUser(name) {
        if (name === token) {
          token = '' // once
          await hashMeanwhile()
        }
        return store.getSessionAndUser(name)
      },
    },
    close() {},
  }))
  const plain = await signedIn(false)
  hashMeanwhile = async () => {
    const name = `h1.${createHash('sha256').update(plain).digest('hex')}`
    const row = await store.deleteSession(plain)
    if (row) await store.createSession({ ...row, sessionToken: name })
  }
  token = plain
  const headers = { cookie: `${COOKIE}=${plain}` }
  expect(await at('migrate').getSession({ headers, url: ORIGIN })).not.toBeNull()
  expect(await isIn(plain, true)).toBe(true)
})
