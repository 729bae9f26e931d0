import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionRenewal,
  VerificationToken,
} from '@siteauth/core/adapters'
import type { CompleteAdapter } from '../complete-adapter.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { DEFAULT_TIMEOUT, withTimeout } from '../with-timeout.ts'
import type { SqlDialect } from './dialect.ts'
import { type OpenDatabase, sendBy } from './open-database.ts'
import { watchPostgres } from './postgres/postgres-channel.ts'
import { dateFrom, detailsFrom, textFrom } from './row-values.ts'
import { integerRange, misfitOf } from './schema/column-limits.ts'
import { type FoundTable, type FoundTables, inspectTables } from './schema/inspect.ts'
import { createMigrations, type Migrations } from './schema/migrations.ts'
import { DEFAULT_TABLE_NAMES, TABLES, type TableNames } from './schema/tables.ts'
import { createSqlLimiter } from './sql-limiter.ts'
import { createSqlPasswords } from './sql-passwords.ts'
import { BATCH, createSqlRevocations } from './sql-revocations.ts'
import { createSqlTracked } from './sql-tracked.ts'
import type { CredentialKey, ExpiringKey } from './statements/row-statements.ts'
import type { Row, Statement, TableKey } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'
import { createStatements } from './statements/statements.ts'

/** An adapter whose store is an SQL database. */
export interface SqlAdapter extends CompleteAdapter {
  readonly migrations: Migrations
  /** Closes the connections that the adapter opened. Those that it was given stay open. */
  close(): Promise<void>
}

/** What every SQL adapter can be told. */
export interface SqlAdapterOptions {
  /** Where tables have other names: `auth.users` is the table `users` in the schema `auth`. */
  tables?: Partial<TableNames>
  /**
   * How long the database may take to respond, in milliseconds, before the visitor sees an error.
   * Defaults to 10 000. Migrations may take longer.
   */
  timeout?: number
}

/**
 * The adapter for any database that Kysely has a dialect for. It takes tables as they are: ids may
 * be text, numbers or UUIDs, and members without a column are not stored.
 */
