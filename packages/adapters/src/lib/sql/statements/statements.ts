import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { TABLES, type TableNames } from '../schema/tables.ts'

export type Row = Record<string, unknown>
export type TableKey = keyof TableNames
export type OwnedKey = 'accounts' | 'authenticators'
export type ExpiringKey = 'sessions' | 'verificationTokens' | 'trackedSessions'

/** A statement as it is sent, again and again, each time with values of its own. */
export type Statement = CompiledQuery<Row>

/** Columns by name, with their types as the database says them. */
type TypedColumns = readonly (readonly [name: string, type: string])[]

type Columns = readonly string[]

/**
 * Every statement of an SQL adapter. One of a single row takes the values of the table's primary key,
 * in the form of `keyOf` and after all others; one that writes columns takes their values in the order
 * given.
 */
export interface Statements {
  find(key: TableKey): Statement
  /** The row that the columns' collations take for the one of that key, which may be another. */
  findAlike(key: TableKey): Statement
  findOfUser(key: TableKey): Statement
  insert(key: TableKey, columns: Columns): Statement
  /** Answers the changed row where the database can. */
  update(key: TableKey, columns: Columns): Statement
  /** The same of an account, if the holder whose name is given last has its lease. */
  updateHeld(columns: Columns): Statement
  /**
   * Leases an account that nobody has. Takes the holder, for how many milliseconds, the key, and then the
   * holder once more. Goes by the clock of the database, since those of servers may differ by more than a
   * lease lasts. Answers the account where the database can.
   */
  lease(): Statement
  remove(key: TableKey): Statement
  /** Removes, and answers the row where the database can. */
  take(key: TableKey): Statement
  removeOfUser(key: TableKey): Statement
  /** The same but for the row of one primary key, which is given behind the user. */
  removeOthersOfUser(key: ExpiringKey): Statement
  /** Takes the columns, the user, and the hash that is replaced: of any other nothing changes. */
  replacePassword(columns: Columns): Statement
  /** Those of a user that expire last, in that order. */
  findLastOfUser(key: ExpiringKey, limit: number): Statement
  /** Removes a row if its user is gone. */
  removeLost(key: OwnedKey): Statement
  /** Removes some of those that ended at that time or before; it is given twice. */
  removeExpired(key: ExpiringKey, count: number): Statement
  /** Answers the new user where the database can. */
  storeUser(columns: Columns): Statement
  findUserByEmail(): Statement
  findUserByAccount(): Statement
  readSession(): Statement
  /** Only where the database has statements that read what they write, as the next. */
  readAndRenewSession(columns: Columns): Statement
  /** Two or three rows by one statement, which is one round trip and a transaction by itself. */
  signUp(user: Columns, account: TypedColumns, session: TypedColumns | null): Statement
  renewSession(columns: Columns): Statement
}

// Many more than an application makes; which columns are written depends on what providers tell.
const MAX_KEPT = 200

/** Compiles each statement at its first use, and keeps it under its name. */
export function createKeeper(
  db: Kysely<unknown>,
): (name: string, build: () => RawBuilder<Row>) => Statement {
  const kept = new Map<string, Statement>()
  return (name, build) => {
    const known = kept.get(name)
    if (known) return known
    const statement = build().compile(db)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(name, statement)
    return statement
  }
}

