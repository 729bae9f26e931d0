import { MANY } from './every-call.mjs'

const DAY = 86_400_000
/** So many rows of each kind have expired, however many there are: a cleanup removes as many everywhere. */
const EXPIRED = 100
/** How many expired sessions the user has who has many. */
const OLD = 3000

/**
 * How a database writes what fills its tables.
 *
 * @typedef {object} Writing
 * @property {(from: number, to: number, column: string) => string} numbers a table with a column of these numbers
 * @property {(time: Date) => string} date a literal
 */

/** @type {Record<'PostgreSQL' | 'MariaDB' | 'SQLite', Writing>} MariaDB needs `sql_mode` with `ANSI` for the statements. */
export const WRITING = {
  PostgreSQL: {
    numbers: (from, to, column) => `generate_series(${from}, ${to - 1}) ${column}`,
    date: time => `timestamptz '${time.toISOString()}'`,
  },
  MariaDB: {
    numbers: (from, to, column) =>
      `(select seq as ${column} from seq_${from}_to_${to - 1}) of_${column}`,
    date: time => `timestamp'${time.toISOString().slice(0, -1).replace('T', ' ')}'`,
  },
  SQLite: {
    numbers: (from, to, column) =>
      `(with recursive r(${column}) as (select ${from} union all select ${column} + 1 from r where ${column} < ${to - 1})
        select ${column} from r) of_${column}`,
    date: time => `'${time.toISOString()}'`,
  },
}

/**
 * The statements that fill the tables of an adapter with users, each with three sessions and one of everything else.
 *
 * @param {Writing} writing
 * @param {number} from
 * @param {number} to
 * @param {number} [entriesTo] up to where the log of ended sessions has entries
 * @returns {string[]}
 */
export function fillStatements({ numbers, date }, from, to, entriesTo = to) {
  const now = Date.now()
  const at = (/** @type {number} */ days) => date(new Date(now + days * DAY))
  const ms = (/** @type {number} */ days) => String(now + days * DAY)
  const users = `from ${numbers(from, to, 'n')}`
  const threeEach = `${users} cross join ${numbers(0, 3, 'k')}`
  const session = (/** @type {string} */ kind) => `'${kind}-' || n || '-' || k`
  return [
    `insert into users (id, name, email) select 'user-' || n, 'User ' || n, n || '@example.com' ${users}`,
    `insert into accounts ("userId", type, provider, "providerAccountId", access_token)
      select 'user-' || n, 'oauth', 'google', 'google-' || n, 'token' ${users}`,
    `insert into sessions ("sessionToken", "userId", expires)
      select ${session('session')}, 'user-' || n, ${expires(at)} ${threeEach}`,
    `insert into tracked_sessions (id, "userId", expires)
      select ${session('tracked')}, 'user-' || n, ${expires(at)} ${threeEach}`,
    `insert into authenticators ("credentialID", "userId", "providerAccountId", "credentialPublicKey", counter,
      "credentialDeviceType", "credentialBackedUp")
      select 'credential-' || n, 'user-' || n, 'credential-' || n, 'public', 0, 'multiDevice', true ${users}`,
    `insert into passwords ("userId", hash, "changedAt") select 'user-' || n, 'hash', ${at(-1)} ${users}`,
    `insert into verification_token (identifier, token, expires)
      select n || '@example.com', 'token-' || n, ${expires(at)} ${users}`,
    fillLog({ numbers, date }, from, entriesTo),
    `insert into limits ("limitKey", attempts, "notBefore", expires)
      select 'limit-' || n, 1, ${ms(-1)}, ${expires(ms)} ${users}`,
  ]
}

/**
 * The statement that fills the log of ended sessions.
 *
 * @param {Writing} writing
 * @param {number} from
 * @param {number} to
 */
function fillLog({ numbers }, from, to) {
  const ms = (/** @type {number} */ days) => String(Date.now() + days * DAY)
  return `insert into revocations ("revocationKey", generation, expires, changed)
    select 's:0000000000000000' || (1000000000000000 + n), null, ${expires(ms)}, ${ms(-1)} - n from ${numbers(from, to, 'n')}`
}

/** @param {(days: number) => string} literal */
function expires(literal) {
  const later = Array.from({ length: 9 }, (_, at) => `when n % 10 = ${at} then ${literal(10 + at)}`)
  return `case when n < ${EXPIRED} then ${literal(-2)} ${later.join(' ')} else ${literal(29)} end`
}

/**
 * The statements for the user with many sessions that have expired.
 *
 * @param {Writing} writing
 * @returns {string[]}
 */
export function fillMany({ numbers, date }) {
  // Not for so long that a cleanup would remove them.
  const past = date(new Date(Date.now() - DAY / 2))
  const sessions = (/** @type {string} */ table, /** @type {string} */ id) =>
    `insert into ${table} (${id}, "userId", expires)
      select 'many-' || n, '${MANY}', ${past} from ${numbers(0, OLD, 'n')}`
  return [
    `insert into users (id, name, email) values ('${MANY}', 'Many', 'many@example.com')`,
    sessions('sessions', '"sessionToken"'),
    sessions('tracked_sessions', 'id'),
  ]
}
