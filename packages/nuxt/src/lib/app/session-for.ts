import type { Session } from '@siteauth/core/types'
import type { H3Event } from 'h3'
import { CONTEXT_KEY, type RenderedSessions } from '../rendered-sessions.ts'

/**
 * The session that a page is rendered with; undefined if the page is for everybody, or the session could not be read.
 * The module's plugin calls it: on pages, use `useSession`.
 */
export async function sessionFor(event: H3Event): Promise<Session | null | undefined> {
  const found = event.context[CONTEXT_KEY] as RenderedSessions | undefined // set by the server's plugin
  return (await found?.sessionFor(event)) as Session | null | undefined // what the application's callback returned
}
