import type { SessionDetails } from '../base/session.ts'
import { nameDevice } from './name-device.ts'

/** One of a user's sessions, as the list of them shows it. */
export interface ListedSession {
  /** The handle to end it with: see `sessions.end`. It cannot be used to sign in. */
  readonly handle: string
  /** Whether it is the session of this request. */
  readonly isCurrent: boolean
  /** Such as `Firefox`; null if unknown. */
  readonly browser: string | null
  /** Such as `Windows` or `iPhone`; null if unknown. */
  readonly system: string | null
  /** The label from your `session.describe`, or null. */
  readonly label: string | null
  /** The id of the provider that was used to sign in, or null. */
  readonly provider: string | null
  /** When it began, as an ISO date; null if unknown. */
  readonly createdAt: string | null
  /** When it was last renewed, as an ISO date, which happens once in `session.updateAge`; or null. */
  readonly lastSeenAt: string | null
}

/** The session as it is shown. Anyone may have written the row. */
export function listedSession(
  handle: string,
  isCurrent: boolean,
  details: SessionDetails,
): ListedSession {
  const { userAgent, label, provider, createdAt, lastSeenAt } = details
  return {
    handle,
    isCurrent,
    ...nameDevice(userAgent),
    label: label || null,
    provider: provider || null,
    createdAt: isoOf(createdAt),
    lastSeenAt: isoOf(lastSeenAt),
  }
}

function isoOf(date: Date | null | undefined): string | null {
  const time = new Date(date ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
