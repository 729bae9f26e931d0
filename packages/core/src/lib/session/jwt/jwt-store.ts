import type { JwtParams } from '../../base/callbacks.ts'
import { JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../base/session.ts'
import { addExposed } from '../expose-columns.ts'
import type { Terms } from '../lifetime.ts'
import { MARKS_CLAIM } from '../revocation.ts'
import type {
  ActiveSession,
  NewSession,
  ProvenIdentity,
  RotatedSession,
  SessionStore,
} from '../store.ts'
import { termsOf } from '../token-terms.ts'
import { identifyJwt } from './identify-jwt.ts'
import { createJwtList } from './jwt-list.ts'
import type { JwtReader } from './jwt-reader.ts'
import {
  callJwt,
  endDeclined,
  issueToken,
  neededTerms,
  readParams,
  removeFromTracker,
  renewedSession,
} from './jwt-renewal.ts'
import type { JwtSessionParts } from './jwt-session.ts'

/** Sessions that live in an encrypted cookie, and nowhere else. */
export function createJwtStore(reader: JwtReader): SessionStore {
  const { parts, read } = reader
  return {
    remembers: parts.memory !== null,
    needsStoredUser: false,
    draft: () => null,
    issue: identity => issueJwt(parts, identity),
    read,
    update: (token, changes) => updateJwt(reader, token, changes),
    identify: (token, options) => identifyJwt(reader, token, options),
    sessionIdOf: token => findSessionId(reader, token),
    userIdOf: token => findUserId(reader, token),
    revoke: token => revokeJwt(reader, token),
    endReplaced: token => endReplacedJwt(reader, token),
    rotate: token => rotateJwt(reader, token),
    termsOf: token => readLimits(reader, token),
    own: createJwtList(parts.endings, parts.openTracker),
  }
}

/** The claims of a token that has not expired, without calling the application. */
async function openToken({ parts, isValid }: JwtReader, token: string): Promise<JWT | null> {
  const opened = await parts.codec.open(token, parts.now())
  if (typeof opened === 'string') return null
  const claims = opened.claims as JWT // sealed by us
  return isValid(claims) ? claims : null
}

async function issueJwt(
  parts: JwtSessionParts,
  identity: ProvenIdentity,
): Promise<NewSession | null> {
  // First: a revocation from now on must revoke this session, too.
  const ends = await parts.endings?.open()
  const marks = await ends?.begin(identity.user.id)
  const limits = { ...identity.terms, bgn: identity.terms?.bgn ?? parts.now() }
  const own = marks ? { ...marks, ...limits } : neededTerms(parts, limits)
  const token = await callJwt(parts, signInParams(identity, parts.expose))
  const issued = token && (await issueToken(parts, token, own))
  if (issued && own && parts.codec.isOwn) await checkClaims(parts, issued.token)
  if (issued && marks && ends) {
    const begun = ends.marksOf(ends.mark(token, { ...marks, ...limits }))
    await (await parts.openTracker?.())?.begun(begun, issued.expires, identity.details)
  }
  return issued && { ...issued, userId: (marks ? marks.uid : token.sub) ?? null }
}

/** A session that lost our claims could not be revoked, or would be rejected with those that were. */
async function checkClaims({ codec, now }: JwtSessionParts, token: string): Promise<void> {
  const opened = await codec.open(token, now())
  if (typeof opened === 'string' || opened.claims[MARKS_CLAIM]) return
  throw new JWTSessionError(
    `jwt.encode and jwt.decode must keep the claim "${MARKS_CLAIM}", which is used to end sessions. Keep it, or leave out session.absoluteAge and set session.revocation to false.`,
  )
}

async function updateJwt(
  reader: JwtReader,
  token: string,
  changes: unknown,
): Promise<ActiveSession | null> {
  const { parts, read } = reader
  const claims = await openToken(reader, token)
  if (!claims) return read(token, { canRenew: false }) // reports why
  const ends = await parts.endings?.open()
  const marks = ends?.marksOf(claims)
  const status = marks && (await ends?.standing(marks))
  if (status === 'ended') return null
  // Another cookie has taken its place, which cannot be changed here.
  if (status === 'replaced') return read(token, { canRenew: false })
  const params = readParams({ token: claims, trigger: 'update', session: changes })
  const changed = await callJwt(parts, params)
  // The callback may have taken long: a session that was replaced meanwhile must not set its cookie.
  const isStillActive = !parts.jwt || !marks || (await ends?.standing(marks)) === 'alive'
  if (!isStillActive) return read(token, { canRenew: false })
  if (changed) return renewedSession(parts, changed, marks, claims, { changes })
  await endDeclined(parts, marks)
  return null
}

async function findSessionId(reader: JwtReader, token: string): Promise<string | null> {
  const ends = await reader.parts.endings?.open()
  const claims = ends && (await openToken(reader, token))
  return claims ? (ends.marksOf(claims).session?.text ?? null) : null
}

async function findUserId(reader: JwtReader, token: string): Promise<string | null> {
  const { parts } = reader
  const claims = await openToken(reader, token)
  const ends = await parts.endings?.open()
  if (!claims || !ends) return claims?.sub ?? null
  const marks = ends.marksOf(claims)
  const isRevoked = await ends.isEnded(marks, parts.now(), false)
  return isRevoked ? null : (marks.claims.uid ?? null)
}

async function revokeJwt(
  reader: JwtReader,
  token: string,
): Promise<{ readonly token: JWT | null }> {
  const claims = await openToken(reader, token)
  const ends = claims && (await reader.parts.endings?.open())
  if (ends) {
    const marks = ends.marksOf(claims)
    if (await ends.end(marks)) await removeFromTracker(reader.parts, marks)
  }
  return { token: claims }
}

async function endReplacedJwt(reader: JwtReader, token: string): Promise<void> {
  const ends = await reader.parts.endings?.open()
  const claims = ends && (await openToken(reader, token))
  const marks = claims && ends.marksOf(claims)
  if (!marks) return
  // A session that was replaced before ends with its successors.
  const isEnded = (await ends.replace(marks)) || (await ends.end(marks))
  if (isEnded) await removeFromTracker(reader.parts, marks)
}

async function rotateJwt(reader: JwtReader, token: string): Promise<RotatedSession | null> {
  const { parts } = reader
  const claims = await openToken(reader, token)
  if (!claims) return null
  const ends = await parts.endings?.open()
  const marks = ends?.marksOf(claims)
  if (!ends || !marks) return (await renewedSession(parts, claims, undefined, claims)).renewal
  const rotated = await ends.rotate(marks)
  if (!rotated) return null
  const issued = await issueToken(parts, claims, rotated.claims)
  await (await parts.openTracker?.())?.renewed(marks, issued.expires)
  return { ...issued, failure: rotated.failure }
}

async function readLimits(reader: JwtReader, token: string): Promise<Terms> {
  const claims = await openToken(reader, token)
  return claims ? termsOf(claims) : {}
}

function signInParams(identity: ProvenIdentity, expose: readonly string[] | undefined): JwtParams {
  const { user, account, profile, isNewUser, isEmailProven } = identity
  const { name, email, image, id } = user
  // Members that are undefined vanish when the token is sealed.
  const token = { name, email, picture: image, sub: id } as JWT
  // Sessions read the exposed columns from the token.
  addExposed(
    token,
    expose?.filter(column => !CLAIMS_WITH_A_MEANING.has(column)),
    user,
  )
  return {
    token,
    user,
    account,
    ...(profile && { profile }),
    isNewUser: isNewUser as boolean, // undefined if there is no adapter; the key is always there
    trigger: isNewUser ? 'signUp' : 'signIn',
    ...(isEmailProven !== undefined && { isEmailProven }),
  }
}

/** A column that happens to have one of these names has another meaning. */
const CLAIMS_WITH_A_MEANING: ReadonlySet<string> = new Set(
  'id image iss sub aud exp nbf iat jti'.split(' '),
)
