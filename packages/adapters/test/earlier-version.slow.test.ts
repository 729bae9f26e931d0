import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AuthInstance, createAuth } from '@siteauth/core'
import { decode } from '@siteauth/core/jwt'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotate, Visitor } from '../../core/test/visitor.ts'
import type { CompleteAdapter } from '../src/memory.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { createPostgresDatabase, POSTGRES_URL, REDIS_URL } from './servers.ts'

// A server of this version beside one of an earlier version, on one store without an audience. What the earlier one has
// written is a fixture, which also describes the keys that the earlier one reads.

type Cookies = Readonly<Record<string, string>>
type Strategy = 'jwt' | 'database'
type StoreName = 'PostgreSQL' | 'Redis'

/** The cookies of people, by what they have done: see the README of the fixture. */
interface People {
  readonly live: readonly Cookies[]
  readonly out: Cookies
  readonly all: Cookies
  readonly others: { readonly staying: Cookies; readonly other: Cookies }
  readonly rotated: { readonly before: Cookies; readonly after: Cookies }
  readonly link: { readonly url: string; readonly cookies: Cookies }
  readonly used: string
  readonly attempt: { readonly state: string; readonly cookies: Cookies }
}

interface Written {
  readonly secret: string
  readonly time: number
  readonly PostgreSQL: {
    readonly cookies: Readonly<Record<Strategy, People>>
    readonly tables: Readonly<Record<string, readonly object[]>>
  }
  readonly Redis: {
    readonly cookies: Readonly<Record<Strategy, People>>
    readonly keys: readonly {
      readonly key: string
      readonly type: string
      readonly value: unknown
    }[]
  }
  readonly sql: string
}

const FIXTURE = '../../../fixtures/upgrade/earlier-stores/c26dbaa0.json'
const written = JSON.parse(readFileSync(new URL(FIXTURE, import.meta.url), 'utf8')) as Written // recorded by us
const PREFIX = 'earlier:'
const COOKIE = '__Secure-authjs.session-token'
const ORIGIN = 'https://app.example.com'
const CENTURY = 100 * 365 * 86_400

/** A store as the earlier version left it, and how that version reads it. */
interface EarlierStore {
  readonly adapter: CompleteAdapter
  /** The generations of revocations; null for a session that ended. */
  generationsOf(keys: readonly string[]): Promise<(number | null | undefined)[]>
  listedIds(userId: string): Promise<string[]>
  hasSession(token: string): Promise<boolean>
  hasLink(identifier: string, hash: string): Promise<boolean>
  close(): Promise<unknown>
}

