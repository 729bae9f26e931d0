import type { Adapter } from '../base/adapter.ts'

/** Whether the rows of sessions have columns for what is known of them. */
export function takesDetails(adapter: Adapter | undefined): boolean {
  return takesMore(adapter, 'sessions')
}

/** Whether a table takes more than the contract has. */
export function takesMore(
  adapter: Adapter | undefined,
  table: NonNullable<Adapter['extends']>[number],
): boolean {
  const tables: unknown = adapter?.extends
  return Array.isArray(tables) && tables.includes(table)
}
