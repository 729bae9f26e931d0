import { equalInConstantTime, primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type ListedSession, listedSession } from '../../devices/listed-session.ts'
import { sessionHandle } from '../../devices/session-handle.ts'
import { type JsonAnswer, json, type Outgoing, redirect } from '../../http/response.ts'
import { getUserPrincipal } from '../../principal/get-principal.ts'
import type { PrincipalSession } from '../../principal/principal.ts'
import type { OwnSession, StoredSession } from '../../session/session-list.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { signOut } from '../sign-out/sign-out.ts'

/** How many sessions are listed. Those that were seen longer ago are ended with all others. */
const MOST_LISTED = 100

/** What became of a wish to end sessions. */
export interface EndedAnswer extends JsonAnswer {
  readonly body: {
    /** False where there is no such session, or nobody is signed in. */
    readonly ended: boolean
  }
}

/** `GET sessions` */
export async function answerSessions(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  return json(await listSessions(config, request))
}

/** `POST sessions/end`: one, by its `handle`, or all `others`. */
export async function endSessions(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { handle, others } = request.body
  const isAll = others === true || others === 'true'
  const answer = isAll
    ? await endOtherSessions(config, request)
    : await endSession(config, request, handle)
  // A form leads somewhere. A script wants to know.
  const isForm = request.headers.get('accept')?.includes('text/html')
  return isForm ? redirect(await chooseReturn(config, request), answer.cookies) : answer
}

/** The sessions of whoever is signed in, the latest seen first. Empty where nobody is. */
export async function listSessions(
  config: ResolvedConfig,
  request: Incoming,
): Promise<readonly ListedSession[]> {
  const found = await findOwnSession(config, request)
  if (!found) return []
  const { own, session: current } = found
  const stored = await current.list(own, MOST_LISTED)
  const isListed = stored.some(({ id }) => id === own.id)
  // It may not be kept, if it began before any were; and nobody should miss the one they use.
  const userAgent = request.headers.get('user-agent') ?? ''
  const all: readonly StoredSession[] = isListed ? stored : [{ userAgent, ...own }, ...stored]
  return Promise.all(
    all.map(async session =>
      listedSession(await handleOf(config, session), session.id === own.id, session),
    ),
  )
}

/** Ends one session of whoever is signed in. One of somebody else is as unknown as one that is not there. */
export async function endSession(
  config: ResolvedConfig,
  request: Incoming,
  handle: unknown,
): Promise<EndedAnswer> {
  const found = typeof handle === 'string' ? await findOwnSession(config, request) : null
  if (!found || typeof handle !== 'string') return ended(false)
  const { own, session: current } = found
  const isMeant = async (session: StoredSession) =>
    equalInConstantTime(await handleOf(config, session), handle)
  if (await isMeant(own))
    return { ...ended(true), cookies: (await signOut(config, request)).cookies }
  for (const session of await current.list(own, MOST_LISTED)) {
    if (!(await isMeant(session))) continue
    await current.end(own, session.id)
    return ended(true)
  }
  return ended(false)
}

/** Ends all sessions of whoever is signed in but the one that they use. */
export async function endOtherSessions(
  config: ResolvedConfig,
  request: Incoming,
): Promise<EndedAnswer> {
  const found = await findOwnSession(config, request)
  await found?.session.endOthers(found.own)
  return ended(found !== null)
}

/** The session of the user who sent the request, with the name that the list has for it. */
async function findOwnSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly own: OwnSession; readonly session: PrincipalSession } | null> {
  const principal = await getUserPrincipal(config, request)
  const own = principal && (await principal.session.listed())
  return own && principal && { own, session: principal.session }
}

function handleOf({ secrets }: ResolvedConfig, { id }: StoredSession): Promise<string> {
  return sessionHandle(primitives, secrets[0] ?? '', id)
}

function ended(isEnded: boolean): EndedAnswer {
  return { kind: 'json', status: 200, body: { ended: isEnded }, cookies: [] }
}
