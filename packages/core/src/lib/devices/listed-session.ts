import type { SessionDetails } from '../base/session.ts'
import { nameDevice } from './name-device.ts'

/** One of the sessions that somebody has, as the list of them shows it. */
export interface ListedSession {
  /** What it is ended by: see `sessions.end`. It signs nobody in. */
  readonly handle: string
  /** Whether it is the session of whoever asks. */
  readonly isCurrent: boolean
  /** Such as `Firefox`; null where it is not known. */
  readonly browser: string | null
  /** Such as `Windows` or `iPhone`; null where it is not known. */
  readonly system: string | null
  /** What your `session.describe` called it, or null. */
  readonly label: string | null
  /** The id of the provider that was used to sign in, or null. */
  readonly provider: string | null
  /** When it began, as an ISO date; null where it is not known. */
  readonly createdAt: string | null
  /** When it was last renewed, as an ISO date, which happens once in `session.updateAge`; or null. */
  readonly lastSeenAt: string | null
}

/** What is shown of a session. Rows may be of anybody's making. */
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
