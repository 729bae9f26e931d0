import type { AdapterUser, SessionCondition } from '../base/adapter.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { otherTokens } from '../http/duplicate-session-cookies.ts'
import type { IdentifiedSession, NoSession } from '../session/store.ts'
import { applySessionCallback } from './check-session.ts'
import {
  type CredentialsState,
  type ReceivedSession,
  receivedSession,
  stateOf,
  type WithCredentials,
} from './credentials-state.ts'
import type { Principal, PrincipalAbsence, UserPrincipal } from './principal.ts'
import { isBoundSession } from './session-binding.ts'
import { asSessionError } from './session-error.ts'

/**
 * Decides who sent a request, for everything that has an effect or returns what belongs to a user. The store is
 * queried, even if session checks may not do so for a while, and both callbacks are called, since the application may
 * end a session or hide it. Throws if the store does not respond: the user is then unknown, not absent.
 */
export async function getPrincipal(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<Principal> {
  const state = stateOf(request)
  state.principal ??= findPrincipal(config, state)
  return state.principal
}

/** The user who sent a request, or null. */
export async function getUserPrincipal(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<UserPrincipal | null> {
  const principal = await getPrincipal(config, request)
  return principal.kind === 'user' ? principal : null
}

/**
 * The stored user who sent a request. Null if there is none, or if it is contested whose request this is: accounts of the
 * browser's owner would be added to the user of an attacker.
 */
export async function getStoredUser(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<AdapterUser | null> {
  const { adapter } = config
  if (!adapter?.getUser) return null
  const principal = await getUserPrincipal(config, request)
  return principal && !principal.isContested ? adapter.getUser(principal.userId) : null
}

/**
 * Why the session of a request is no longer valid, as the store knows it now; null if it is. The callbacks were called when
 * the principal was found.
 */
export async function findAbsence(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<PrincipalAbsence | null> {
  const identified = await identifyAgain(config, request)
  return identified ? (identified.absence ?? null) : 'no_credential'
}

/** Whether a user whom {@link getPrincipal} found is still stored, and signed in with the request. */
export async function isStillSignedIn(
  config: ResolvedConfig,
  request: WithCredentials,
  user: Pick<AdapterUser, 'id'> | null,
): Promise<boolean> {
  return (await findSessionCondition(config, request, user)) !== null
}

/** How a store can check that the user is still signed in with the request. Null if the user is not any more. */
export async function findSessionCondition(
  config: ResolvedConfig,
  request: WithCredentials,
  user: Pick<AdapterUser, 'id'> | null,
): Promise<SessionCondition | null> {
  const identified = user && (await identifyAgain(config, request))
  if (!identified || !isIdentified(identified)) return null
  return (await config.adapter?.getUser?.(String(user.id))) ? identified.condition : null
}

/** The session of a request, as the store knows it now; null without a cookie. The callbacks were called before. */
async function identifyAgain(
  config: ResolvedConfig,
  request: WithCredentials,
): Promise<IdentifiedSession | NoSession | null> {
  const state = stateOf(request)
  try {
    const received = await receivedSession(state)
    const options = { canRenew: false, isCallbackDone: true }
    return received && (await state.sessions.identify(received.token, options))
  } catch (error) {
    throw asSessionError(config, error)
  }
}

async function findPrincipal(config: ResolvedConfig, state: CredentialsState): Promise<Principal> {
  try {
    const received = await receivedSession(state)
    if (!received) return none('no_credential')
    const { canSetCookies: canRenew } = state
    const identified = await state.sessions.identify(received.token, { canRenew })
    if (isIdentified(identified)) return toPrincipal(config, state, received, identified)
    return (await findOther(config, state, received)) ?? none(identified.absence)
  } catch (error) {
    throw asSessionError(config, error)
  }
}

/**
 * The principal of another cookie, as a session read finds it, if the first is of nobody, also to a read: that one may have
 * been planted, or this one.
 */
async function findOther(
  config: ResolvedConfig,
  state: CredentialsState,
  first: ReceivedSession,
): Promise<Principal | null> {
  const others = otherTokens(state.header, state.cookie.name, first.token)
  if (others.length === 0 || (await state.sessions.read(first.token, { canRenew: false })))
    return null
  for (const token of others) {
    const identified = await state.sessions.identify(token, { canRenew: false })
    if (!isIdentified(identified)) continue
    const received = { ...first, token, isContested: true }
    state.received = Promise.resolve(received)
    return toPrincipal(config, state, received, identified)
  }
  return null
}

async function toPrincipal(
  config: ResolvedConfig,
  state: CredentialsState,
  received: ReceivedSession,
  identified: IdentifiedSession,
): Promise<Principal> {
  const shown = await applySessionCallback(config, identified.active)
  state.shown = shown
  state.renewal = identified.active.renewal ?? undefined
  if (!shown) return none('hidden')
  const { userId } = identified
  return userId === null ? none('no_user') : toUser(config, state, received, identified, userId)
}

function toUser(
  { strategy, audience }: ResolvedConfig,
  state: CredentialsState,
  { token, isContested }: ReceivedSession,
  { limits, listed }: IdentifiedSession,
  id: string,
): UserPrincipal {
  const { list, end, endOthers } = state.sessions.own
  const userId = String(id)
  const isBound = () => isBoundSession(state, token)
  return {
    kind: 'user',
    userId,
    strategy,
    audience,
    credentials: [{ kind: 'sign-in', at: limits.bgn }],
    session: { cacheKey: token, isBound, listed, list, end, endOthers },
    isContested,
  }
}

function isIdentified(identified: IdentifiedSession | NoSession): identified is IdentifiedSession {
  return identified.absence === undefined
}

function none(reason: PrincipalAbsence): Principal {
  return { kind: 'none', reason }
}
