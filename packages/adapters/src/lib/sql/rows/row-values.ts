import type { SessionDetails } from '@siteauth/core/adapters'
import type { Row } from '../statements/statement.ts'

/** A text, also from a column of bytes. */
export function textFrom(value: unknown): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
}

/** A Date from a Date, from milliseconds, or from a text, which is in UTC unless it has a zone. */
export function dateFrom(value: unknown): Date | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value
  if (typeof value === 'number' || typeof value === 'bigint') return new Date(Number(value))
  const text = String(value)
  return new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text.replace(' ', 'T')}Z`)
}

/** The rows that have not expired by the clock of the database, which they have as `store_now`. Those of servers differ. */
export function unexpired(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ expires, store_now }) => {
    const end = dateFrom(expires)
    return end !== null && end.getTime() > Number(store_now)
  })
}

/** The details of a session. Missing and empty columns are left out. */
export function detailsFrom(row: Row): SessionDetails {
  const details: Row = {}
  for (const name of ['createdAt', 'lastSeenAt']) {
    const date = dateFrom(row[name])
    if (date) details[name] = date
  }
  for (const name of ['userAgent', 'label', 'provider']) {
    if (row[name] != null) details[name] = textFrom(row[name])
  }
  return details as SessionDetails // only members of it, each of its type
}
