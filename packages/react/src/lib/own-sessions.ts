import type { ListedSession } from '@siteauth/core/types'
import { tellProviders } from './page-event.ts'
import { readCsrfToken } from './read.ts'
import { request } from './request.ts'

/** The sessions of whoever is signed in. Rejects where no proper answer comes. */
export function readSessions(base: string): Promise<readonly ListedSession[]> {
  return request(base, 'sessions')
}

/** Ends sessions. It is not reported before the providers on this page know whether this one is left. */
export async function endSessions(
  base: string,
  which: { readonly handle: string } | { readonly others: true },
): Promise<boolean> {
  const posting = post(base, which)
  const { waits } = tellProviders({ base, changed: posting.catch(() => false) })
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
