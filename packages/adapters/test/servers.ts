import mysql from 'mysql2/promise'
import pg from 'pg'

/** Where the servers for this run are; `npm test` starts them. Without one its tests are skipped. */
export const POSTGRES_URL: string | undefined = process.env['TEST_POSTGRES_URL']
export const PGBOUNCER_URL: string | undefined = process.env['TEST_PGBOUNCER_URL']
export const MYSQL_URL: string | undefined = process.env['TEST_MYSQL_URL']
export const REDIS_URL: string | undefined = process.env['TEST_REDIS_URL']
export const REDIS_CLUSTER: string | undefined = process.env['TEST_REDIS_CLUSTER']
export const REDIS_SENTINEL: string | undefined = process.env['TEST_REDIS_SENTINEL']

/** A new, empty database on the PostgreSQL server. Returns its URL. */
export async function createPostgresDatabase(): Promise<string> {
  const name = databaseName()
  const client = new pg.Client({ connectionString: POSTGRES_URL })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return withDatabase(POSTGRES_URL, name)
}

/** The same database, by way of PgBouncer. */
export function throughPgbouncer(url: string): string {
  return withDatabase(PGBOUNCER_URL, new URL(url).pathname)
}

/** A new, empty database on the MySQL server. Returns its URL. */
export async function createMysqlDatabase(): Promise<string> {
  const name = databaseName()
  const connection = await mysql.createConnection({ uri: String(MYSQL_URL) })
  await connection.query(`create database ${name}`)
  await connection.end()
  return withDatabase(MYSQL_URL, name)
}

function databaseName(): string {
  return `test_${crypto.randomUUID().replaceAll('-', '')}`
}

function withDatabase(server: string | undefined, name: string): string {
  const url = new URL(String(server))
  url.pathname = name
  return url.href
}
