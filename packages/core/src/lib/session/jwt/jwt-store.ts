import type { JwtParams } from '../../base/callbacks.ts'
import { JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../base/session.ts'
import { addExposed } from '../expose-columns.ts'
import type { SessionLimits } from '../lifetime.ts'
import { readSessionLimits } from '../read-session-limits.ts'
import { SESSION_CLAIM } from '../revocation.ts'
import {
  type ActiveSession,
  GRACE,
  type NewSession,
  type ProvenIdentity,
  type RotatedSession,
  type SessionStore,
} from '../store.ts'
import { identifyJwt } from './identify-jwt.ts'
import { createJwtList } from './jwt-list.ts'
import type { JwtReader } from './jwt-reader.ts'
import {
  callJwt,
  issueToken,
  neededLimits,
  readParams,
  removeFromTracker,
  renewedSession,
  revokeDeclined,
} from './jwt-renewal.ts'
import type { JwtSessionDependencies } from './jwt-session.ts'

/** Sessions that live in an encrypted cookie, and nowhere else. */
export function createJwtStore(reader: JwtReader): SessionStore {
  const { dependencies, read } = reader
  return {
    remembers: dependencies.memory !== null,
    needsStoredUser: false,
    draft: () => null,
    issue: identity => issueJwt(dependencies, identity),
    read,
    update: (token, changes) => updateJwt(reader, token, changes),
    identify: (token, options) => identifyJwt(reader, token, options),
    sessionIdOf: token => findSessionId(reader, token),
    userIdOf: token => findUserId(reader, token),
    revoke: token => revokeJwt(reader, token),
    endReplaced: token => endReplacedJwt(reader, token),
    rotate: token => rotateJwt(reader, token),
    getLimits: token => readLimits(reader, token),
    own: createJwtList(dependencies.revocations, dependencies.openTracker),
  }
}

/** The claims of a token that has not expired, without calling the application. */
async function openToken({ dependencies, isValid }: JwtReader, token: string): Promise<JWT | null> {
  const opened = await dependencies.codec.open(token, dependencies.now())
  if (typeof opened === 'string') return null
  const claims = opened.claims as JWT // sealed by us
  return isValid(claims) ? claims : null
}

async function issueJwt(
  dependencies: JwtSessionDependencies,
  identity: ProvenIdentity,
): Promise<NewSession | null> {
  // First: a revocation from now on must revoke this session, too.
  const view = await dependencies.revocations?.open()
  const claims = await view?.begin(identity.user.id)
  const limits = { ...identity.limits, bgn: identity.limits?.bgn ?? dependencies.now() }
  const own = claims ? { ...claims, ...limits } : neededLimits(dependencies, limits)
  const token = await callJwt(dependencies, signInParams(identity, dependencies.expose))
  const issued = token && (await issueToken(dependencies, token, own))
  if (issued && own && dependencies.codec.isOwn) await checkClaims(dependencies, issued.token)
  if (issued && claims && view) {
    const begun = view.keysOf(view.withSessionClaims(token, { ...claims, ...limits }))
    await (await dependencies.openTracker?.())?.begun(begun, issued.expires, identity.details)
  }
  return issued && { ...issued, userId: (claims ? claims.uid : token.sub) ?? null }
}

/** A session that lost our claims could not be revoked, or would be rejected with those that were. */
async function checkClaims({ codec, now }: JwtSessionDependencies, token: string): Promise<void> {
  const opened = await codec.open(token, now())
  if (typeof opened === 'string' || opened.claims[SESSION_CLAIM]) return
  throw new JWTSessionError(
    `jwt.encode and jwt.decode must keep the claim "${SESSION_CLAIM}", which is used to end sessions. Keep it, or leave out session.absoluteAge and set session.revocation to false.`,
  )
}

async function updateJwt(
  reader: JwtReader,
  token: string,
  changes: unknown,
): Promise<ActiveSession | null> {
  const { dependencies, read } = reader
  const claims = await openToken(reader, token)
  if (!claims) return read(token, { canRenew: false }) // reports why
  const view = await dependencies.revocations?.open()
  const keys = view?.keysOf(claims)
  const status = keys && (await view?.readStatus(keys))
  if (status === 'revoked') return null
  // Another cookie has taken its place, which cannot be changed here.
  if (status === 'replaced') return read(token, { canRenew: false })
  // The callback may change the claims that it is given, by what the visitor sends.
  const before = JSON.parse(JSON.stringify(claims)) as JWT // sealed by us
  const params = readParams({ token: claims, trigger: 'update', session: changes })
  const changed = await callJwt(dependencies, params)
  // The callback and the list may take long: a session that was replaced meanwhile must not set its cookie.
  const isActive = async () => !keys || (await view?.readStatus(keys)) === 'active'
  if (dependencies.jwt && !(await isActive())) return read(token, { canRenew: false })
  if (changed) {
    const renewed = await renewedSession(dependencies, changed, keys, before, { changes })
    return !dependencies.openTracker || (await isActive())
      ? renewed
      : read(token, { canRenew: false })
  }
  await revokeDeclined(dependencies, keys)
  return null
}

async function findSessionId(reader: JwtReader, token: string): Promise<string | null> {
  const view = await reader.dependencies.revocations?.open()
  const claims = view && (await openToken(reader, token))
  return claims ? (view.keysOf(claims).session?.text ?? null) : null
}

async function findUserId(reader: JwtReader, token: string): Promise<string | null> {
  const { dependencies } = reader
  const claims = await openToken(reader, token)
  const view = await dependencies.revocations?.open()
  if (!claims || !view) return claims?.sub ?? null
  const keys = view.keysOf(claims)
  const isRevoked = await view.isRevoked(keys, dependencies.now(), false)
  return isRevoked ? null : (keys.claims.uid ?? null)
}

async function revokeJwt(
  reader: JwtReader,
  token: string,
): Promise<{ readonly token: JWT | null }> {
  const claims = await openToken(reader, token)
  const view = claims && (await reader.dependencies.revocations?.open())
  if (view) {
    const keys = view.keysOf(claims)
    if (await view.revoke(keys)) await removeFromTracker(reader.dependencies, keys)
  }
  return { token: claims }
}

/** How long a replaced session stays in the list, hidden: as long as it can be read, and more if clocks differ. */
const LISTED_FOR = 4 * GRACE

async function endReplacedJwt(reader: JwtReader, token: string): Promise<void> {
  const view = await reader.dependencies.revocations?.open()
  const claims = view && (await openToken(reader, token))
  const keys = claims && view.keysOf(claims)
  if (!keys) return
  const replacedAt = await view.replace(keys)
  // A session that was replaced before ends with its successors.
  if (replacedAt !== null) {
    // Until it has ended, it can be ended with others. The list goes by the clock of the store.
    const end = new Date(replacedAt + LISTED_FOR)
    await (await reader.dependencies.openTracker?.())?.renewed(keys, end)
  } else if (await view.revoke(keys)) await removeFromTracker(reader.dependencies, keys)
}

async function rotateJwt(reader: JwtReader, token: string): Promise<RotatedSession | null> {
  const { dependencies } = reader
  const claims = await openToken(reader, token)
  if (!claims) return null
  const view = await dependencies.revocations?.open()
  const keys = view?.keysOf(claims)
  if (!view || !keys) return (await renewedSession(dependencies, claims, undefined, claims)).renewal
  const rotated = await view.rotate(keys)
  if (!rotated) return null
  const issued = await issueToken(dependencies, claims, rotated.claims)
  await (await dependencies.openTracker?.())?.renewed(keys, issued.expires)
  return { ...issued, failure: rotated.failure }
}

async function readLimits(reader: JwtReader, token: string): Promise<SessionLimits> {
  const claims = await openToken(reader, token)
  return claims ? readSessionLimits(claims) : {}
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