export function createSqlAdapter(
  { db, patientDb, send, close, openClient }: OpenDatabase,
  dialect: SqlDialect,
  options: SqlAdapterOptions & { migrateFirst?: boolean },
): SqlAdapter {
  const names = { ...DEFAULT_TABLE_NAMES, ...options.tables }
  const timeout = options.timeout ?? DEFAULT_TIMEOUT
  const migrations = createMigrations(patientDb, dialect, names)
  const statements = createStatements(db, dialect, names)
  let inspected: Promise<FoundTables> | null = null
  /** Whether a deletion answers what it deleted. Known once the tables are. */
  let tellsDeleted = dialect.hasReturning
  let migrated: Promise<unknown> | null = null

  /** Resolves when the tables are there, where the adapter makes them itself. */
  async function ready() {
    migrated ??= migrations.apply()
    const attempt = migrated
    await attempt.catch(error => {
      if (migrated === attempt) migrated = null
      throw error
    })
  }

  async function run(statement: Statement, values: readonly unknown[], sendIt = send) {
    if (options.migrateFirst) await ready()
    return sendIt(statement, values)
  }

  /** All of it or nothing, and once more where others were in the way. */
  async function transact<T>(act: (sendIt: typeof send) => Promise<T>): Promise<T> {
    if (options.migrateFirst) await ready()
    const once = () => {
      return withTimeout(
        timeout,
        dialect.inTransaction(db, connection => act(sendBy(connection))),
      )
    }
    return retryOnConflict(dialect.isConflict, once, timeout)
  }

  /** Does something with a table that those who upgrade may lack. */
  async function withTable<T>(key: TableKey, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (dialect.isMissingTable(error)) await shapeOf(key)
      throw error
    }
  }

  async function first(statement: Statement, values: readonly unknown[], sendIt = send) {
    const { rows } = await run(statement, values, sendIt)
    return rows[0] ?? null
  }

  async function found(): Promise<FoundTables> {
    if (options.migrateFirst) await ready()
    inspected ??= Promise.all([inspectTables(db, dialect, names), dialect.returnsDeleted(db)]).then(
      ([tables, tells]) => {
        tellsDeleted = tells
        return tables
      },
    )
    const asked = inspected
    return withTimeout(timeout, asked).catch(error => {
      if (inspected === asked) inspected = null
      throw error
    })
  }

  /** What the table looks like. Asked once, but again if it was not there or the answer failed. */
  async function shapeOf(key: TableKey): Promise<FoundTable> {
    const shape = (await found())[key]
    if (shape) return shape
    inspected = null
    throw new Error(
      `the table ${names[key]} does not exist: create it with adapter.migrations.apply(), or with the SQL from adapter.migrations.sql()`,
    )
  }

  /** The id as the users table would have it, or null when no user can have such an id. */
  async function userKey(id: string): Promise<string | null> {
    const type = (await shapeOf('users')).columns.get('id')?.type ?? ''
    if (type === 'uuid') return UUID.test(id) ? id : null
    const range = integerRange(type, dialect)
    if (!range) return canHave([id]) ? id : null
    return /^\d{1,20}$/.test(id) && BigInt(id) <= range.max ? id : null
  }

  /** Whether a column can have such values at all. */
  function canHave(values: readonly unknown[]): boolean {
    return (
      dialect.takesNul || !values.some(value => typeof value === 'string' && value.includes('\0'))
    )
  }

  /** The members of a record that the table has a column for, as the driver takes them. */
  async function encode(key: TableKey, record: object): Promise<Map<string, unknown>> {
    const { columns } = await shapeOf(key)
    const stored = new Map<string, unknown>()
    for (const [name, value] of Object.entries(record)) {
      const column = columns.get(name)
      if (!column || value === undefined) continue
      const misfit = misfitOf(value, column.type, isKey(key, name), dialect)
      if (misfit) throw new RangeError(`the value for ${names[key]}.${name} ${misfit}`)
      stored.set(name, dialect.encode(value, column.type))
    }
    return stored
  }

  /** The row to insert for a record. Nothing is asked of the database after this. */
  async function rowOf(key: TableKey, record: object): Promise<Map<string, unknown>> {
    const row = await encode(key, record)
    // Some of Auth.js's tables give accounts and sessions an id of their own.
    const id = (await shapeOf(key)).columns.get('id')
    if (id && !id.hasDefault && !row.has('id')) row.set('id', crypto.randomUUID())
    return row
  }

  async function userRow(user: object & { id?: string }): Promise<Map<string, unknown>> {
    const { id, ...rest } = user
    const column = (await shapeOf('users')).columns.get('id')
    const isCounted = column !== undefined && integerRange(column.type, dialect) !== null
    return rowOf('users', isCounted ? rest : { ...rest, id: id ?? crypto.randomUUID() })
  }

  async function insertRow(key: TableKey, row: ReadonlyMap<string, unknown>, sendIt = send) {
    await run(statements.rows.insert(key, [...row.keys()]), [...row.values()], sendIt)
  }

  async function insert(key: TableKey, record: object): Promise<void> {
    await insertRow(key, await rowOf(key, record))
  }

  async function storeUser(row: ReadonlyMap<string, unknown>, sendIt = send) {
    const statement = statements.users.store([...row.keys()])
    const { rows, insertId } = await run(statement, [...row.values()], sendIt)
    if (rows[0]) return userFrom(rows[0])
    const id = row.get('id') ?? String(insertId)
    return userFrom(requireRow(await first(statements.rows.find('users'), [id], sendIt)))
  }

  async function readUser(id: string): Promise<AdapterUser | null> {
    const key = await userKey(id)
    if (key === null) return null
    const row = await first(statements.rows.find('users'), [key])
    const user = row && userFrom(row)
    return user && sameId(user.id, id) ? user : null
  }

  /** The row with that primary key, to the byte. */
  async function find(key: TableKey, of: readonly unknown[]): Promise<Row | null> {
    return canHave(of) ? first(statements.rows.find(key), keyValues(key, of)) : null
  }

  async function readAccount(provider: string, providerAccountId: string) {
    const row = await find('accounts', [provider, providerAccountId])
    return row && accountFrom(row)
  }

  async function readAuthenticator(credentialID: string) {
    const row = await find('authenticators', [credentialID])
    return row && authenticatorFrom(row)
  }

  /**
   * What to do when a row of someone's could not be stored because there is one like it: one whose
   * user is gone is removed. Whether the same may succeed now.
   */
  async function makeRoom(key: CredentialKey, of: readonly string[]): Promise<boolean> {
    const { numAffectedRows } = await run(statements.rows.removeOrphan(key), keyValues(key, of))
    if (numAffectedRows) return true
    const row = await first(statements.rows.findLookalike(key), of)
    const { primaryKey } = TABLES[key]
    if (row && primaryKey.some((name, at) => textFrom(row[name]) !== of[at])) {
      throw looksAlike(`${names[key]} (${primaryKey.join(', ')})`)
    }
    return false
  }

  /** Stores a row of someone's, also where one like it has outlived its user. */
  async function insertOwned(
    key: CredentialKey,
    record: object,
    of: readonly string[],
  ): Promise<void> {
    const row = await rowOf(key, record)
    try {
      await insertRow(key, row)
    } catch (error) {
      if (!dialect.isDuplicate(error) || !(await makeRoom(key, of))) throw error
      await insertRow(key, row)
    }
  }

  async function findUserByEmail(email: string): Promise<AdapterUser | null> {
    if (!canHave([email])) return null
    const { rows } = await run(statements.users.findByEmail(), [email])
    const users = rows.map(userFrom)
    // A collation may find zoe@ for zoë@: that is someone else.
    const same = users.find(user => user.email === email)
    return same ?? users.find(user => lowerAscii(user.email) === lowerAscii(email)) ?? null
  }

  /** Changes the row with that primary key and answers it, or null when it was not there. */
  async function update(key: TableKey, of: readonly unknown[], changes: object) {
    const changed = await encode(key, changes)
    if (changed.size > 0) {
      const statement = statements.rows.update(key, [...changed.keys()])
      if (!canHave(of)) return null
      const { rows } = await run(statement, [...changed.values(), ...keyValues(key, of)])
      if (dialect.hasReturning) return rows[0] ?? null
    }
    return find(key, of)
  }

  /** The same of an account, if that holder has its lease. */
  async function updateHeld(of: readonly string[], changes: object, holder: string) {
    await demandLeases()
    const changed = await encode('accounts', changes)
    if (!canHave(of)) return null
    const values = [...changed.values(), ...keyValues('accounts', of), holder]
    const { rows, numAffectedRows } = await run(
      statements.accounts.updateHeld([...changed.keys()]),
      values,
    )
    if (dialect.hasReturning) return rows[0] ?? null
    return numAffectedRows ? find('accounts', of) : null
  }

  /** Tables of Auth.js, and those from before there were leases, have no columns for them. */
  async function demandLeases(): Promise<void> {
    const { columns } = await shapeOf('accounts')
    if (LEASE_COLUMNS.every(name => columns.has(name))) return
    inspected = null
    throw new Error(
      `${names.accounts} has no columns ${LEASE_COLUMNS.join(' and ')}: add them with adapter.migrations.apply(), or with the SQL from adapter.migrations.sql()`,
    )
  }

  /** Deletes one row and answers it, or null when it was not there or another got it. */
  async function remove(key: TableKey, of: readonly unknown[]): Promise<Row | null> {
    if (!canHave(of)) return null
    if (dialect.hasReturning) return first(statements.rows.take(key), keyValues(key, of))
    const row = await find(key, of)
    if (!row) return null
    const { numAffectedRows } = await run(statements.rows.remove(key), keyValues(key, of))
    return numAffectedRows ? row : null
  }

  /** The same by one statement, where the server has it. */
  async function deleted(key: TableKey, of: readonly unknown[]): Promise<Row | null> {
    await found()
    return tellsDeleted ? first(statements.rows.take(key), keyValues(key, of)) : remove(key, of)
  }

  async function readSession(
    sessionToken: string,
    statement: Statement,
    values: readonly unknown[],
  ) {
    if (!dialect.takesNul && sessionToken.includes('\0')) return null
    if (options.migrateFirst) await ready()
    const [row] = (await send(statement, values)).rows
    if (!row || row['session_token'] !== sessionToken) return null
    const { session_token, session_expires, renewed_expires, ...columns } = row
    const expires = dateFrom(renewed_expires ?? session_expires)
    if (!expires) throw new TypeError('the session has no expiry date')
    const user = userFrom(columns)
    const session = { sessionToken, userId: user.id, expires }
    return { found: { session, user }, isRenewed: renewed_expires !== null }
  }

  async function getSessionAndUser(sessionToken: string) {
    const read = await readSession(sessionToken, statements.sessions.read(), [sessionToken])
    return read ? read.found : null
  }

  /** In one statement, where there is such a one and sessions are renewed so often that it pays. */
  async function getAndRenewSession(sessionToken: string, renewal: SessionRenewal) {
    const { now, dueUntil, dueAfter, expires } = renewal
    const changes = { expires, lastSeenAt: now }
    if (dialect.hasWritingCte && expires.getTime() - dueUntil.getTime() < RARELY_MS) {
      const changed = await encode('sessions', changes)
      const statement = statements.sessions.readAndRenew([...changed.keys()])
      const values = [...changed.values(), sessionToken, now, dueUntil, dueAfter, sessionToken]
      const read = await readSession(sessionToken, statement, values)
      return read && { ...read.found, isRenewed: read.isRenewed }
    }
    const found = await getSessionAndUser(sessionToken)
    if (!found) return null
    const end = found.session.expires
    const isDue = end > now && (end <= dueUntil || end > dueAfter)
    if (!isDue) return { ...found, isRenewed: false }
    const changed = await encode('sessions', changes)
    const values = [...changed.values(), ...keyValues('sessions', [sessionToken])]
    const { numAffectedRows } = await run(statements.sessions.renew([...changed.keys()]), values)
    if (numAffectedRows === 0n) return null // signed out meanwhile
    return { session: { ...found.session, expires }, user: found.user, isRenewed: true }
  }

  const channel =
    openClient && watchPostgres({ db, table: names.revocations, send, openClient, timeout })
  const revocations = createSqlRevocations({
    db,
    dialect,
    table: names.revocations,
    run: (statement, values) => withTable('revocations', () => run(statement, values)),
    transact: act => withTable('revocations', () => transact(act)),
    persist: act => retryOnConflict(dialect.isConflict, act, timeout),
    watch: channel?.watch,
  })

  const passwords = createSqlPasswords({
    statements,
    dialect,
    run: (statement, values) => withTable('passwords', () => run(statement, values)),
    encode: record => encode('passwords', record),
    userKey,
  })

  const trackedSessions = createSqlTracked({
    statements,
    dialect,
    run: (statement, values) => withTable('trackedSessions', () => run(statement, values)),
    encode: record => encode('trackedSessions', record),
  })

  const limits = createSqlLimiter({
    db,
    dialect,
    table: names.limits,
    run: (statement, values) => withTable('limits', () => run(statement, values)),
    persist: act => retryOnConflict(dialect.isConflict, act, timeout),
  })

  return {
    migrations: {
      ...migrations,
      async apply() {
        const steps = await migrations.apply()
        inspected = null
        return steps
      },
    },
    async close() {
      await channel?.close()
      await close()
    },

    createUser: async user => storeUser(await userRow(user)),
    getUser: readUser,
    getUserByEmail: findUserByEmail,
    async getUserByAccount({ provider, providerAccountId }) {
      if (!canHave([provider, providerAccountId])) return null
      const { rows } = await run(statements.users.findByAccount(), [provider, providerAccountId])
      // A collation may find ABC for abc: that is someone else.
      const row = rows.find(
        ({ account_provider, account_id }) =>
          account_provider === provider && textFrom(account_id) === providerAccountId,
      )
      if (!row) return null
      const { account_provider: _, account_id: __, ...user } = row
      return userFrom(user)
    },
    async updateUser({ id, ...changes }) {
      const key = await userKey(id)
      const row = key === null ? null : await update('users', [key], changes)
      if (!row) throw new Error('no user has this id')
      return userFrom(row)
    },
    async deleteUser(id) {
      const key = await userKey(id)
      if (key === null) return null
      const user = await readUser(id)
      const tables = await found()
      await transact(async sendIt => {
        for (const owned of ['accounts', 'sessions', 'authenticators'] as const) {
          // Tables of Auth.js may lack the one for passkeys.
          if (tables[owned]) await run(statements.rows.removeOfUser(owned), [key], sendIt)
        }
        if (tables.passwords) await run(statements.rows.removeOfUser('passwords'), [key], sendIt)
        if (tables.trackedSessions) {
          await run(statements.rows.removeOfUser('trackedSessions'), [id], sendIt)
        }
        await run(statements.rows.remove('users'), [key], sendIt)
      })
      return user
    },

    async linkAccount(account) {
      await insertOwned('accounts', account, [account.provider, account.providerAccountId])
      return account
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const row = await remove('accounts', [provider, providerAccountId])
      return row ? accountFrom(row) : undefined
    },
    getAccount: (providerAccountId, provider) => readAccount(provider, providerAccountId),
    async updateAccount({ provider, providerAccountId, ...changes }, held) {
      const of = [provider, providerAccountId]
      const ended = { ...changes, lease_holder: null, lease_until: null }
      const row = held
        ? await updateHeld(of, ended, held.holder)
        : await update('accounts', of, ended)
      return row && accountFrom(row)
    },
    async leaseAccount({ provider, providerAccountId }, { holder, until, now }) {
      const of = [provider, providerAccountId]
      await demandLeases()
      if (!canHave(of)) return null
      const duration = until.getTime() - now.getTime()
      const values = [holder, duration, ...keyValues('accounts', of), holder]
      const { rows, numAffectedRows } = await run(statements.accounts.lease(), values)
      const row = dialect.hasReturning ? rows[0] : numAffectedRows && (await find('accounts', of))
      return row ? accountFrom(row) : null
    },
    async listAccounts(userId) {
      const key = await userKey(userId)
      if (key === null) return []
      const { rows } = await run(statements.rows.findOfUser('accounts'), [key])
      // A collation may find more than was asked for.
      return rows.map(accountFrom).filter(account => sameId(account.userId, userId))
    },

    async createSession(session) {
      await insert('sessions', session)
      return session
    },
    getSessionAndUser,
    getAndRenewSession,
    async updateSession({ sessionToken, ...changes }) {
      const row = await update('sessions', [sessionToken], changes)
      return row && sessionFrom(row)
    },
    async deleteSession(sessionToken) {
      const of = [sessionToken]
      const row = canHave(of) ? await deleted('sessions', of) : null
      return row && sessionFrom(row)
    },
    async listSessions(userId, limit) {
      const key = await userKey(userId)
      if (key === null) return []
      const statement =
        limit === undefined
          ? statements.rows.findOfUser('sessions')
          : statements.rows.findLastOfUser('sessions', limit)
      const { rows } = await run(statement, [key])
      const now = Date.now()
      return rows.map(sessionFrom).filter(({ expires }) => expires.getTime() > now)
    },
    async deleteSessions(userId) {
      const key = await userKey(userId)
      if (key === null) return 0
      const { numAffectedRows } = await run(statements.rows.removeOfUser('sessions'), [key])
      return Number(numAffectedRows ?? 0)
    },
    async deleteOtherSessions({ userId, sessionToken }) {
      const key = await userKey(userId)
      if (key === null) return 0
      const statement = statements.rows.removeOthersOfUser('sessions')
      const { numAffectedRows } = await run(statement, [key, sessionToken])
      return Number(numAffectedRows ?? 0)
    },

    async createVerificationToken(token) {
      await insert('verificationTokens', token)
      return token
    },
    async useVerificationToken({ identifier, token }) {
      const row = await remove('verificationTokens', [identifier, token])
      return row && tokenFrom(row)
    },

    async createAuthenticator(authenticator) {
      await insertOwned('authenticators', authenticator, [authenticator.credentialID])
      return authenticator
    },
    async deleteAuthenticator({ credentialID, userId }) {
      const found = await readAuthenticator(credentialID)
      if (found?.userId !== userId) return null
      const row = await remove('authenticators', [credentialID])
      return row && authenticatorFrom(row)
    },
    getAuthenticator: readAuthenticator,
    async listAuthenticatorsByUserId(userId) {
      const key = await userKey(userId)
      if (key === null) return []
      const { rows } = await run(statements.rows.findOfUser('authenticators'), [key])
      return rows.map(authenticatorFrom)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const row = await update('authenticators', [credentialID], { counter })
      if (!row) throw new Error('no authenticator has this credential')
      return authenticatorFrom(row)
    },

    async createUserWithAccount({ user, account, session }) {
      const owned = (id: string) => ({
        account: { ...account, userId: id },
        session: session ? { ...session, userId: id } : null,
      })
      const store = async () => {
        if (dialect.hasWritingCte) {
          const stored = await storeAtOnce(user, account, session)
          return { user: stored, ...owned(stored.id) }
        }
        const newUser = await userRow(user)
        const newAccount = await rowOf('accounts', { ...account, userId: undefined })
        const newSession = session ? await rowOf('sessions', session) : null
        return transact(async sendIt => {
          const stored = await storeUser(newUser, sendIt)
          newAccount.set('userId', stored.id)
          await insertRow('accounts', newAccount, sendIt)
          newSession?.set('userId', stored.id)
          if (newSession) await insertRow('sessions', newSession, sendIt)
          return { user: stored, ...owned(stored.id) }
        })
      }
      const { provider, providerAccountId } = account
      // Once more, if the account was that of a user who is gone.
      for (;;) {
        try {
          return dialect.hasWritingCte
            ? await retryOnConflict(dialect.isConflict, store, timeout)
            : await store()
        } catch (error) {
          if (!dialect.isDuplicate(error)) throw error
        }
        if (await makeRoom('accounts', [provider, providerAccountId])) continue
        if (user.email) await refuseLookAlike(user.email)
        return null
      }
    },

    async deleteExpired() {
      const ended = new Date(Date.now() - KEPT_MS)
      const kept: readonly ExpiringKey[] = ['sessions', 'verificationTokens', 'trackedSessions']
      let total = 0
      for (const key of kept) {
        if (!(await found())[key]) continue
        const value = (await encode(key, { expires: ended })).get('expires')
        const statement = statements.rows.removeExpired(key, BATCH)
        let removed: number
        do {
          const { numAffectedRows } = await run(statement, [value, value])
          removed = Number(numAffectedRows ?? 0)
          total += removed
        } while (removed === BATCH)
      }
      if ((await found()).revocations) {
        let removed: number
        do {
          removed = await revocations.removeExpired()
          total += removed
        } while (removed === BATCH)
      }
      if ((await found()).limits) {
        let removed: number
        do {
          removed = await limits.removeExpired(ended.getTime())
          total += removed
        } while (removed === BATCH)
      }
      return total
    },

    revocations: revocations.log,
    extends: ['sessions', 'accounts'],
    trackedSessions,
    limiter: limits.limiter,
    passwords,
  }

  /** Throws if the address is free, and its column takes that of someone else for it. */
  async function refuseLookAlike(email: string): Promise<void> {
    const { rows } = await run(statements.users.findByEmail(), [email])
    const isAlike = rows.length > 0 && (await findUserByEmail(email)) === null
    if (isAlike) throw looksAlike(`${names.users} (email)`)
  }

  async function storeAtOnce(user: object, account: object, session: object | undefined) {
    const newUser = await userRow(user)
    const newAccount = await rowOf('accounts', { ...account, userId: undefined })
    const newSession = session && (await rowOf('sessions', { ...session, userId: undefined }))
    const statement = statements.signUp(
      [...newUser.keys()],
      await typesOf('accounts', newAccount),
      newSession ? await typesOf('sessions', newSession) : null,
    )
    const rows = [newUser, newAccount, ...(newSession ? [newSession] : [])]
    const values = rows.flatMap(row => [...row.values()])
    return userFrom(requireRow(await first(statement, values)))
  }

  async function typesOf(key: TableKey, row: ReadonlyMap<string, unknown>) {
    const { columns } = await shapeOf(key)
    return [...row.keys()].map(name => [name, columns.get(name)?.type ?? 'text'] as const)
  }
}

