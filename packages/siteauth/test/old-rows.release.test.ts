import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import PgAdapter from '@auth/pg-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { Visitor } from '@siteauth/testing'
import { createFakeProvider, type FakeProvider } from '@siteauth/testing/provider'
import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleSqlite } from 'drizzle-orm/sqlite-proxy'
import Database from 'libsql'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  AUTHJS_DRIZZLE_TABLES,
  AUTHJS_PG_TABLES,
  AUTHJS_PRISMA_TABLES,
} from '../../adapters/test/authjs-tables.ts'
import { PrismaClient } from '../../adapters/test/prisma/client.mjs'
import { createPostgresDatabase, POSTGRES_URL } from '../../adapters/test/servers.ts'
import { createProject } from './command-line.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** An application of Auth.js, which is handed its store and its provider. */
const APPLICATION = `import { Auth, customFetch } from '@auth/core'

export const createHandler = (adapter: any, provider: any) => (request: Request) =>
  Auth(request, {
    adapter,
    secret: 'a secret for tests, 32 characters',
    trustHost: true,
    basePath: '/auth',
    providers: [{ ...provider, id: 'google', name: 'Google', type: 'oidc', [customFetch]: provider.fetch }],
  })
`

interface Application {
  createHandler(adapter: object, provider: object): (request: Request) => Promise<Response>
}

/** A store of Auth.js, and how many users are in it. */
interface Store {
  readonly adapter: object
  countUsers(): Promise<number> | number
}

async function openPostgres(tables: string): Promise<{ pool: pg.Pool; url: string }> {
  const url = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  await pool.query(tables)
  return { pool, url }
}

function counting(pool: pg.Pool, table: string): () => Promise<number> {
  return async () => (await pool.query(`select id from ${table}`)).rows.length
}

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  async 'pg-adapter'() {
    const { pool } = await openPostgres(AUTHJS_PG_TABLES)
    return { adapter: PgAdapter(pool), countUsers: counting(pool, 'users') }
  },
  async 'drizzle-adapter'() {
    const { pool } = await openPostgres(AUTHJS_DRIZZLE_TABLES)
    return { adapter: DrizzleAdapter(drizzle(pool)), countUsers: counting(pool, '"user"') }
  },
  async 'prisma-adapter'() {
    const { pool, url } = await openPostgres(AUTHJS_PRISMA_TABLES)
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
    onTestFinished(() => client.$disconnect())
    return { adapter: PrismaAdapter(client), countUsers: counting(pool, '"User"') }
  },
}

/** What the documentation of the Drizzle adapter has people make for SQLite: times are milliseconds. */
const SQLITE_TABLES = `
create table user (id text primary key, name text, email text unique, emailVerified integer, image text);
create table account (userId text not null, type text not null, provider text not null,
  providerAccountId text not null, refresh_token text, access_token text, expires_at integer, token_type text,
  scope text, id_token text, session_state text, primary key (provider, providerAccountId));
create table session (sessionToken text primary key, userId text not null, expires integer not null);
create table verificationToken (identifier text not null, token text not null, expires integer not null,
  primary key (identifier, token));`

function openSqlite(): Store {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  database.exec(SQLITE_TABLES)
  const client = drizzleSqlite(async (sql, parameters, method) => {
    const statement = database.prepare(sql)
    if (method === 'run') statement.run(...parameters)
    const rows = method === 'run' ? [] : statement.raw().all(...parameters)
    // Sound: with nothing found, the driver expects nothing.
    return { rows: method === 'get' ? (rows[0] as never) : rows }
  })
  return {
    adapter: DrizzleAdapter(client),
    countUsers: () => database.prepare('select id from user').all().length,
  }
}

async function signIn(visitor: Visitor, provider: FakeProvider): Promise<void> {
  const started = await visitor.post('/signin/google')
  await visitor.send(provider.authorize(started.headers.get('location') ?? '').href)
}

/** Somebody signs in at the old application, and comes back after the move. */
async function expectToStay({ adapter, countUsers }: Store): Promise<void> {
  const provider = await createFakeProvider()
  const project = createProject({
    'package.json': '{"dependencies":{"@auth/core":"0.41.3"}}',
    'old.ts': APPLICATION,
    'auth.ts': APPLICATION,
  })
  symlinkSync(MODULES, join(project.folder, 'node_modules'))
  const load = (file: string): Promise<Application> =>
    import(/* @vite-ignore */ pathToFileURL(join(project.folder, file)).href)
  let handle = (await load('old.ts')).createHandler(adapter, provider)
  const visitor = new Visitor(request => handle(request), 'http://localhost/auth')
  await signIn(visitor, provider)
  const before = await visitor.session()
  expect(before).toMatchObject({ user: { email: 'ada@example.com' } })

  await project.run('from-authjs')
  expect(project.read('auth.ts')).toContain(`from '@siteauth/core'`)
  handle = (await load('auth.ts')).createHandler(adapter, provider)
  expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.com' } })

  await visitor.post('/signout')
  expect(await visitor.session()).toBeNull()
  await signIn(visitor, provider)
  expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  expect(await countUsers()).toBe(1)
}

describe('after siteauth from-authjs, people stay signed in and stay who they are', () => {
  it.skipIf(!POSTGRES_URL).each(Object.keys(STORES))('in PostgreSQL, by @auth/%s', async name => {
    const open = STORES[name]
    if (open) await expectToStay(await open())
  })

  it('in SQLite, by @auth/drizzle-adapter', async () => {
    await expectToStay(openSqlite())
  })
})