async function openPostgres(isMigrated: boolean): Promise<EarlierStore> {
  const url = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(written.sql)
  // Sessions refer to users.
  const { users = [], ...others } = written.PostgreSQL.tables
  for (const [table, rows] of Object.entries({ users, ...others })) {
    await pool.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
  const adapter = PostgresAdapter({ url })
  if (isMigrated) await adapter.migrations.apply()
  const select = async (sql: string, ...values: unknown[]) =>
    (await pool.query<Record<string, string>>(sql, values)).rows
  return {
    adapter,
    async generationsOf(keys) {
      const rows = await select(
        'select "revocationKey", generation from revocations where "revocationKey" = any($1)',
        keys,
      )
      const found = new Map(rows.map(row => [row['revocationKey'], row['generation']]))
      return keys.map(key => toGeneration(found.get(key)))
    },
    listedIds: async userId =>
      (await select('select id from tracked_sessions where "userId" = $1', userId)).map(
        ({ id = '' }) => id,
      ),
    hasSession: async token =>
      (await select('select 1 from sessions where "sessionToken" = $1', token)).length > 0,
    hasLink: async (identifier, hash) =>
      (
        await select(
          'select 1 from verification_token where identifier = $1 and token = $2',
          identifier,
          hash,
        )
      ).length > 0,
    async close() {
      await adapter.close()
      await pool.end()
    },
  }
}

async function openRedis(): Promise<EarlierStore> {
  const client = new Redis(String(REDIS_URL))
  const prefix = `${crypto.randomUUID()}:`
  for (const { key, type, value } of written.Redis.keys) {
    const name = prefix + key.slice(PREFIX.length)
    if (type === 'string') await client.set(name, String(value))
    else if (type === 'hash') await client.hset(name, Object(value))
    else await client.zadd(name, ...(value as string[]).toReversed()) // scores come last, and go first
  }
  return {
    adapter: RedisAdapter({ client, prefix }),
    async generationsOf(keys) {
      const values = await client.hmget(`${prefix}{revocations}:ends`, ...keys)
      return values.map(value => {
        const generation = value?.split(' ')[1]
        return toGeneration(generation === '-' ? null : generation)
      })
    },
    listedIds: userId => client.zrange(`${prefix}{${userId}}:tracked`, 0, -1),
    hasSession: async token => (await client.exists(`${prefix}session:${token}`)) > 0,
    hasLink: async (identifier, hash) =>
      (await client.exists(`${prefix}verification:${encodeURIComponent(identifier)}:${hash}`)) > 0,
    close: async () => client.disconnect(),
  }
}

function toGeneration(text: string | null | undefined): number | null | undefined {
  return text == null ? text : Number(text)
}

function createServer(adapter: CompleteAdapter, strategy: Strategy) {
  const links: URL[] = []
  const auth = createAuth(
    {
      secret: written.secret,
      adapter,
      logger: { error() {}, warn() {}, debug() {} },
      session: {
        strategy,
        maxAge: CENTURY,
        updateAge: CENTURY / 2,
        ...(strategy === 'jwt' && { track: true }),
      },
      providers: [
        {
          id: 'password',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: ({ email }) => adapter.getUserByEmail(String(email)),
        },
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          maxAge: CENTURY,
          sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
        },
        {
          id: 'op',
          name: 'Provider',
          type: 'oauth',
          clientId: 'client',
          clientSecret: 'the secret of the client',
          authorization: 'https://op.test/authorize',
          token: 'https://op.test/token',
          userinfo: 'https://op.test/me',
          profile: ({ id, name }) => ({ id: String(id), name: String(name) }),
        },
      ],
      // A minute later, when what was rotated has ended and an attempt has not.
      ports: { now: () => written.time + 60_000, fetch: answerAsProvider },
    },
    { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
  )
  return { auth, links }
}

async function answerAsProvider(input: string | URL | Request): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  return pathname === '/token'
    ? Response.json({ access_token: 'at', token_type: 'bearer' })
    : Response.json({ id: 'ada', name: 'Ada' })
}

function visitorWith(auth: AuthInstance, cookies: Cookies = {}): Visitor {
  const visitor = new Visitor(auth.handle)
  for (const [name, value] of Object.entries(cookies)) visitor.cookies.set(name, value)
  return visitor
}

/** The claim `siteauth` of a session cookie. */
async function claimsOf(visitor: Visitor): Promise<Record<string, unknown>> {
  const token = visitor.cookies.get(COOKIE) ?? ''
  return Object(Object(await decode({ token, secret: written.secret, salt: COOKIE }))['siteauth'])
}

const STORES = [
  {
    name: 'PostgreSQL',
    state: 'before its tables change',
    isThere: POSTGRES_URL,
    open: () => openPostgres(false),
  },
  {
    name: 'PostgreSQL',
    state: 'after its tables have changed',
    isThere: POSTGRES_URL,
    open: () => openPostgres(true),
  },
  { name: 'Redis', state: 'as it is', isThere: REDIS_URL, open: openRedis },
] as const
const CASES = STORES.flatMap(store =>
  (['jwt', 'database'] as const).map(strategy => ({ ...store, strategy })),
)

