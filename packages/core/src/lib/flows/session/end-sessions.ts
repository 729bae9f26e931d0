import { equalInConstantTime } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type Outgoing, type OutgoingJson, redirect } from '../../http/response.ts'
import type { StoredSession } from '../../session/session-list.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { signOut } from '../sign-out/sign-out.ts'
import { findOwnSession, handleOf, MAX_LISTED } from './own-session.ts'

/** The result of ending sessions. */
export interface EndedSessionsResponse extends OutgoingJson {
  readonly body: {
    /** False if there is no such session, or the visitor is not signed in. */
    readonly ended: boolean
  }
}

/** `POST sessions/end`: one, by its `handle`, or all `others`. */
export async function endSessions(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { handle, others } = request.body
  const isAll = others === true || others === 'true'
  const response = isAll
    ? await endOtherSessions(config, request)
    : await endSession(config, request, handle)
  // A form leads somewhere. A script wants to know.
  const isForm = request.headers.get('accept')?.includes('text/html')
  return isForm ? redirect(await chooseReturn(config, request), response.cookies) : response
}

/** Ends one session of the user who is signed in. Another user's session is treated like one that does not exist. */
export async function endSession(
  config: ResolvedConfig,
  request: Incoming,
  handle: unknown,
): Promise<EndedSessionsResponse> {
  const found = typeof handle === 'string' ? await findOwnSession(config, request) : null
  if (!found || typeof handle !== 'string') return ended(false)
  const { own, session: current } = found
  const isMeant = async (session: StoredSession) =>
    equalInConstantTime(await handleOf(config, session), handle)
  if (await isMeant(own))
    return { ...ended(true), cookies: (await signOut(config, request)).cookies }
  for (const session of await current.list(own, MAX_LISTED)) {
    if (!(await isMeant(session))) continue
    await current.end(own, session)
    return ended(true)
  }
  return ended(false)
}

/** Ends all sessions of the user who is signed in, except the current one. */
export async function endOtherSessions(
  config: ResolvedConfig,
  request: Incoming,
): Promise<EndedSessionsResponse> {
  const found = await findOwnSession(config, request)
  await found?.session.endOthers(found.own)
  return ended(found !== null)
}

function ended(isEnded: boolean): EndedSessionsResponse {
  return { kind: 'json', status: 200, body: { ended: isEnded }, cookies: [] }
}