export function createStatements(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Statements {
  const keep = createKeeper(db)
  const table = (key: TableKey) => sql.table(names[key])
  // By an index first, and then to the byte.
  const byKey = (key: TableKey) => {
    const { primaryKey } = TABLES[key]
    const alike = equal(primaryKey, sql` and `)
    if (key === 'users') return alike
    const exact = primaryKey.map(name => dialect.isExactly(sql.id(name), sql`${VALUE}`))
    return sql`${alike} and ${sql.join(exact, sql` and `)}`
  }
  const ofUser = equal(['userId'])
  const insertion = (key: TableKey, columns: Columns) =>
    sql<Row>`insert into ${table(key)} (${list(columns)}) values (${sql.join(columns.map(() => VALUE))})`

  /** An insertion on behalf of the user that the same statement stores. */
  const owned = (key: TableKey, columns: TypedColumns) => {
    // The types of bare parameters in a select list are not known to be those of the columns.
    const values = columns.map(([, type]) => sql`cast(${VALUE} as ${sql.raw(unlimited(type))})`)
    return sql`insert into ${table(key)} (${list(columns.map(([name]) => name))}, ${sql.id('userId')})
      select ${sql.join(values)}, id from new_user`
  }

  const sessionAndUser = sql`
    u.*, s.${sql.id('sessionToken')} as session_token, s.expires as session_expires`
  const ofItsUser = sql`
    from ${table('sessions')} s join ${table('users')} u on u.id = s.${sql.id('userId')}
    where s.${sql.id('sessionToken')} = ${VALUE}`

  return {
    find: key => keep(`find ${key}`, () => sql`select * from ${table(key)} where ${byKey(key)}`),
    findOfUser: key =>
      keep(`find ${key} of user`, () => sql`select * from ${table(key)} where ${ofUser}`),
    findAlike: key =>
      keep(`find alike ${key}`, () => {
        return sql`select * from ${table(key)} where ${equal(TABLES[key].primaryKey, sql` and `)}`
      }),
    insert: (key, columns) =>
      keep(`insert ${key} ${JSON.stringify(columns)}`, () => insertion(key, columns)),
    update: (key, columns) =>
      keep(`update ${key} ${JSON.stringify(columns)}`, () => {
        const returning = dialect.hasReturning ? sql`returning *` : sql``
        return sql`update ${table(key)} set ${equal(columns)} where ${byKey(key)} ${returning}`
      }),
    updateHeld: columns =>
      keep(`update held account ${JSON.stringify(columns)}`, () => {
        const isHeld = equal(['lease_holder'])
        const returning = dialect.hasReturning ? sql`returning *` : sql``
        return sql`update ${table('accounts')} set ${equal(columns)}
          where ${byKey('accounts')} and ${isHeld} ${returning}`
      }),
    lease: () =>
      keep('lease account', () => {
        const returning = dialect.hasReturning ? sql`returning *` : sql``
        const isFree = sql`(lease_until is null or lease_until <= ${dialect.clock} or ${equal(['lease_holder'])})`
        return sql`update ${table('accounts')}
          set ${equal(['lease_holder'])}, lease_until = ${dialect.clock} + ${VALUE}
          where ${byKey('accounts')} and ${isFree} ${returning}`
      }),
    remove: key => keep(`remove ${key}`, () => sql`delete from ${table(key)} where ${byKey(key)}`),
    take: key =>
      keep(`take ${key}`, () => {
        const returning = sql.raw(dialect.returningDeleted)
        return sql`delete from ${table(key)} where ${byKey(key)} ${returning}`
      }),
    removeOfUser: key =>
      keep(`remove ${key} of user`, () => sql`delete from ${table(key)} where ${ofUser}`),

    removeOthersOfUser: key =>
      keep(`remove other ${key} of user`, () => {
        const [id = ''] = TABLES[key].primaryKey
        const isOther = sql`not (${dialect.isExactly(sql.id(id), sql`${VALUE}`)})`
        return sql`delete from ${table(key)} where ${ofUser} and ${isOther}`
      }),
    replacePassword: columns =>
      keep(`replace password ${JSON.stringify(columns)}`, () => {
        const isThat = dialect.isExactly(sql.id('hash'), sql`${VALUE}`)
        return sql`update ${table('passwords')} set ${equal(columns)} where ${ofUser} and ${isThat}`
      }),
    findLastOfUser: (key, limit) =>
      keep(`find last ${limit} ${key} of user`, () => {
        const order = sql`order by expires desc limit ${sql.lit(limit)}`
        return sql`select * from ${table(key)} where ${ofUser} ${order}`
      }),

    removeLost: key =>
      keep(`remove lost ${key}`, () => {
        return sql`delete from ${table(key)} where ${byKey(key)} and not exists (
          select 1 from ${table('users')} u where u.id = ${table(key)}.${sql.id('userId')})`
      }),
    removeExpired: (key, count) =>
      keep(`remove ${count} expired ${key}`, () => {
        const hasEnded = sql`expires <= ${VALUE}`
        const limit = sql`order by expires limit ${sql.lit(count)}`
        if (dialect.hasDeleteLimit) {
          return sql`delete from ${table(key)} where ${hasEnded} and ${hasEnded} ${limit}`
        }
        const columns = list(TABLES[key].primaryKey)
        // Asked twice: a session may be extended between the two.
        return sql`delete from ${table(key)} where (${columns}) in (
          select ${columns} from ${table(key)} where ${hasEnded} ${limit}) and ${hasEnded}`
      }),

    storeUser: columns =>
      keep(`store user ${JSON.stringify(columns)}`, () => {
        return sql`${insertion('users', columns)} ${sql.raw(dialect.returningInserted)}`
      }),
    findUserByEmail: () =>
      keep('find user by email', () => sql`select * from ${table('users')} where email = ${VALUE}`),
    findUserByAccount: () =>
      keep('find user by account', () => {
        const account = sql.id('providerAccountId')
        return sql`
          select u.*, a.provider as account_provider, a.${account} as account_id
          from ${table('accounts')} a join ${table('users')} u on u.id = a.${sql.id('userId')}
          where a.provider = ${VALUE} and a.${account} = ${VALUE}`
      }),

    readSession: () => keep('read session', () => sql`select ${sessionAndUser} ${ofItsUser}`),
    readAndRenewSession: columns =>
      keep(`read and renew session ${columns}`, () => {
        return sql`
          with renewed as (
            update ${table('sessions')} set ${equal(columns)}
            where ${sql.id('sessionToken')} = ${VALUE} and expires > ${VALUE}
              and (expires <= ${VALUE} or expires > ${VALUE})
            returning expires
          )
          select ${sessionAndUser}, (select expires from renewed) as renewed_expires ${ofItsUser}`
      }),
    renewSession: columns =>
      keep(`renew session ${columns}`, () => {
        return sql`update ${table('sessions')} set ${equal(columns)} where ${byKey('sessions')}`
      }),
    signUp: (user, account, session) =>
      keep(`sign up ${JSON.stringify([user, account, session])}`, () => {
        const newSession = session ? sql`, new_session as (${owned('sessions', session)})` : sql``
        return sql`with new_user as (${insertion('users', user)} returning *),
          new_account as (${owned('accounts', account)})${newSession}
          select * from new_user`
      }),
  }
}

/** The values that name one row, as statements take them. */
export function keyOf(key: TableKey, values: readonly unknown[]): readonly unknown[] {
  return key === 'users' ? values : [...values, ...values]
}

// Stands where a value will be: the compiler puts a parameter there, whatever this is.
const VALUE = null

// A cast to a type with a length would shorten what does not fit, and not say so.
function unlimited(type: string): string {
  return type.replace(/^character\(\d+\)/, 'bpchar').replace(/\([\d,]+\)/, '')
}

function list(columns: Columns) {
  return sql.join(columns.map(name => sql.id(name)))
}

function equal(columns: Columns, between: RawBuilder<unknown> = sql`, `) {
  return sql.join(
    columns.map(name => sql`${sql.id(name)} = ${VALUE}`),
    between,
  )
}
