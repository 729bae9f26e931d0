import type { JwtParams } from '../../base/callbacks.ts'
import { JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../base/model.ts'
import { addExposed } from '../expose-columns.ts'
import { listedName } from '../listed-name.ts'
import { MARKS_CLAIM, type Marks } from '../revocation.ts'
import type { ProvenIdentity, SessionStore } from '../store.ts'
import { termsOf } from '../token-terms.ts'
import { createJwtList } from './jwt-list.ts'
import type { JwtReader } from './jwt-reader.ts'
import { callJwt, issueToken, neededTerms, readParams, renewedSession } from './jwt-renewal.ts'

/** Sessions that live in an encrypted cookie, and nowhere else. */
export function createJwtStore({ parts, isValid, read }: JwtReader): SessionStore {
  const { endings, openTracker } = parts

  /** The claims of a token that has not expired, without asking the application. */
  async function open(token: string): Promise<JWT | null> {
    const opened = await parts.codec.open(token, parts.now())
    if (typeof opened === 'string') return null
    const claims = opened.claims as JWT // sealed by us
    return isValid(claims) ? claims : null
  }

  async function end(claims: JWT): Promise<void> {
    const ends = await endings?.open()
    const marks = ends?.marksOf(claims)
    if (!ends || !marks) return
    await ends.end(marks)
    await unlist(marks)
  }

  async function unlist(marks: Marks): Promise<void> {
    const id = listedName(marks)
    const { uid } = marks.claims
    if (id !== null && uid !== undefined) await (await openTracker?.())?.ended({ id, userId: uid })
  }

  /** A session that lost its marks could not be ended, or would stay out with those that were. */
  async function checkMarks(token: string): Promise<void> {
    const opened = await parts.codec.open(token, parts.now())
    if (typeof opened === 'string' || opened.claims[MARKS_CLAIM]) return
    throw new JWTSessionError(
      `jwt.encode and jwt.decode must keep the claim "${MARKS_CLAIM}", which is used to end sessions. Keep it, or leave out session.absoluteAge and set session.revocation to false.`,
    )
  }

  return {
    remembers: parts.memory !== null,
    needsStoredUser: false,
    draft: () => null,
    async issue(identity) {
      // First: what is ended from now on must end this session, too.
      const ends = await endings?.open()
      const marks = await ends?.begin(identity.user.id)
      const terms = { ...identity.terms, bgn: identity.terms?.bgn ?? parts.now() }
      const own = marks ? { ...marks, ...terms } : neededTerms(parts, terms)
      const token = await callJwt(parts, signInParams(identity, parts.expose))
      const issued = token && (await issueToken(parts, token, own))
      if (issued && own && parts.codec.isOwn) await checkMarks(issued.token)
      if (issued && marks && ends) {
        const begun = ends.marksOf(ends.mark(token, { ...marks, ...terms }))
        await (await openTracker?.())?.begun(begun, issued.expires, identity.details)
      }
      return issued
    },
    read,
    async update(token, changes) {
      const claims = await open(token)
      if (!claims) return read(token, { canRenew: false }) // tells why
      const ends = await endings?.open()
      const marks = ends?.marksOf(claims)
      const standing = marks && (await ends?.standing(marks))
      if (standing === 'ended') return null
      // Another cookie has taken its place, which nothing here can change.
      if (standing === 'replaced') return read(token, { canRenew: false })
      const params = readParams({ token: claims, trigger: 'update', session: changes })
      const changed = await callJwt(parts, params)
      // The callback may have taken long: what was replaced meanwhile must not set its cookie.
      const isStill = !parts.jwt || !marks || (await ends?.standing(marks)) === 'alive'
      if (!isStill) return read(token, { canRenew: false })
      return changed && renewedSession(parts, changed, marks, claims, { changes })
    },
    async userIdOf(token, how) {
      const claims = await open(token)
      const ends = await endings?.open()
      if (!claims || !ends) return claims?.sub ?? null
      const marks = ends.marksOf(claims)
      const isEnded = how?.asksStore
        ? (await ends.standing(marks)) !== 'alive'
        : await ends.isEnded(marks, parts.now(), false)
      return isEnded ? null : (marks.claims.uid ?? null)
    },
    async revoke(token) {
      const claims = await open(token)
      if (claims) await end(claims)
      return { token: claims }
    },
    async endReplaced(token) {
      const ends = await endings?.open()
      const claims = ends && (await open(token))
      const marks = claims && ends.marksOf(claims)
      if (!marks) return
      // Of one that was replaced before, what came of it ends.
      if (!(await ends.replace(marks))) await ends.end(marks)
      await unlist(marks)
    },
    async rotate(token) {
      const claims = await open(token)
      if (!claims) return null
      const ends = await endings?.open()
      const marks = ends?.marksOf(claims)
      if (!ends || !marks) return (await renewedSession(parts, claims, undefined, claims)).renewal
      const rotated = await ends.rotate(marks)
      if (!rotated) return null
      const issued = await issueToken(parts, claims, rotated)
      await (await openTracker?.())?.renewed(marks, issued.expires)
      return issued
    },
    async termsOf(token) {
      const claims = await open(token)
      return claims ? termsOf(claims) : {}
    },
    own: createJwtList(open, endings, openTracker),
  }
}

function signInParams(identity: ProvenIdentity, expose: readonly string[] | undefined): JwtParams {
  const { user, account, profile, isNewUser, isEmailProven } = identity
  const { name, email, image, id } = user
  // Members that are undefined vanish when the token is sealed.
  const token = { name, email, picture: image, sub: id } as JWT
  // What is to be seen of the user is read from the token, so it has to be there.
  addExposed(
    token,
    expose?.filter(each => !CLAIMS_WITH_A_MEANING.has(each)),
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

/** A column that happens to have the name of one of these says something else. */
const CLAIMS_WITH_A_MEANING: ReadonlySet<string> = new Set(
  'id image iss sub aud exp nbf iat jti'.split(' '),
)
