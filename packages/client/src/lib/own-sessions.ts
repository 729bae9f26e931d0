import type { ListedSession } from '@siteauth/core/types'
import type { FindEndpoints } from './endpoints.ts'
import { tellProviders } from './page-event.ts'
import { readCsrfToken } from './read.ts'
import { request } from './request.ts'

/** The functions about somebody's sessions, for the endpoints at one place. */
export interface SessionCalls {
  readonly listSessions: () => Promise<readonly ListedSession[]>
  readonly endSession: (handle: string) => Promise<boolean>
  readonly endOtherSessions: () => Promise<boolean>
}

/** Makes them. */
export function sessionsAt(find: FindEndpoints): SessionCalls {
  return {
    listSessions: () => request(find(), 'sessions'),
    endSession: handle => endSessions(find(), { handle }),
    endOtherSessions: () => endSessions(find(), { others: true }),
  }
}

/** Ends sessions. It is not reported before the providers on this page know whether this one is left. */
async function endSessions(
  base: string,
  which: { readonly handle: string } | { readonly others: true },
): Promise<boolean> {
  const posting = post(base, which)
  // Where the answer was lost, it may have worked.
  const { waits } = tellProviders({ base, changed: posting.catch(() => true) })
  const isEnded = await posting
  await Promise.all(waits)
  return isEnded
}

async function post(base: string, which: object): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ ...which, csrfToken: await readCsrfToken(base) })
  const init = { method: 'POST', headers, body }
  return (await request<{ ended: boolean }>(base, 'sessions/end', init)).ended
}
