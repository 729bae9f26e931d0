import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { freePort } from '../../../../tools/servers.mjs'
import { Visitor } from '../../../core/test/visitor.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { createApplication, readUserId, signIn } from '../application.ts'
import { as } from '../interrupted/scenarios.ts'
import { startPrivately } from './private-server.ts'

// A pool often reaches a server that only follows another: a reader of a cluster, or the next primary
// in the seconds before it becomes one.
describe('an application whose server is a standby', () => {
  let servers: Servers | null
  beforeAll(async () => {
    servers = await startPair()
  })
  afterAll(async () => servers?.stop())

  const pair = (context: TestContext) =>
    servers ?? context.skip('a PostgreSQL with a standby cannot be started here')

  it('knows who is signed in, changes nothing, and says so', async context => {
    const { primary, standby, catchUp } = pair(context)
    const before = await createApplication(PostgresAdapter({ pool: primary }))
    const ann = new Visitor(before.auth.handle)
    await signIn(as(before, 'ann'), ann)
    await catchUp()
    const after = await createApplication(PostgresAdapter({ pool: standby }))
    const visitor = (cookies: Visitor['cookies']) => {
      const made = new Visitor(after.auth.handle)
      for (const [name, value] of cookies) made.cookies.set(name, value)
      return made
    }

    expect(readUserId(await visitor(ann.cookies).session())).toBeDefined()
    const signOut = await visitor(ann.cookies).post('/signout')
    expect(signOut.headers.get('location')).toContain('error=')
    const ben = new Visitor(after.auth.handle)
    const signUp = await signIn(as(after, 'ben'), ben)
    expect(signUp.headers.get('location')).toContain('error=')
    expect(await ben.session()).toBeNull()
    expect(readUserId(await ann.session())).toBeDefined()
  })

  it('has nothing to migrate, where the primary has been migrated', async context => {
    const { standby } = pair(context)
    expect(await PostgresAdapter({ pool: standby }).migrations.apply()).toEqual([])
  })

  it('signs people in and out with the same connections once it is promoted', async context => {
    const { standby } = pair(context)
    const application = await createApplication(PostgresAdapter({ pool: standby }))
    const cleo = new Visitor(application.auth.handle)
    await signIn(as(application, 'cleo'), cleo)
    expect(await cleo.session()).toBeNull()
    await standby.query('select pg_promote()')
    await signIn(as(application, 'cleo'), cleo)
    expect(readUserId(await cleo.session())).toBeDefined()
    await cleo.post('/signout')
    expect(await cleo.session()).toBeNull()
  })
})

interface Servers {
  readonly primary: pg.Pool
  readonly standby: pg.Pool
  /** Waits until the standby has all that the primary has. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A primary and a server that follows it, or null where they cannot be started here. */
async function startPair(): Promise<Servers | null> {
  const server = await startPrivately('PostgreSQL')
  if (!server) return null
  const primary = new pg.Pool({ connectionString: server.url.href })
  await PostgresAdapter({ pool: primary }).migrations.apply()
  const { rows } = await primary.query('show data_directory')
  const [pid] = readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8').split('\n')
  const { uid, gid } = statSync(`/proc/${pid}`)
  const program = readlinkSync(`/proc/${pid}/exe`)
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-standby-'))
  if (process.getuid?.() === 0) await chown(folder, uid, gid)
  const data = join(folder, 'data')
  // `-R` has the copy follow what it was copied from.
  execFileSync(
    join(dirname(program), 'pg_basebackup'),
    ['-d', server.url.href, '-D', data, '-R', '-c', 'fast'],
    { uid, gid, cwd: folder, stdio: 'pipe' },
  )
  const port = await freePort()
  // It takes as many connections as the other, or does not start.
  const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'max_connections=200']
  const child = spawn(program, options, { uid, gid, cwd: folder, stdio: 'ignore' })
  const url = new URL(server.url)
  url.port = String(port)
  const standby = new pg.Pool({ connectionString: url.href })
  await until(async () => (await standby.query('select pg_is_in_recovery() as is')).rows[0].is)
  return {
    primary,
    standby,
    async catchUp() {
      const { rows } = await primary.query('select pg_current_wal_insert_lsn()::text as at')
      await until(async () => {
        const reached = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is'
        return (await standby.query(reached, [rows[0].at])).rows[0].is
      })
    },
    async stop() {
      await Promise.all([primary.end(), standby.end()])
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await pause(20)
}