describe.each(CASES)(
  'beside an earlier version, $strategy sessions in $name, $state',
  ({ name, strategy, isThere, open }) => {
    describe.skipIf(!isThere)('', () => {
      const people = written[name satisfies StoreName].cookies[strategy]
      let store: EarlierStore
      let server: ReturnType<typeof createServer>

      beforeEach(async () => {
        store = await open()
        server = createServer(store.adapter, strategy)
      })

      afterEach(() => store.close())

      const isIn = async (cookies: Cookies) =>
        (await visitorWith(server.auth, cookies).session()) !== null
      const keysOf = (visitors: readonly Cookies[]) =>
        Promise.all(
          visitors.map(
            async cookies => `s:${(await claimsOf(visitorWith(server.auth, cookies)))['sid']}`,
          ),
        )

      it('honours its sessions, and what it has ended', async () => {
        const { live, others, rotated, out, all } = people
        const accepted = [...live, others.staying, rotated.after]
        const ended = [out, all, others.other, rotated.before]
        expect(await Promise.all(accepted.map(isIn))).toEqual(accepted.map(() => true))
        expect(await Promise.all(ended.map(isIn))).toEqual(ended.map(() => false))
        const list = await visitorWith(server.auth, live[0]).get('/sessions')
        expect(await list.json()).toHaveLength(3)
      })

      it('finishes the sign-ins that it has begun', async () => {
        const { link, used, attempt } = people
        const opening = visitorWith(server.auth, link.cookies)
        await opening.openLink(new URL(link.url))
        expect(await opening.session()).not.toBeNull()
        const late = visitorWith(server.auth)
        await late.openLink(new URL(used))
        expect(await late.session()).toBeNull()
        const returning = visitorWith(server.auth, attempt.cookies)
        await returning.get(
          `/callback/op?${new URLSearchParams({ code: 'it', state: attempt.state })}`,
        )
        expect(await returning.session()).not.toBeNull()
      })

      it('begins sessions and sends links that it finds', async () => {
        const { auth, links } = server
        const visitor = visitorWith(auth)
        await visitor.post('/callback/password', { email: `live-${strategy}@example.test` })
        if (strategy === 'jwt') {
          const { sid, gen, bgn } = await claimsOf(visitor)
          expect(sid).toMatch(/^[\da-f]{32}$/)
          expect([typeof gen, typeof bgn]).toEqual(['number', 'number'])
          expect(await store.listedIds('live-jwt')).toContain(`s:${sid}`)
        } else {
          expect(await store.hasSession(visitor.cookies.get(COOKIE) ?? '')).toBe(true)
        }
        const email = 'new@example.test'
        await visitor.post('/signin/mail', { email })
        const token = links[0]?.searchParams.get('token')
        const hash = createHash('sha256').update(`${token}${written.secret}`).digest('hex')
        expect(await store.hasLink(email, hash)).toBe(true)
      })

      it('ends sessions where it looks', async () => {
        const { auth } = server
        const [own = {}, ...others] = people.live
        const { staying } = people.others
        await visitorWith(auth, own).postJson('/sessions/end', { others: true })
        await visitorWith(auth, people.rotated.after).post('/signout')
        await auth.users.endSessions(`others-${strategy}`)
        expect(
          await Promise.all([own, ...others, people.rotated.after, staying].map(isIn)),
        ).toEqual([true, ...[false, false, false, false]])
        if (strategy === 'jwt') {
          const keys = await keysOf([...others, people.rotated.after])
          expect(await store.generationsOf(keys)).toEqual([null, null, null])
          const [{ gen = Infinity } = {}] = [await claimsOf(visitorWith(auth, staying))]
          expect((await store.generationsOf(['u:others-jwt']))[0]).toBeGreaterThan(Number(gen))
          expect(await store.listedIds('live-jwt')).toEqual(await keysOf([own]))
        } else {
          const tokens = [...others, people.rotated.after, staying].map(each => each[COOKIE] ?? '')
          expect(await Promise.all(tokens.map(store.hasSession))).toEqual(tokens.map(() => false))
        }
      })

      it('rotates sessions where it looks', async () => {
        const { auth } = server
        const visitor = visitorWith(auth, people.rotated.after)
        await rotate(auth, visitor)
        expect(await visitor.session()).not.toBeNull()
        if (strategy === 'jwt') {
          const before = await claimsOf(visitorWith(auth, people.rotated.after))
          const { sid, rot } = await claimsOf(visitor)
          expect(sid).toBe(before['sid'])
          expect(rot).toBeGreaterThan(Number(before['rot']))
          expect(await store.generationsOf([`s:${sid}`])).toEqual([rot])
        } else {
          const tokens = [people.rotated.after[COOKIE], visitor.cookies.get(COOKIE)]
          const found = tokens.map(token => store.hasSession(token ?? ''))
          expect(await Promise.all(found)).toEqual([false, true])
        }
      })
    })
  },
)
