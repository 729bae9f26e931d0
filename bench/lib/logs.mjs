// A log of ended sessions in each store, and how to put millions of entries into it.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MysqlAdapter } from '@siteauth/adapters/mysql'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'

const DAY = 86_400_000
/** How many entries are added by one statement. */
const BATCH = 100_000
const REDIS_PREFIX = 'bench-log:'

/** What opens a store, in the process that fills it and in the one that is measured. */
export function adapterOf(store, place) {
  if (store === 'PostgreSQL') return PostgresAdapter({ url: place })
  if (store === 'MariaDB') return MysqlAdapter({ url: place })
  if (store === 'SQLite') return SqliteAdapter({ file: place })
  const client = new Redis(place)
  const adapter = RedisAdapter({ client, prefix: REDIS_PREFIX })
  return { ...adapter, close: () => client.quit() }
}

/** An empty log in a store. Returns where it is, and how to fill it and remove it. */
export async function createLog(store, server) {
  if (store === 'PostgreSQL') return createPostgresLog(server)
  if (store === 'MariaDB') return createMysqlLog(server)
  return store === 'SQLite' ? createSqliteLog() : createRedisLog(server)
}

async function createPostgresLog(server) {
  const { name, url } = newDatabase(server)
  await sendToPostgres(server, `create database ${name}`)
  await applyMigrations('PostgreSQL', url)
  const fill = async (from, to) => {
    for (let at = from; at < to; at += BATCH) {
      await sendToPostgres(
        url,
        `insert into revocations ("revocationKey", generation, expires, changed)
          select 's:' || md5(n::text), null, ${Date.now() + 30 * DAY}, ${Date.now() - DAY}
          from generate_series(${at}, ${Math.min(at + BATCH, to) - 1}) n order by 1`,
      )
    }
    await sendToPostgres(url, 'vacuum analyze revocations')
  }
  return { place: url, fill, remove: () => sendToPostgres(server, `drop database ${name}`) }
}

async function sendToPostgres(connectionString, text) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

async function createMysqlLog(server) {
  const { name, url } = newDatabase(server)
  await sendToMysql(server, `create database ${name} character set utf8mb4`)
  await applyMigrations('MariaDB', url)
  const fill = async (from, to) => {
    for (let at = from; at < to; at += BATCH) {
      await sendToMysql(
        url,
        `insert into revocations (revocationKey, generation, expires, changed)
          select concat('s:', md5(seq)), null, ${Date.now() + 30 * DAY}, ${Date.now() - DAY}
          from seq_${at}_to_${Math.min(at + BATCH, to) - 1} order by 1`,
      )
    }
    await sendToMysql(url, 'analyze table revocations')
  }
  return { place: url, fill, remove: () => sendToMysql(server, `drop database ${name}`) }
}

async function sendToMysql(uri, text) {
  const connection = await mysql.createConnection(uri)
  await connection.query(text).finally(() => connection.end())
}

async function createSqliteLog() {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
  const place = join(folder, 'auth.db')
  await applyMigrations('SQLite', place)
  return {
    place,
    fill: (from, to) => fillByEndings('SQLite', place, from, to),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

async function createRedisLog(place) {
  return {
    place,
    fill: (from, to) => fillByEndings('Redis', place, from, to),
    async remove() {
      const client = new Redis(place)
      const scan = client.scanStream({ match: `${REDIS_PREFIX}*` })
      scan.on('data', keys => keys.length > 0 && client.unlink(keys))
      await once(scan, 'end')
      await client.quit()
    },
  }
}

/** By the adapter itself, where the form of what is stored is nobody else's concern. */
async function fillByEndings(store, place, from, to) {
  const adapter = adapterOf(store, place)
  const until = new Date(Date.now() + 30 * DAY)
  for (let at = from; at < to; at += 500) {
    const count = Math.min(500, to - at)
    await adapter.revocations.end(
      Array.from({ length: count }, (_, index) => ({ key: keyOf(at + index), until })),
    )
  }
  await adapter.close()
}

/** The key of an entry, with digits anywhere, as those of sessions. */
export function keyOf(n) {
  const digits = Math.imul(n + 1, 0x9e3779b1) >>> 0
  return `s:${digits.toString(16).padStart(8, '0')}${n.toString(16).padStart(24, '0')}`
}

async function applyMigrations(store, place) {
  const adapter = adapterOf(store, place)
  await adapter.migrations.apply()
  await adapter.close()
}

function newDatabase(server) {
  const name = `bench_${process.pid}_${Date.now()}`
  const url = new URL(server)
  url.pathname = name
  return { name, url: url.href }
}
