import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { MysqlAdapter } from '@siteauth/adapters/mysql'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import type { Adapter } from '@siteauth/core/adapters'
import { getTableName } from 'drizzle-orm'
import { type MySqlTable, getTableConfig as mysqlConfig } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { type PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { type SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import { drizzle as drizzleSqlite } from 'drizzle-orm/sqlite-proxy'
import Database from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
} from '../../adapters/test/servers.ts'
import { createProject, type TestProject } from './command-line.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

describe('what siteauth schema writes for Drizzle', () => {
  it.skipIf(!POSTGRES_URL)('fits its adapter and ours: PostgreSQL', async () => {
    const tables = await drizzleTables<PgTable>('postgres')
    const statements = Object.values(tables).flatMap(table =>
      statementsFor(postgresConfig(table), '"'),
    )
    const { pool, ours } = await openPostgres(statements)
    expect(await ours.migrations.plan()).toEqual([])
    await expectToShareRows(DrizzleAdapter(drizzlePostgres(pool), tables as never) as Adapter, ours)
  })

  it.skipIf(!MYSQL_URL)('fits its adapter and ours: MySQL', async () => {
    const tables = await drizzleTables<MySqlTable>('mysql')
    const url = await createMysqlDatabase()
    const pool = mysql.createPool({ uri: url })
    const ours = MysqlAdapter({ url })
    onTestFinished(async () => {
      await ours.close()
      await pool.end()
    })
    for (const statement of Object.values(tables).flatMap(table =>
      statementsFor(mysqlConfig(table), '`'),
    )) {
      await pool.query(statement)
    }
    expect(await ours.migrations.plan()).toEqual([])
    await expectToShareRows(DrizzleAdapter(drizzleMysql(pool), tables as never) as Adapter, ours)
  })

  it('fits its adapter and ours: SQLite', async () => {
    const tables = await drizzleTables<SQLiteTable>('sqlite')
    const project = createProject()
    const file = join(project.folder, 'auth.db')
    const database = new Database(file)
    const ours = SqliteAdapter({ file })
    onTestFinished(async () => {
      await ours.close()
      database.close()
    })
    for (const statement of Object.values(tables).flatMap(table =>
      statementsFor(sqliteConfig(table), '"'),
    )) {
      database.exec(statement)
    }
    expect(await ours.migrations.plan()).toEqual([])
    const theirs = drizzleSqlite(async (sql, parameters, method) => {
      const statement = database.prepare(sql)
      if (method === 'run') statement.run(...parameters)
      const rows = method === 'run' ? [] : statement.raw().all(...parameters)
      // Sound: with nothing found, the driver expects nothing.
      return { rows: method === 'get' ? (rows[0] as never) : rows }
    })
    await expectToShareRows(DrizzleAdapter(theirs, tables as never) as Adapter, ours)
  })

  it('is of the types that its adapter wants', async () => {
    const project = createProject({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['esnext', 'dom'],
          types: [],
        },
      }),
    })
    symlinkSync(MODULES, join(project.folder, 'node_modules'))
    const databases = {
      postgres: "pg-core/db').PgDatabase<any>",
      mysql: "mysql-core/db').MySqlDatabase<any, any>",
      sqlite: "sqlite-core/db').BaseSQLiteDatabase<'async', any>",
    }
    for (const [dialect, type] of Object.entries(databases)) {
      await project.run('schema', 'drizzle', '--dialect', dialect, '--file', `${dialect}.ts`)
      project.write({
        [`${dialect}-auth.ts`]: `import { DrizzleAdapter } from '@auth/drizzle-adapter'
import * as tables from './${dialect}'
declare const db: import('drizzle-orm/${type}
export const adapter = DrizzleAdapter(db, tables)`,
      })
    }
    const tsc = join(MODULES, 'typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.folder], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })
})

describe.skipIf(!POSTGRES_URL)('what siteauth schema writes for Prisma', () => {
  it('fits its adapter and ours', async () => {
    const project = createProject()
    await project.run('schema', 'prisma')
    const { ours, url } = await openPostgres([])
    // `prisma migrate` downloads a program: the tables are ours, which its client has to be content with.
    await ours.migrations.apply()
    const { PrismaClient } = await prismaClient(project)
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
    onTestFinished(() => client.$disconnect())
    await expectToShareRows(PrismaAdapter(client) as Adapter, ours)
  })
})

describe.each([
  {
    kind: 'postgres',
    adapter: 'PostgresAdapter',
    isThere: POSTGRES_URL,
    create: createPostgresDatabase,
  },
  { kind: 'mysql', adapter: 'MysqlAdapter', isThere: MYSQL_URL, create: createMysqlDatabase },
])('siteauth migrate on a server: $kind', ({ kind, adapter, isThere, create }) => {
  it.skipIf(!isThere)('adds what doctor misses, in the database of the code', async () => {
    const project = createProject({
      'auth.ts': `import { ${adapter} } from '@siteauth/adapters/${kind}'
import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({ providers: [], adapter: ${adapter}({ url: process.env.STORE }) })`,
      '.env': `STORE=${await create()}\n`,
    })
    const found = async () => (await project.run('doctor', '--json', '--store')).output
    expect(await found()).toContain('missing-tables')
    expect((await project.run('migrate')).code).toBe(3)
    expect((await project.run('migrate', 'apply')).code).toBe(0)
    expect((await project.run('migrate')).code).toBe(0)
    expect(await found()).not.toContain('missing-tables')
  })
})

/** An empty database with these tables, and our adapter for it. */
async function openPostgres(sql: readonly string[]) {
  const url = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url })
  const ours = PostgresAdapter({ url })
  onTestFinished(async () => {
    await ours.close()
    await pool.end()
  })
  for (const statement of sql) await pool.query(statement)
  return { pool, ours, url }
}

