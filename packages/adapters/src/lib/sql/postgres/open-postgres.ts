import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import { catchClientErrors } from '../../catch-client-errors.ts'
import { withTimeout } from '../../with-timeout.ts'
import { type Channel, type OpenDatabase, sendBy } from '../open-database.ts'
import type { ListeningClient } from './listening-client.ts'
import { sendNamed } from './named-statements.ts'
import type { ChannelOptions } from './postgres-channel.ts'

/** How a pool is used. */
export interface PostgresUse {
  readonly isPreparing: boolean
  readonly timeout: number
}

/** Uses a pool of the application. */
export function usePostgresPool(pool: PostgresPool, use: PostgresUse): OpenDatabase {
  // A pool with only what Kysely needs may not support names.
  const isPreparing = use.isPreparing && 'query' in pool
  catchClientErrors(pool)
  const opened = open(() => pool.connect(), { ...use, isPreparing })
  const openClient = clientFactory(pool)
  return {
    ...opened,
    close: async () => {},
    channelOf: openClient && (table => lazyChannel({ ...opened, ...use, openClient, table })),
  }
}

/** Opens connections with the pool's options but outside it; undefined if the pool does not expose them. */
function clientFactory(
  pool: PostgresPool & Partial<ClientFactory>,
): ChannelOptions['openClient'] | undefined {
  const { Client, options } = pool
  return Client && options ? async () => new Client(options) : undefined
}

/** The members of a pool of `pg` that it makes its connections with. */
interface ClientFactory {
  readonly Client: new (options: object) => ListeningClient
  readonly options: object
}

/** Opens a pool of our own at its first use. */
export function openPostgresUrl(url: string, use: PostgresUse): OpenDatabase {
  let opening: Promise<PostgresPool> | undefined
  let closing: Promise<void> | undefined
  const openPool = async () => {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: use.timeout,
      keepAlive: true,
    })
    catchClientErrors(pool)
    return pool
  }
  const connect = async () => {
    opening ??= openPool()
    return (await opening).connect()
  }
  const openClient = async () => {
    const { default: pg } = await import('pg')
    return new pg.Client({ connectionString: url, keepAlive: true })
  }
  const opened = open(connect, use)
  return {
    ...opened,
    async close() {
      closing ??= opening?.then(pool => pool.end())
      await closing
    },
    channelOf: table => lazyChannel({ ...opened, ...use, openClient, table }),
  }
}

/** A channel whose code is loaded when it is first watched: sessions in rows need none. */
function lazyChannel(options: ChannelOptions): Channel {
  let opening: Promise<Channel> | undefined
  const load = async () => (await import('./postgres-channel.ts')).watchPostgres(options)
  return {
    async watch(...listeners) {
      opening ??= load()
      return (await opening).watch(...listeners)
    },
    async close() {
      await (await opening)?.close()
    },
  }
}

function open(connect: () => Promise<PostgresPoolClient>, { isPreparing, timeout }: PostgresUse) {
  const connectAndHear = async () => {
    const client = await connect()
    catchClientErrors(client)
    return client
  }
  const timed = new WeakMap<PostgresPoolClient, TimedClient>()
  const connectInTime = async () => {
    const client = await withTimeout(timeout, connectAndHear(), { discard: late => late.release() })
    const existing = timed.get(client)
    if (existing) return existing
    const created = new TimedClient(client, timeout)
    timed.set(client, created)
    return created
  }
  const db = createKysely(connectInTime)
  const migrationDb = createKysely(connectAndHear)
  return { db, migrationDb, send: isPreparing ? sendNamed(connectInTime) : sendBy(db) }
}

function createKysely(connect: () => Promise<PostgresPoolClient>): Kysely<unknown> {
  const dialect = new PostgresDialect({ pool: { connect, end: async () => {} } })
  return new Kysely<unknown>({ dialect })
}

/** A connection that is closed if it does not respond: the next result could belong to that statement. */
class TimedClient {
  readonly #client: PostgresPoolClient
  readonly #timeout: number
  #isLost = false

  constructor(client: PostgresPoolClient, timeout: number) {
    this.#client = client
    this.#timeout = timeout
  }

  query(...args: unknown[]): never
  query<R>(...args: unknown[]): Promise<PostgresQueryResult<R>> {
    // Sound: the arguments of any of the overloads of `pg` are passed on.
    const client = this.#client as unknown as { query(...args: unknown[]): Promise<never> }
    const onLate = () => {
      this.#isLost = true
    }
    return withTimeout(this.#timeout, client.query(...args), { onLate })
  }

  release(): void {
    // Sound: `pg` closes a connection that is released with an error; others ignore the argument.
    const client = this.#client as { release(isLost?: boolean): void }
    if (this.#isLost) client.release(true)
    else client.release()
  }
}
