import type { ListedSession } from '@siteauth/core/types'
import { tellProviders } from './page-event.ts'
import { readCsrfToken } from './read.ts'
import { parse, send } from './request.ts'

/** The sessions of whoever is signed in. Rejects where no proper answer comes. */
export async function readSessions(base: string): Promise<readonly ListedSession[]> {
  return (await parse(await send(base, 'sessions'))) as readonly ListedSession[] // what it answers
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
  const answer = await parse(await send(base, 'sessions/end', { method: 'POST', headers, body }))
  return (answer as { ended: boolean }).ended // what it answers
}
