import type { Awaitable } from '../../base/awaitable.ts'
import type { JwtParams, SessionParams } from '../../base/callbacks.ts'
import { JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../base/session.ts'
import { addExposed } from '../expose-columns.ts'
import { nextExpiry, type SessionLimits } from '../lifetime.ts'
import { listedName } from '../listed-name.ts'
import { readSessionLimits } from '../read-session-limits.ts'
import {
  type RevocationKeys,
  type RevocationStatus,
  SESSION_CLAIM,
  type SessionClaims,
} from '../revocation.ts'
import { LIMIT_READERS } from '../session-claims.ts'
import type { ActiveSession, IssuedSession, ReadOptions } from '../store.ts'
import { type JwtSessionDependencies, sessionFromToken, type TokenFacts } from './jwt-session.ts'

/** How a session is read, and whether its token is old enough to be sealed again. */
export interface RenewalOptions extends ReadOptions {
  readonly isDue: boolean
}

/** Calls the application's callback for a session that is read, and seals it again if it is due. */
export function askAndRenew(
  dependencies: JwtSessionDependencies,
  facts: TokenFacts,
  claims: JWT,
  options: RenewalOptions,
): Awaitable<ActiveSession | null> {
  return dependencies.jwt && !options.isCallbackDone
    ? askFirst(dependencies, facts, claims, options)
    : renewIfDue(dependencies, facts, claims, options)
}

async function askFirst(
  dependencies: JwtSessionDependencies,
  facts: TokenFacts,
  claims: JWT,
  options: RenewalOptions,
): Promise<ActiveSession | null> {
  const token = await callJwt(dependencies, readParams({ token: claims, session: undefined }))
  if (token === null) {
    await revokeDeclined(dependencies, facts.keys)
    return null
  }
  const isDue = options.isDue || JSON.stringify(token) !== facts.text
  return renewIfDue(dependencies, facts, token, { ...options, isDue })
}

/** Revokes a session that the `jwt` callback ended, so that no other server and no copy of its cookie continues it. */
export async function revokeDeclined(
  dependencies: JwtSessionDependencies,
  keys: RevocationKeys | undefined,
): Promise<void> {
  if (!keys) return
  const isRevoked = await dependencies.revocations?.opened?.revoke(keys)
  if (isRevoked) await removeFromTracker(dependencies, keys)
}

/**
 * Ends a token that its session would accept longer, so that it is over if sessions become longer again. Nobody who has
 * no session is kept waiting with an error for that.
 */
export async function revokeShortened(
  { revocations }: JwtSessionDependencies,
  keys: RevocationKeys,
): Promise<null> {
  await revocations?.opened?.revokeToken(keys).catch(() => {})
  return null
}

/** Takes a session that has ended off the list of its user. One that may be alive must stay, to be ended with others. */
export async function removeFromTracker(
  { openTracker }: JwtSessionDependencies,
  keys: RevocationKeys,
): Promise<void> {
  const id = listedName(keys)
  const { uid } = keys.claims
  if (id !== null && uid !== undefined) await (await openTracker?.())?.ended(uid, [id])
}

function renewIfDue(
  dependencies: JwtSessionDependencies,
  facts: TokenFacts,
  token: JWT,
  { canRenew, isDue }: RenewalOptions,
): Awaitable<ActiveSession | null> {
  const { expires, keys, text } = facts
  if (!canRenew || !isDue)
    return unrenewedSession(dependencies, token, expires, { isCurrent: !isDue })
  const before = JSON.parse(text) as JWT // sealed by us
  return keys
    ? renewUnlessRevoked(dependencies, facts, token, keys, before)
    : renewedSession(dependencies, token, undefined, before)
}

/** The store is asked first, so that no server that is behind brings a session back. */
async function renewUnlessRevoked(
  dependencies: JwtSessionDependencies,
  { issued, expires }: TokenFacts,
  token: JWT,
  keys: RevocationKeys,
  before: JWT,
): Promise<ActiveSession | null> {
  const { now, revocations } = dependencies
  const status = await revocations?.opened?.renewalStatus(keys, now() - issued)
  if (status === 'unknown') {
    return unrenewedSession(dependencies, token, expires, { isCurrent: false })
  }
  if (status === 'revoked') return null
  // The browser has another cookie by now, which must stay.
  if (status === 'replaced')
    return unrenewedSession(dependencies, token, expires, { isCurrent: true })
  const renewed = await renewedSession(dependencies, token, keys, before)
  // Writing the list takes time, in which another request of the browser may have rotated the session.
  const later = await statusAfterwards(dependencies, keys)
  if (later === 'active') return renewed
  if (later === 'revoked') return null
  const isCurrent = later === 'replaced'
  return unrenewedSession(dependencies, token, expires, { isCurrent })
}

/** The status of a session when its renewed token would be set. If the store fails by then, the next request renews it. */
function statusAfterwards(
  { revocations, openTracker }: JwtSessionDependencies,
  keys: RevocationKeys,
): Awaitable<RevocationStatus | 'unknown'> {
  return (openTracker && revocations?.opened?.renewalStatus(keys, 0)) ?? 'active'
}

/**
 * Seals claims, and answers the session that they make.
 *
 * @param before the claims as they were sealed before
 */
export async function renewedSession(
  dependencies: JwtSessionDependencies,
  token: JWT,
  keys: RevocationKeys | undefined,
  before: JWT,
  update?: { readonly changes: unknown },
): Promise<ActiveSession> {
  const isForOthers =
    !keys && !dependencies.isRevocationOff && 'gen' in Object(before[SESSION_CLAIM])
  const renewal = isForOthers
    ? await sealForOthers(dependencies, token, before)
    : await issueToken(
        dependencies,
        token,
        keys?.claims ?? remainingLimits(dependencies, before),
        before,
      )
  if (keys) await (await dependencies.openTracker?.())?.renewed(keys, renewal.expires)
  const more = update && { newSession: update.changes, trigger: 'update' }
  const expires = renewal.expires.toISOString()
  return activeSession(dependencies, token, expires, { renewal, isCurrent: true }, more)
}

/** A session whose cookie stays as it is. */
function unrenewedSession(
  dependencies: JwtSessionDependencies,
  token: JWT,
  expires: string,
  { isCurrent }: Required<Pick<ActiveSession, 'isCurrent'>>,
): ActiveSession {
  return activeSession(dependencies, token, expires, { renewal: null, isCurrent })
}

/**
 * A session with these claims.
 *
 * @param more further arguments of the `session` callback
 */
function activeSession(
  { isWatched, expose }: JwtSessionDependencies,
  token: JWT,
  expires: string,
  { renewal, isCurrent }: Required<Pick<ActiveSession, 'renewal' | 'isCurrent'>>,
  more?: object,
): ActiveSession {
  const { name, email, picture: image } = token
  const session = sessionFromToken({ name, email, image, expires })
  // The user of a session is the `sub` of its token.
  if (expose && session.user) addExposed(session.user, expose, { id: token.sub, ...token })
  // The documented type joins what the two strategies give; each gives its own half.
  const params = isWatched ? ({ session, token, ...more } as unknown as SessionParams) : null
  // Written out: on Node 20, spreading an object and adding to it takes as long as all the rest.
  return { session, params, token, renewal, isCurrent }
}

/** The limits that a token has to say; undefined if it would say nothing that counts. */
export function neededLimits(
  { lifetime }: JwtSessionDependencies,
  limits: SessionLimits,
): SessionLimits | undefined {
  // When a session began counts only if that limits it.
  const { bgn: _, ...others } = limits
  const hasOthers = Object.values(others).some(limit => limit !== undefined)
  return hasOthers || lifetime.absoluteAge !== undefined ? limits : undefined
}

/** The same for a session that is renewed. If its beginning is unknown, it counts from now on. */
function remainingLimits(
  dependencies: JwtSessionDependencies,
  before: JWT,
): SessionLimits | undefined {
  const { bgn = dependencies.now(), ...limits } = readSessionLimits(before)
  return neededLimits(dependencies, { ...limits, bgn })
}

/**
 * Seals claims as a token that is new now.
 *
 * @param before the claims as they were sealed before, of a session that is renewed
 */
export async function issueToken(
  { codec, lifetime, revocations, now }: JwtSessionDependencies,
  token: JWT,
  own: SessionClaims | SessionLimits | undefined,
  before?: JWT,
): Promise<IssuedSession> {
  const view = own && revocations && 'gen' in own ? await revocations.open() : null
  await view?.cover()
  const claims =
    view && own && 'gen' in own
      ? view.withSessionClaims(token, own)
      : withClaim(token, own ?? ownClaim(before))
  const time = now()
  const expiry = nextExpiry(time, lifetime, own)
  const isLimited = expiry < nextExpiry(time, lifetime)
  return {
    token: await codec.seal(claims, isLimited ? secondsUntil(expiry, time) : undefined),
    expires: new Date(expiry),
    ...(own?.tmp && { isTemporary: true }),
  }
}

/** Claims with ours as it should be, whatever a callback has made of it: visitors may have had a say there. */
function withClaim(token: JWT, own: unknown): JWT {
  if (own) return { ...token, [SESSION_CLAIM]: own }
  if (!ownClaim(token)) return token
  const { [SESSION_CLAIM]: _, ...claims } = token
  return claims as JWT
}

const OWN_MEMBERS = ['sid', 'gen', ...Object.keys(LIMIT_READERS)]

/** Our claim of a token, unless the application had one by that name before we did. */
function ownClaim(token: JWT | undefined): unknown {
  const claim = token?.[SESSION_CLAIM]
  return OWN_MEMBERS.some(name => name in Object(claim)) ? claim : undefined
}

function secondsUntil(expiry: number, time: number): number {
  return Math.max(Math.floor(expiry / 1000) - Math.floor(time / 1000), 1)
}

/**
 * Seals claims of a session that other servers can end, where this one would not know: with the same
 * marks, and for no longer than before. Else it could be kept alive here until they have forgotten its end.
 */
async function sealForOthers(
  { codec, lifetime, now }: JwtSessionDependencies,
  token: JWT,
  before: JWT,
): Promise<IssuedSession> {
  const time = now()
  const claims = { uid: before.sub, ...Object(before[SESSION_CLAIM]) }
  const { bgn, ...limits } = readSessionLimits(before)
  const latest = nextExpiry(time, lifetime, { ...limits, bgn })
  const expiry = Math.min(latest, before.exp === undefined ? latest : before.exp * 1000)
  const sealed = { ...token, [SESSION_CLAIM]: { ...claims, bgn } }
  return {
    token: await codec.seal(sealed, secondsUntil(expiry, time)),
    expires: new Date(expiry),
    ...(limits.tmp && { isTemporary: true }),
  }
}

/** The result of the application's callback for a token; null if it ends the session. */
export async function callJwt(
  { jwt }: JwtSessionDependencies,
  params: JwtParams,
): Promise<JWT | null> {
  if (!jwt) return params.token
  const token = await jwt(params)
  if (token === undefined) {
    throw new JWTSessionError(
      'The jwt callback returned nothing. Return the token, or null to end the session.',
    )
  }
  return token
}

/** A sign-in has a user to pass; reading a session does not, as documented. */
export function readParams(params: Pick<JwtParams, 'token' | 'trigger' | 'session'>): JwtParams {
  return params as JwtParams
}
