import { Redis } from 'ioredis'
import { Kysely, MysqlDialect, type MysqlPool, PostgresDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_URL,
} from '../servers.ts'

const MINUTE = 60_000
const until = new Date(Date.now() + 60 * MINUTE)

describe.skipIf(!POSTGRES_URL)('what was ended, in PostgreSQL', () => {
  let pool: pg.Pool
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    await PostgresAdapter({ pool }).migrations.apply()
  })
  afterAll(() => pool.end())

  it('is found also if it was stored before the log was read, and seen after it', async () => {
    const { revocations } = PostgresAdapter({ pool })
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: unended(pool) }) })
    const transaction = await kysely.startTransaction().execute()
    await PostgresAdapter({ kysely: transaction }).revocations.end([{ key: 's:late', until }])
    const { revocations: seen, now } = await revocations.since(null)
    expect(seen).toEqual([])
    await transaction.commit().execute()
    const again = await revocations.since(new Date(now.getTime() - MINUTE))
    expect(again.revocations).toEqual([{ key: 's:late', until, generation: null }])
  })

  it('is found by indexes in a large table', async () => {
    await pool.query(`insert into revocations select 's:' || i, null, 4e12 + i, i
      from generate_series(1, 20000) i`)
    await pool.query('analyze revocations')
    const plans: string[] = []
    const explaining = new pg.Pool({ ...pool.options, max: 1 })
    explaining.on('connect', client => {
      const query = client.query.bind(client)
      // Sound: the same function, which explains what it is called with beforehand.
      client.query = (async (...args: unknown[]) => {
        const [statement, values] = args as [{ text: string }, unknown[]]
        const { rows } = await query(`explain ${statement.text}`, values)
        plans.push(JSON.stringify(rows))
        return query(statement.text, values)
      }) as typeof client.query
    })
    const { revocations } = PostgresAdapter({ pool: explaining })
    await revocations.find(['s:1', 'u:1'])
    await revocations.since(new Date(19_990))
    expect(plans).toEqual([
      expect.stringContaining('revocations_pkey'),
      expect.stringContaining('revocations_changed_idx'),
    ])
    expect(plans.join()).not.toContain('Seq Scan on revocations')
    await explaining.end()
  })

  it('says what to do where the table is missing, and works as soon as it is there', async () => {
    const { revocations, migrations, close } = PostgresAdapter({
      url: await createPostgresDatabase(),
    })
    const cure = /the table revocations does not exist.*migrations\.apply/
    await expect(async () => revocations.end([{ key: 's:1', until }])).rejects.toThrow(cure)
    await expect(async () => revocations.find(['s:1'])).rejects.toThrow(cure)
    await expect(async () => revocations.since(null)).rejects.toThrow(cure)
    await migrations.apply()
    expect(await revocations.find(['s:1'])).toEqual([])
    await close()
  })
})

describe.skipIf(!MYSQL_URL)('what was ended, in MySQL', () => {
  it('says what to do where the table is missing', async () => {
    const { revocations, close } = MysqlAdapter({ url: await createMysqlDatabase() })
    const cure = /the table revocations does not exist.*migrations\.apply/
    const revocation = { key: 's:1', until }
    await expect(async () => revocations.end([revocation])).rejects.toThrow(cure)
    const all = { ...revocation, isGeneration: true }
    await expect(async () => revocations.end([all])).rejects.toThrow(cure)
    await close()
  })

  it('gets a generation of its own also where the server answers no rows that it wrote', async () => {
    const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' })
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: likeMysql(pool) }) })
    const { revocations, migrations } = MysqlAdapter({ kysely })
    await migrations.apply()
    const revocation = { key: 'u:1', until, isGeneration: true }
    const ended = await Promise.all(Array.from({ length: 20 }, () => revocations.end([revocation])))
    expect(new Set(ended.map(([first]) => first?.generation)).size).toBe(20)
    expect(await revocations.end([{ key: 's:1', until }])).toEqual([
      { key: 's:1', until, generation: null },
    ])
    await kysely.destroy()
  })

  it('is taken as a whole where it is too much for one statement', async () => {
    const { revocations, migrations, close } = MysqlAdapter({ url: await createMysqlDatabase() })
    await migrations.apply()
    const entries = Array.from({ length: 2500 }, (_, index) => ({ key: `s:${index}`, until }))
    expect(await revocations.end(entries)).toHaveLength(2500)
    expect(await revocations.find(entries.map(({ key }) => key))).toHaveLength(2500)
    await close()
  })

  it('is kept by the time of the server, whatever the time zone of the session', async () => {
    const uri = await createMysqlDatabase()
    const pool = mysql.createPool({ uri, timezone: 'Z', connectionLimit: 1 })
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    const { revocations, migrations } = MysqlAdapter({ kysely })
    await migrations.apply()
    const { now } = await revocations.since(null)
    await sql`set time_zone = '+09:00'`.execute(kysely)
    const [ended] = await revocations.end([{ key: 'u:1', until, isGeneration: true }])
    expect(ended?.generation).toBeLessThan(now.getTime() + 60 * MINUTE)
    expect((await revocations.since(now)).revocations).toEqual([ended])
    await kysely.destroy()
  })
})

describe.skipIf(!REDIS_URL)('what was ended, in Redis', () => {
  it('is in keys of one slot, all of which expire', async () => {
    const client = new Redis(String(REDIS_URL))
    const prefix = `${crypto.randomUUID()}:`
    const { revocations } = RedisAdapter({ client, prefix })
    await revocations.end([
      { key: 's:1', until },
      { key: 'u:1', until, isGeneration: true },
    ])
    const keys = await client.keys(`${prefix}*`)
    expect(keys).toHaveLength(3)
    for (const key of keys) {
      expect(key).toContain(`${prefix}{revocations}:`)
      expect(await client.pexpiretime(key)).toBeGreaterThan(until.getTime())
    }
    client.disconnect()
  })

  it('takes one command, whatever is ended, found or read', async () => {
    const client = new Redis(String(REDIS_URL))
    const sent: string[] = []
    const counting = {
      call: (command: string, ...words: string[]) => {
        sent.push(command)
        return client.call(command, ...words)
      },
    }
    const prefix = `${crypto.randomUUID()}:`
    const { revocations } = RedisAdapter({ client: counting, prefix })
    await revocations.end([
      { key: 's:1', until },
      { key: 'u:1', until, isGeneration: true },
    ])
    await revocations.find(['s:1', 'u:1'])
    const { now } = await revocations.since(until)
    expect(sent).toEqual(['eval', 'hmget', 'eval'])
    expect((await revocations.since(null)).now >= now).toBe(true)
    expect(sent.slice(3)).toEqual(['eval'])
    client.disconnect()
  })
})

/** A pool that somebody else ends. */
function unended(pool: pg.Pool) {
  return { connect: () => pool.connect(), end: async () => {} }
}

/** A server that does not know what MariaDB added. */
function likeMysql(pool: mysql.Pool): MysqlPool {
  return {
    end: done => pool.end(done),
    getConnection: done =>
      pool.getConnection((error, connection) => {
        if (error) return done(error, undefined as never)
        done(null, {
          query: ((text: string, ...rest: never[]) =>
            Reflect.apply(connection.query, connection, [
              text.replaceAll(/\/\*M!.*?\*\//g, ''),
              ...rest,
            ])) as never,
          release: () => connection.release(),
        })
      }),
  }
}
