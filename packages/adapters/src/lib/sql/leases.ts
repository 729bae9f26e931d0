import type { LeaseMethods } from '../adapter-methods.ts'
import { accountFrom } from './accounts.ts'
import type { SqlTables } from './open-tables.ts'
import { LEASE_COLUMNS } from './schema/tables.ts'
import type { Row } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'

export function sqlLeases(tables: SqlTables): LeaseMethods {
  const { statements, dialect, run, canContain } = tables
  return {
    async updateAccount({ provider, providerAccountId, ...changes }, held) {
      const id = [provider, providerAccountId]
      const row = held
        ? await updateHeld(tables, id, changes, held.holder)
        : await updateAndRelease(tables, id, changes)
      return row && accountFrom(row)
    },
    async leaseAccount({ provider, providerAccountId }, { holder, until, now }) {
      const id = [provider, providerAccountId]
      await requireLeaseColumns(tables)
      if (!canContain(id)) return null
      const duration = until.getTime() - now.getTime()
      const values = [holder, duration, ...keyValues('accounts', id), holder]
      const { rows, numAffectedRows } = await run(statements.accounts.lease(), values)
      const row = dialect.hasReturning
        ? rows[0]
        : numAffectedRows && (await tables.find('accounts', id))
      return row ? accountFrom(row) : null
    },
  }
}

/** Changes an account and returns it. A lease to refresh its tokens ends. */
async function updateAndRelease(
  tables: SqlTables,
  id: readonly string[],
  changes: object,
): Promise<Row | null> {
  const { columns } = await tables.shapes.of('accounts')
  if (!LEASE_COLUMNS.every(name => columns.has(name))) return tables.update('accounts', id, changes)
  const changed = await tables.encode('accounts', changes)
  if (!tables.canContain(id)) return null
  const statement = tables.statements.accounts.updateAndRelease([...changed.keys()])
  const { rows } = await tables.run(statement, [...changed.values(), ...keyValues('accounts', id)])
  return tables.dialect.hasReturning ? (rows[0] ?? null) : tables.find('accounts', id)
}

/** Changes an account and returns it, or null unless that holder has its lease. */
async function updateHeld(
  tables: SqlTables,
  id: readonly string[],
  changes: object,
  holder: string,
): Promise<Row | null> {
  await requireLeaseColumns(tables)
  const unleased = { ...changes, lease_holder: null, lease_until: null }
  const changed = await tables.encode('accounts', unleased)
  if (!tables.canContain(id)) return null
  const statement = tables.statements.accounts.updateHeld([...changed.keys()])
  const values = [...changed.values(), ...keyValues('accounts', id), holder]
  const { rows, numAffectedRows } = await tables.run(statement, values)
  if (tables.dialect.hasReturning) return rows[0] ?? null
  return numAffectedRows ? tables.find('accounts', id) : null
}

/** Throws if the columns are missing, as in tables of Auth.js and older ones of ours. */
async function requireLeaseColumns({ shapes, names }: SqlTables): Promise<void> {
  const { columns } = await shapes.of('accounts')
  if (LEASE_COLUMNS.every(name => columns.has(name))) return
  shapes.forget()
  throw new Error(
    `${names.accounts} has no columns ${LEASE_COLUMNS.join(' and ')}: add them with adapter.migrations.apply(), or with the SQL from adapter.migrations.sql()`,
  )
}
