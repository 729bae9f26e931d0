import type { ClientSessionCalls } from '@siteauth/core/integration'
import type { FindEndpoints } from './endpoints.ts'
import { tellProviders } from './page-event.ts'
import { readCsrfToken } from './read.ts'
import { request } from './request.ts'

/** Makes the calls about the visitor's sessions, for the endpoints at one place. */
export function sessionsAt(find: FindEndpoints): ClientSessionCalls {
  return {
    list: () => request(find(), 'sessions'),
    end: handle => endSessions(find(), { handle }),
    endOthers: () => endSessions(find(), { others: true }),
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
