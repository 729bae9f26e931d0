import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import type { Adapter } from '@siteauth/core/adapters'
import { drizzle } from 'drizzle-orm/node-postgres'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
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

describe.skipIf(!POSTGRES_URL)('what siteauth schema writes, in PostgreSQL', () => {
  it('fits the Drizzle adapter and ours', async () => {
    const project = createProject({ 'tsconfig.json': '{}' })
    await project.run('schema', 'drizzle', '--dialect', 'postgres')
    symlinkSync(MODULES, join(project.folder, 'node_modules'))
    const path = pathToFileURL(join(project.folder, 'auth-schema.ts')).href
    const tables: Record<string, PgTable> = await import(/* @vite-ignore */ path)
    const { pool, ours } = await open(Object.values(tables).flatMap(statements))
    expect(await ours.migrations.plan()).toEqual([])
    // Sound: what was read from a file has the tables that the adapter names.
    const theirs = DrizzleAdapter(drizzle(pool), tables as never) as Adapter
    await expectToShareRows(theirs, ours)
  })

  it('fits the Prisma adapter and ours', async () => {
    const project = createProject()
    await project.run('schema', 'prisma')
    const { ours, url } = await open([])
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
    const found = async () => (await project.run('doctor', '--json')).output
    expect(await found()).toContain('missing-tables')
    expect((await project.run('migrate')).code).toBe(3)
    expect((await project.run('migrate', 'apply')).code).toBe(0)
    expect((await project.run('migrate')).code).toBe(0)
    expect(await found()).not.toContain('missing-tables')
  })
})

/** An empty database with these tables, and our adapter for it. */
async function open(sql: readonly string[]) {
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

/** What drizzle-kit would run to create a table. */
function statements(table: PgTable): readonly string[] {
  const { name, columns, primaryKeys, indexes, foreignKeys } = getTableConfig(table)
  const list = (of: readonly { name: string }[]) => of.map(column => `"${column.name}"`).join(', ')
  const lines = [
    ...columns.map(
      column =>
        `"${column.name}" ${column.getSQLType()}${column.notNull ? ' not null' : ''}` +
        `${column.primary ? ' primary key' : ''}${column.isUnique ? ' unique' : ''}`,
    ),
    ...primaryKeys.map(key => `primary key (${list(key.columns)})`),
    ...foreignKeys.map(key => {
      const { columns: own, foreignColumns, foreignTable } = key.reference()
      return `foreign key (${list(own)}) references "${getTableConfig(foreignTable).name}" (${list(foreignColumns)}) on delete ${key.onDelete}`
    }),
  ]
  return [
    `create table "${name}" (${lines.join(', ')})`,
    ...indexes.map(
      ({ config }) =>
        `create index "${config.name}" on "${name}" (${list(config.columns as { name: string }[])})`,
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
