import { sql } from 'kysely'
import { UNLINK } from '../../lease-holder.ts'
import { LEASE_COLUMNS } from '../schema/tables.ts'
import type { Columns, Statement } from './statement.ts'
import { equal, type StatementContext, VALUE } from './statement-context.ts'

export interface AccountStatements {
  /** Updates an account, and ends its lease unless that is of an unlink. */
  updateAndRelease(columns: Columns): Statement
  /** Updates an account if the holder, whose name is given last, has its lease. */
  updateHeld(columns: Columns): Statement
  /**
   * Leases an account that no one else has leased. Needs the holder, the duration in milliseconds, the key,
   * and the holder again. Uses the clock of the database, since those of servers may differ by more than a
   * lease lasts. Returns the account where the database can.
   */
  lease(): Statement
}

export function accountStatements(context: StatementContext): AccountStatements {
  const { dialect, cache, table, hasKey, returning } = context
  return {
    updateAndRelease: columns =>
      cache(`update account ${JSON.stringify(columns)}`, () => {
        const isOfUnlink = sql`lease_holder like ${sql.lit(`${UNLINK}%`)}`
        const leaseColumns = LEASE_COLUMNS.map(
          name => sql`${sql.id(name)} = case when ${isOfUnlink} then ${sql.id(name)} else null end`,
        )
        const changed = columns.length > 0 ? [equal(columns)] : []
        return sql`update ${table('accounts')} set ${sql.join([...changed, ...leaseColumns])}
          where ${hasKey('accounts')} ${returning}`
      }),
    updateHeld: columns =>
      cache(`update held account ${JSON.stringify(columns)}`, () => {
        const isHeld = equal(['lease_holder'])
        return sql`update ${table('accounts')} set ${equal(columns)}
          where ${hasKey('accounts')} and ${isHeld} ${returning}`
      }),
    lease: () =>
      cache('lease account', () => {
        const isFree = sql`(lease_until is null or lease_until <= ${dialect.clock} or ${equal(['lease_holder'])})`
        return sql`update ${table('accounts')}
          set ${equal(['lease_holder'])}, lease_until = ${dialect.clock} + ${VALUE}
          where ${hasKey('accounts')} and ${isFree} ${returning}`
      }),
  }
}