// A statement that can write costs a third more, as measured, whether or not it writes.
const RARELY_MS = 60_000
const LEASE_COLUMNS = ['lease_holder', 'lease_until']
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
// Longer than any two clocks, or time zones, lie apart.
const KEPT_MS = 86_400_000

/** Whether an index holds the column. */
function isKey(key: TableKey, column: string): boolean {
  const { primaryKey, unique, indexes } = TABLES[key]
  return [primaryKey, ...unique, ...indexes].some(columns => columns.includes(column))
}

function looksAlike(columns: string): Error {
  return new Error(
    `${columns} treats another value as equal to this one: give the columns a collation that distinguishes all characters, such as utf8mb4_bin, or the type adapter.migrations.sql() gives them`,
  )
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

function requireRow(row: Row | null): Row {
  if (!row) throw new Error('the database did not return the stored row')
  return row
}

// UUIDs are the same in either case; other ids must be equal to the letter.
function sameId(stored: string, asked: string): boolean {
  return stored === asked || (UUID.test(asked) && stored === asked.toLowerCase())
}

function userFrom(row: Row): AdapterUser {
  // Sound: the columns of the users table, with those converted that the contract has types for.
  return {
    ...row,
    id: String(row['id']),
    emailVerified: dateFrom(row['emailVerified']),
  } as AdapterUser
}

function accountFrom(row: Row): AdapterAccount {
  const members = Object.entries(row).filter(
    ([name, value]) => value !== null && name !== 'id' && !LEASE_COLUMNS.includes(name),
  )
  const account: Row = Object.fromEntries(members)
  if (account['expires_at'] !== undefined) account['expires_at'] = Number(account['expires_at'])
  // Sound: the columns of the accounts table.
  return {
    ...account,
    userId: String(row['userId']),
    providerAccountId: textFrom(row['providerAccountId']),
  } as AdapterAccount
}

function sessionFrom(row: Row): AdapterSession {
  const expires = dateFrom(row['expires'])
  if (!expires) throw new TypeError('the session has no expiry date')
  const [sessionToken, userId] = [String(row['sessionToken']), String(row['userId'])]
  return { sessionToken, userId, expires, ...detailsFrom(row) }
}

function tokenFrom(row: Row): VerificationToken {
  const expires = dateFrom(row['expires'])
  if (!expires) throw new TypeError('the token has no expiry date')
  return { identifier: String(row['identifier']), token: String(row['token']), expires }
}

function authenticatorFrom(row: Row): AdapterAuthenticator {
  const { id: _, ...members } = row
  // Sound: the columns of the authenticators table, with those converted that differ.
  return {
    ...members,
    userId: String(row['userId']),
    credentialID: textFrom(row['credentialID']),
    providerAccountId: textFrom(row['providerAccountId']),
    counter: Number(row['counter']),
    credentialBackedUp: Boolean(row['credentialBackedUp']),
  } as AdapterAuthenticator
}
