import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { COLUMNS, KEY, READ_COLUMNS } from './revocation-sql.ts'
import { createStatementCache, type Row, type Statement } from './statement.ts'

export interface RevocationStatements {
  /** Records that many revocations, and returns the rows where the database can. */
  end(count: number): Statement
  /** Finds up to that many keys. */
  find(count: number): Statement
  /**
   * Up to `count` revocations changed at or after a time, in that order, with the time of the database. Of those changed at a time,
   * only the ones whose keys follow one: needs the time twice, and the key.
   */
  since(count: number): Statement
  /** Up to `count` revocations whose keys follow one, in their order, with the time of the database. */
  page(count: number): Statement
}

export function revocationStatements(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  name: string,
): RevocationStatements {
  const { clock, hasOneText, end, isAmong } = dialect.revocations
  const table = sql.table(name)
  const cache = createStatementCache(db)
  const cacheSuffix = (count: number) => (hasOneText ? '' : count)
  return {
    end: count => cache(`end ${cacheSuffix(count)}`, () => end(table, count)),
    find: count =>
      cache(`find ${cacheSuffix(count)}`, () => {
        return sql<Row>`select ${READ_COLUMNS} from ${table} where ${isAmong(KEY, count)}`
      }),
    // Returns one row at least, with the time.
    since: count =>
      cache('since', () => {
        // The index has one column, which decides where to begin. A subquery is evaluated once, and not for each row.
        return sql<Row>`select ${clock} as store_now, r.* from (select 1 as one) o
        left join (select ${COLUMNS} from ${table}
          where changed >= ${null} and (changed > ${null} or ${KEY} > ${null}) and expires > (select ${clock})
          order by changed, ${KEY} limit ${sql.lit(count)}) r on 1 = 1`
      }),
    // By the primary key, so that each page is read from where the last one ended.
    page: count =>
      cache('page', () => {
        return sql<Row>`select ${clock} as store_now, r.* from (select 1 as one) o
        left join (select ${READ_COLUMNS} from ${table} where ${KEY} > ${null} order by ${KEY} limit ${sql.lit(count)}) r on 1 = 1`
      }),
  }
}