/** What one adapter stores, the other finds. */
async function expectToShareRows(theirs: Adapter, ours: Adapter): Promise<void> {
  const expires = new Date('2030-01-01T00:00:00Z')
  for (const [writer, reader] of [
    [theirs, ours],
    [ours, theirs],
  ] as const) {
    const email = `${writer === ours}@example.com`
    const user = await writer.createUser?.({
      id: crypto.randomUUID(),
      email,
      emailVerified: expires,
      name: 'Ann',
    })
    const userId = String(user?.id)
    const account = { provider: 'github', providerAccountId: email }
    await writer.linkAccount?.({ ...account, userId, type: 'oauth', expires_at: 1_800_000_000 })
    await writer.createSession?.({ userId, sessionToken: email, expires })
    await writer.createVerificationToken?.({ identifier: email, token: 'once', expires })
    expect(await reader.getUserByAccount?.(account)).toMatchObject({
      id: userId,
      email,
      emailVerified: expires,
    })
    expect(await reader.getSessionAndUser?.(email)).toMatchObject({ session: { userId, expires } })
    expect(await reader.useVerificationToken?.({ identifier: email, token: 'once' })).toMatchObject(
      { expires },
    )
    await reader.deleteSession?.(email)
    expect(await writer.getSessionAndUser?.(email)).toBeNull()
  }
}

/** The tables of a schema for Drizzle, as the command writes it. */
async function drizzleTables<Table>(dialect: string): Promise<Record<string, Table>> {
  const project = createProject({ 'tsconfig.json': '{}' })
  await project.run('schema', 'drizzle', '--dialect', dialect)
  symlinkSync(MODULES, join(project.folder, 'node_modules'))
  return import(/* @vite-ignore */ pathToFileURL(join(project.folder, 'auth-schema.ts')).href)
}

interface DrizzleColumn {
  readonly name: string
  readonly notNull: boolean
  readonly primary: boolean
  readonly isUnique: boolean
  getSQLType(): string
}

/** What the three kinds of tables have in common. */
interface DrizzleTable {
  readonly name: string
  readonly columns: readonly DrizzleColumn[]
  readonly primaryKeys: readonly { readonly columns: readonly { readonly name: string }[] }[]
  readonly indexes: readonly {
    readonly config: { readonly name?: string; readonly columns: unknown }
  }[]
  readonly foreignKeys: readonly {
    readonly onDelete: string | undefined
    reference(): {
      readonly columns: readonly { readonly name: string }[]
      readonly foreignColumns: readonly { readonly name: string }[]
      readonly foreignTable: PgTable | MySqlTable | SQLiteTable
    }
  }[]
}

/** What drizzle-kit would run to create a table. */
function statementsFor(
  { name, columns, primaryKeys, indexes, foreignKeys }: DrizzleTable,
  quote: string,
): readonly string[] {
  const quoted = (each: string) => `${quote}${each}${quote}`
  const list = (of: readonly { readonly name: string }[]) =>
    of.map(column => quoted(column.name)).join(', ')
  const lines = [
    ...columns.map(
      column =>
        `${quoted(column.name)} ${column.getSQLType()}${column.notNull ? ' not null' : ' null'}` +
        `${column.primary ? ' primary key' : ''}${column.isUnique ? ' unique' : ''}`,
    ),
    ...primaryKeys.map(key => `primary key (${list(key.columns)})`),
    ...foreignKeys.map(key => {
      const { columns: own, foreignColumns, foreignTable } = key.reference()
      return `foreign key (${list(own)}) references ${quoted(getTableName(foreignTable))} (${list(foreignColumns)}) on delete ${key.onDelete}`
    }),
  ]
  return [
    `create table ${quoted(name)} (${lines.join(', ')})`,
    ...indexes.map(
      ({ config }) =>
        `create index ${quoted(config.name ?? '')} on ${quoted(name)} (${list(config.columns as { name: string }[])})`,
    ),
  ]
}

/** What `prisma generate` would write for a schema, from what it once wrote for another one. */
async function prismaClient(
  project: TestProject,
): Promise<typeof import('../../adapters/test/prisma/client.mjs')> {
  const made = new URL('../../adapters/test/prisma/client.mjs', import.meta.url)
  const schema = project.read('prisma/schema.prisma')
  const models = [...schema.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].map(
    ([, model = '', body = '']) => {
      const [, dbName = null] = /@@map\("(\w+)"\)/.exec(body) ?? []
      const fields = [...body.matchAll(/^ {2}(\w+) +([A-Z]\w+)/gm)].map(([, name, type = '']) => {
        const isModel = schema.includes(`model ${type} {`)
        const relationName = [model, type].sort().join('To')
        return { name, kind: isModel ? 'object' : 'scalar', type, ...(isModel && { relationName }) }
      })
      return [model, { fields, dbName, schema: null }]
    },
  )
  const dataModel = { models: Object.fromEntries(models), enums: {}, types: {} }
  const text = readFileSync(made, 'utf8')
    .replace(/("inlineSchema": ).*/, (_, key) => `${key}${JSON.stringify(schema)},`)
    .replace(/(config\.runtimeDataModel = ).*/, (_, key) => `${key}${JSON.stringify(dataModel)}`)
  project.write({ 'client.mjs': text })
  symlinkSync(MODULES, join(project.folder, 'node_modules'))
  return import(/* @vite-ignore */ pathToFileURL(join(project.folder, 'client.mjs')).href)
}
