import type { CompleteAdapter } from '../complete-adapter.ts'
import { revokeDeleted } from '../revocations/revoke-deleted.ts'
import { sqlAccounts } from './accounts.ts'
import { sqlAuthenticators } from './authenticators.ts'
import { sqlClaims } from './claims.ts'
import { sqlLinks } from './conditional-links.ts'
import type { SqlDialect } from './dialect.ts'
import { removeExpired } from './expiry/remove-expired.ts'
import { createUpkeep } from './expiry/upkeep.ts'
import { sqlLeases } from './leases.ts'
import { sqlLimiter } from './limiter.ts'
import type { OpenDatabase } from './open-database.ts'
import { openTables, type SqlAdapterOptions } from './open-tables.ts'
import { sqlPasswords } from './passwords.ts'
import { sqlRevocations } from './revocations.ts'
import type { Migrations } from './schema/migrations.ts'
import { sqlSessions } from './sessions.ts'
import { signUp } from './sign-up.ts'
import { sqlTrackedSessions } from './tracked-sessions.ts'
import { sqlUsers } from './users.ts'
import { sqlVerificationTokens } from './verification-tokens.ts'

/** An adapter whose store is an SQL database. */
export interface SqlAdapter extends CompleteAdapter {
  readonly migrations: Migrations
  /** Closes the connections that the adapter opened. Those that it was given stay open. */
  close(): Promise<void>
}

/**
 * The adapter for any database that Kysely has a dialect for. It accepts existing tables: ids may
 * be text, numbers or UUIDs, and members without a column are not stored.
 */
export function createSqlAdapter(
  database: OpenDatabase,
  dialect: SqlDialect,
  options: SqlAdapterOptions & { migrateFirst?: boolean },
): SqlAdapter {
  const tables = openTables(database, dialect, options)
  const channel = database.channelOf?.(tables.names.revocations)
  const upkeep = createUpkeep(tables, options.waitUntil)
  const revocations = sqlRevocations(tables, upkeep, channel?.watch)
  return {
    migrations: tables.migrations,
    async close() {
      await upkeep.stop()
      await channel?.close()
      await database.close()
    },
    ...revokeDeleted(sqlUsers(tables), revocations.log),
    ...sqlAccounts(tables),
    ...sqlLinks(tables, revocations),
    ...sqlClaims(tables),
    ...sqlLeases(tables),
    ...sqlSessions(tables, upkeep),
    ...sqlVerificationTokens(tables, upkeep),
    ...sqlAuthenticators(tables),
    async createUserWithAccount(given) {
      const created = await signUp(tables, given)
      if (created?.session) await upkeep.afterAdding('sessions')
      return created
    },
    deleteExpired: () => removeExpired(tables),
    revocations: revocations.log,
    extends: ['sessions', 'accounts', 'issuers'],
    trackedSessions: sqlTrackedSessions(tables, upkeep),
    limiter: sqlLimiter(tables, upkeep),
    passwords: sqlPasswords(tables),
  }
}
