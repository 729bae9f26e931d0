import { Kysely, MysqlDialect } from 'kysely'
import mysql from 'mysql2'
import { describe, expect, it } from 'vitest'
import { MysqlAdapter, type SqlAdapter } from '../src/mysql.ts'
import { createMysqlDatabase, MYSQL_URL } from './servers.ts'

// The server's settings are not the tests' to change: a pool whose sessions begin with others will do.

describe.skipIf(!MYSQL_URL)('sessions of MySQL in which a backslash means nothing', () => {
  const openPool = async () => {
    const pool = mysql.createPool({ uri: await createMysqlDatabase() })
    await MysqlAdapter({ pool }).migrations.apply()
    pool.on('connection', connection => connection.query("set sql_mode = 'NO_BACKSLASH_ESCAPES'"))
    // Those that are open already began without.
    await pool.promise().query("set sql_mode = 'NO_BACKSLASH_ESCAPES'")
    return pool
  }
  const INJECTION = "\\' or 1 = 1 -- "

  it('let no cookie out of its quotes', async () => {
    const pool = await openPool()
    const adapter = MysqlAdapter({ pool })
    await signUp(adapter, new Date(Date.now() + 3_600_000))
    expect(await adapter.getSessionAndUser(INJECTION)).toBeNull()
    expect(await adapter.deleteSession(INJECTION)).toBeNull()
    const [rows] = await pool.promise().query('select * from sessions')
    expect(rows).toHaveLength(1)
    await pool.promise().end()
  })

  it('are refused where a Kysely writes values into its statements', async () => {
    const pool = await openPool()
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    const adapter = MysqlAdapter({ kysely })
    await expect(adapter.getSessionAndUser(INJECTION)).rejects.toThrow(/NO_BACKSLASH_ESCAPES.*url/)
    await pool.promise().end()
  })
})

describe.skipIf(!MYSQL_URL)('dates in MySQL', () => {
  // A zone of its own making, so that the server needs no tables of zones: a day is lost or won, not an hour.
  const ZONES = ["'-11:00'", "'+13:00'"]

  it('are the same to processes whose sessions begin in different zones', async () => {
    const uri = await createMysqlDatabase()
    const [west, east] = ZONES.map(zone => {
      const pool = mysql.createPool({ uri })
      pool.on('connection', connection => connection.query(`set time_zone = ${zone}`))
      return { pool, adapter: MysqlAdapter({ pool }) }
    })
    if (!west || !east) throw new Error('two zones')
    await west.adapter.migrations.apply()
    await west.pool.promise().query('alter table sessions modify expires timestamp(3) null')
    const expires = new Date(Date.now() + 3_600_000)
    const token = await signUp(west.adapter, expires)
    expect((await east.adapter.getSessionAndUser(token))?.session.expires).toEqual(expires)
    expect((await west.adapter.getSessionAndUser(token))?.session.expires).toEqual(expires)
    for (const { pool } of [west, east]) await pool.promise().end()
  })

  it('keep the hour that a clock has twice', async () => {
    const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'local' })
    const adapter = MysqlAdapter({ pool })
    await adapter.migrations.apply()
    const before = process.env['TZ']
    process.env['TZ'] = 'Europe/Berlin'
    try {
      // At one in UTC on this day clocks in Berlin are put back from three to two.
      for (const time of ['2037-10-25T00:30:00.000Z', '2037-10-25T01:30:00.000Z']) {
        const token = await signUp(adapter, new Date(time))
        const found = await adapter.getSessionAndUser(token)
        expect(found?.session.expires.toISOString()).toBe(time)
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
      await pool.promise().end()
    }
  })
})

async function signUp(adapter: SqlAdapter, expires: Date): Promise<string> {
  const id = crypto.randomUUID()
  await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session: { sessionToken: id, expires },
  })
  return id
}
