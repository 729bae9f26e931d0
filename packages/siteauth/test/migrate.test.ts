import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TABLES } from '../src/lib/schema/tables.ts'
import { contents, createProject } from './command-line.ts'

const AUTH = `import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({
  providers: [],
  adapter: SqliteAdapter({ file: 'auth.db', tables: { users: 'people' } }),
})`

describe('siteauth migrate', () => {
  it('shows what is missing, adds it, and finds nothing then', async () => {
    const project = createProject({ 'auth.ts': AUTH })
    const plan = await project.run('migrate')
    expect(plan.code).toBe(3)
    expect(plan.output).toMatch(
      /create table people\nblocks writes to the file for a moment\ncreate table if not exists "people"/,
    )
    const applied = await project.run('migrate', 'apply')
    expect(applied.code).toBe(0)
    expect(applied.output).toMatch(/create table people\n[\s\S]*Done\.\n$/)
    const again = await project.run('migrate', 'plan')
    expect(again).toMatchObject({ code: 0, output: 'The database has all it needs.\n' })
  })

  it('replaces an index of the version before, and shows what that blocks', async () => {
    const project = createProject()
    const migrate = (...words: string[]) => project.run('migrate', ...words, '--url', 'a.db')
    await migrate('apply')
    const client = new Database(join(project.folder, 'a.db'))
    onTestFinished(() => void client.close())
    client.exec('drop index sessions_userId_expires_idx')
    client.exec('create index sessions_userId_idx on sessions (userId)')
    const plan = await migrate()
    expect(plan.code).toBe(3)
    expect(plan.output).toBe(`create index on sessions (userId, expires)
blocks writes to the file, and this process, while the index is built
create index if not exists "sessions_userId_expires_idx" on "sessions" ("userId", "expires");
drop index on sessions (userId)
blocks writes to the file for a moment
drop index if exists "sessions_userId_idx";
`)
    expect((await migrate('apply')).code).toBe(0)
    expect((await migrate()).code).toBe(0)
  })

  it('takes the database from --url', async () => {
    const project = createProject()
    const { code } = await project.run('migrate', 'apply', '--url', join(project.folder, 'a.db'))
    expect(code).toBe(0)
  })

  it.each([
    ['postgres', 'timestamptz'],
    ['mysql', 'varbinary'],
    ['sqlite', '"expires" text'],
  ])('prints SQL for %s without a database', async (dialect, word) => {
    const { code, output } = await createProject().run('migrate', 'sql', '--dialect', dialect)
    expect(code).toBe(0)
    expect(output).toContain(word)
  })

  it('says what to do where there is no database', async () => {
    const { code, told } = await createProject().run('migrate')
    expect(code).toBe(1)
    expect(told).toContain('--url')
  })

  it('shows no password', async () => {
    const url = 'postgres://me:hunter2@127.0.0.1:1/app'
    const { code, told, output } = await createProject().run('migrate', '--url', url)
    expect(code).toBe(1)
    expect(told + output).not.toContain('hunter2')
  })

  it.each([
    ['mongodb+srv://me:hunter2@127.0.0.1/app'],
    ['libsql://db.example.com?authToken=hunter2'],
    ['postgres://me:hunter2@127.0.0.1:x/app'],
  ])('shows no password of a database that it cannot use, and makes no file: %s', async url => {
    const project = createProject({ '.env': `DATABASE_URL=${url}\n` })
    const { code, told, output } = await project.run('migrate', 'apply')
    expect(code).toBe(1)
    expect(told + output).not.toContain('hunter2')
    expect(Object.keys(contents(project))).toEqual(['.env'])
  })

  it('makes no file to see what is missing in it', async () => {
    const project = createProject()
    const { code } = await project.run('migrate', '--url', 'file:auth.db')
    expect(code).toBe(3)
    expect(contents(project)).toEqual({})
  })

  it('leaves rows and tables of others alone', async () => {
    const project = createProject()
    const client = new Database(join(project.folder, 'a.db'))
    onTestFinished(() => void client.close())
    client.exec(
      'create table orders (id text); create table users (id text primary key, name text, email text)',
    )
    client.exec(
      "insert into orders values ('1'); insert into users values ('u1', 'Ann', 'ann@example.com')",
    )
    const { code, output } = await project.run('migrate', 'apply', '--url', 'a.db')
    expect(code).toBe(0)
    expect(output).not.toContain('orders')
    expect(client.prepare('select * from orders').all()).toEqual([{ id: '1' }])
    expect(client.prepare('select id, name, email from users').all()).toEqual([
      { id: 'u1', name: 'Ann', email: 'ann@example.com' },
    ])
    expect((await project.run('migrate', '--url', 'a.db')).code).toBe(0)
  })

  it('has the same tables and columns for ORMs', async () => {
    const { output } = await createProject().run('migrate', 'sql', '--dialect', 'sqlite')
    const created = [...output.matchAll(/create table if not exists "(\w+)" \(([\s\S]*?)\n\)/g)]
    const columns = Object.fromEntries(
      created.map(([, name, body = '']) => [
        name,
        [...body.matchAll(/^ {2}"(\w+)"/gm)].map(([, column]) => column).sort(),
      ]),
    )
    expect(
      Object.fromEntries(TABLES.map(({ name, columns }) => [name, Object.keys(columns).sort()])),
    ).toEqual(columns)
  })
})
