import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SqlAdapter, TableNames } from '@siteauth/adapters/postgres'
import type { FoundAdapter } from '../code/find-configs.ts'
import { pathWithin } from './contained.ts'

export type StoreKind = 'postgres' | 'mysql' | 'sqlite'

/** A database that one of our adapters uses. */
export interface Store {
  readonly kind: StoreKind
  /** A connection string, or the path of a file. */
  readonly address: string
  readonly tables: Partial<TableNames>
}

/** Why a store cannot be opened here. */
export class StoreError extends Error {
  readonly cure: string

  constructor(message: string, cure: string) {
    super(message)
    this.name = 'StoreError'
    this.cure = cure
  }
}

interface StoreFacts {
  readonly title: string
  readonly driver: string
}

export const STORES: Readonly<Record<StoreKind, StoreFacts>> = {
  postgres: { title: 'PostgreSQL', driver: 'pg' },
  mysql: { title: 'MySQL', driver: 'mysql2' },
  sqlite: { title: 'SQLite', driver: 'libsql' },
}

/** The kind of database that a connection string is for; null if none of our adapters is. */
export function kindOf(address: string): StoreKind | null {
  // On Windows, a path may begin with a letter and a colon.
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(address) ?? []
  if (scheme === undefined || scheme === 'file') return 'sqlite'
  if (/^postgres(?:ql)?$/.test(scheme)) return 'postgres'
  return /^(?:mysql|mariadb)$/.test(scheme) ? 'mysql' : null
}

/** The database of an adapter of ours, if the code says which; null for others. */
export function storeOf(
  { module, options }: FoundAdapter,
  env: Readonly<Record<string, string | undefined>>,
): Store | null {
  const [, kind] = /^@siteauth\/adapters\/(postgres|mysql|sqlite)$/.exec(module) ?? []
  if (!kind) return null
  const { url, file, tables } = Object(options) as Record<string, unknown> // whatever was written
  // A pool has its address elsewhere, most often in this variable.
  const given = kind === 'sqlite' ? file : (url ?? env['DATABASE_URL'])
  const address = typeof given === 'string' ? given : kind === 'sqlite' ? null : env['DATABASE_URL']
  if (!address || address === ':memory:') return null
  return { kind: kind as StoreKind, address, tables: tableNames(tables) } // as the expression says
}

function tableNames(tables: unknown): Partial<TableNames> {
  const named = Object.entries(Object(tables)).filter(([, name]) => typeof name === 'string')
  return Object.fromEntries(named)
}

/** Whose database is opened, and what for. */
interface StoreAccess {
  readonly cwd: string
  readonly mode: 'read' | 'write'
}

/** Opens a database, acts on it and closes it: by the adapter of the project, or else by our own. */
export async function withStore<Result>(
  store: Store,
  access: StoreAccess,
  act: (adapter: SqlAdapter) => Result | Promise<Result>,
): Promise<Result> {
  try {
    const adapter = await open(store, access)
    try {
      return await act(adapter)
    } finally {
      await adapter.close()
    }
  } catch (error) {
    const { code } = Object(error) as { code?: unknown } // anything can be thrown
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    const { title, driver } = STORES[store.kind]
    throw new StoreError(
      `${title} is reached by @siteauth/adapters and ${driver}, and one of them is not installed.`,
      `Install both in this project: npm install @siteauth/adapters ${driver}`,
    )
  }
}

async function open(
  { kind, address, tables }: Store,
  { cwd, mode }: StoreAccess,
): Promise<SqlAdapter> {
  const module = await importFrom(cwd, kind)
  if (kind === 'sqlite') {
    const { SqliteAdapter } = module as SqliteModule // as its name says
    const file = pathWithin({ folder: cwd, file: address.replace(/^file:/, ''), isNamed: true })
    // To look at a database that is not there must not make one.
    return SqliteAdapter({ file: mode === 'read' && !existsSync(file) ? ':memory:' : file, tables })
  }
  if (kind === 'mysql') {
    const { MysqlAdapter } = module as MysqlModule // as its name says
    return MysqlAdapter({ url: address, tables })
  }
  const { PostgresAdapter } = module as PostgresModule // as its name says
  return PostgresAdapter({ url: address, tables })
}

type SqliteModule = typeof import('@siteauth/adapters/sqlite')
type MysqlModule = typeof import('@siteauth/adapters/mysql')
type PostgresModule = typeof import('@siteauth/adapters/postgres')

/** What the project would get, so that drivers and versions are its own. */
async function importFrom(folder: string, kind: StoreKind): Promise<unknown> {
  const installed = find(folder, `@siteauth/adapters/${kind}`)
  if (installed) return import(pathToFileURL(installed).href)
  if (kind === 'sqlite') return import('@siteauth/adapters/sqlite')
  return kind === 'mysql'
    ? import('@siteauth/adapters/mysql')
    : import('@siteauth/adapters/postgres')
}

function find(folder: string, module: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(module)
  } catch {
    return null
  }
}
