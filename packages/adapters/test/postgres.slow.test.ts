import { adapterSuite } from '@siteauth/testing/adapter'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresAdapter, type SqlAdapter } from '../src/postgres.ts'
import { AUTHJS_PG_TABLES } from './authjs-tables.ts'
import { extraMethods } from './extra-methods.ts'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'

describe.skipIf(!POSTGRES_URL)('PostgreSQL', () => {
  let adapter: SqlAdapter
  adapterSuite({
    name: 'postgres',
    async create() {
      adapter = PostgresAdapter({ url: await createPostgresDatabase() })
      await adapter.migrations.apply()
      return adapter
    },
  })
  extraMethods('postgres', async () => adapter)
  afterAll(() => adapter.close())

  let pool: pg.Pool
  let taken: SqlAdapter
  adapterSuite({
    name: 'postgres, on tables made for @auth/pg-adapter, with the missing indexes added',
    async create() {
      pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
      await pool.query(AUTHJS_PG_TABLES)
      taken = PostgresAdapter({ pool })
      await taken.migrations.apply()
      return taken
    },
    // Its column for the ids of accounts takes 255 letters.
    knownFailures: ['credential ids of 1023 bytes are taken, and find their user'],
  })
  extraMethods('postgres, on tables made for @auth/pg-adapter', async () => taken)
  afterAll(() => pool.end())

  let kysely: Kysely<unknown>
  adapterSuite({
    name: 'postgres, on a Kysely that the application has, in a schema and under other names',
    async create() {
      const own = new pg.Pool({ connectionString: await createPostgresDatabase() })
      await own.query('create schema auth')
      kysely = new Kysely({ dialect: new PostgresDialect({ pool: own }) })
      const tables = {
        users: 'auth.User',
        accounts: 'auth.Account',
        sessions: 'auth.Session',
        verificationTokens: 'auth.VerificationToken',
        authenticators: 'auth.Authenticator',
        revocations: 'auth.Revocation',
      }
      const renamed = PostgresAdapter({ kysely, tables })
      await renamed.migrations.apply()
      return renamed
    },
    close: () => kysely.destroy(),
  })
})

describe.skipIf(!POSTGRES_URL)('PostgreSQL migrations', () => {
  let pool: pg.Pool
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
  })
  afterAll(async () => pool.end())

  it('plans what is missing, applies it once, and then has nothing to do', async () => {
    const { migrations } = PostgresAdapter({ pool })
    const plan = await migrations.plan()
    expect(plan.map(step => step.description)).toContain('create table users')
    expect(await migrations.apply()).toEqual(plan)
    expect(await migrations.plan()).toEqual([])
    expect(await migrations.apply()).toEqual([])
  })

  it('prints SQL that an empty database takes', async () => {
    const empty = new pg.Pool({ connectionString: await createPostgresDatabase() })
    const { migrations } = PostgresAdapter({ pool: empty })
    await empty.query(migrations.sql())
    expect(await migrations.plan()).toEqual([])
    await empty.end()
  })

  it('may be applied by several processes at once', async () => {
    const url = await createPostgresDatabase()
    const adapters = Array.from({ length: 5 }, () => PostgresAdapter({ url }))
    await Promise.all(adapters.map(adapter => adapter.migrations.apply()))
    expect(await adapters[0]?.migrations.plan()).toEqual([])
    await Promise.all(adapters.map(adapter => adapter.close()))
  })

  it('adds only what they lack: indexes, tables, and what is known of sessions and accounts, to those of @auth/pg-adapter', async () => {
    const old = new pg.Pool({ connectionString: await createPostgresDatabase() })
    await old.query(AUTHJS_PG_TABLES)
    const plan = await PostgresAdapter({ pool: old }).migrations.plan()
    expect(plan.map(step => step.description)).toEqual([
      'create unique index on users (email)',
      'add column token_error to accounts',
      'add column dpop_key to accounts',
      'add column issuer to accounts',
      'add column lease_holder to accounts',
      'add column lease_until to accounts',
      'create unique index on accounts (provider, providerAccountId)',
      'create index on accounts (userId)',
      'add column createdAt to sessions',
      'add column lastSeenAt to sessions',
      'add column userAgent to sessions',
      'add column label to sessions',
      'add column provider to sessions',
      'create unique index on sessions (sessionToken)',
      'create index on sessions (userId, expires)',
      'create index on sessions (expires)',
      'create index on verification_token (expires)',
      'create table authenticators',
      'create index on authenticators (userId)',
      'create table revocations',
      'create index on revocations (expires)',
      'create index on revocations (changed)',
      'create table tracked_sessions',
      'create index on tracked_sessions (userId, expires)',
      'create index on tracked_sessions (expires)',
      'create table limits',
      'create index on limits (expires)',
      'create table passwords',
    ])
    await old.end()
  })

  it('says what to do when there are no tables', async () => {
    const url = await createPostgresDatabase()
    const adapter = PostgresAdapter({ url })
    await expect(adapter.getUser('1')).rejects.toThrow(/users does not exist.*migrations\.apply/)
    await adapter.close()
  })
})
