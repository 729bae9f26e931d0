import type { JWT } from '../../base/session.ts'
import { toBase64Url, utf8 } from '../../crypto/encoding.ts'
import type { ProviderSessionKeys } from '../../session/lifetime.ts'
import { readSessionLimits } from '../../session/read-session-limits.ts'
import {
  type RevocationKey,
  type RevocationKeys,
  SESSION_CLAIM,
  type SessionClaims,
} from '../../session/revocation.ts'
import type { AllSessionLimits } from '../../session/session-claims.ts'
import { hashOf } from './key-hash.ts'
import { isPlain, type KeyKind, keyText } from './key-text.ts'

/** Claims with these among them, whatever the application made of them. */
export function withSessionClaims(token: JWT, { uid, ...claims }: SessionClaims): JWT {
  const own = uid !== undefined && uid !== token.sub ? { ...claims, uid } : claims
  return { ...token, [SESSION_CLAIM]: own }
}

/**
 * The keys that a token can be revoked by. One that was sealed by an earlier version, or by Auth.js, has them, too.
 *
 * @param tag that of the audience; null without one
 */
export function keysOf(
  token: JWT,
  tag: string | null,
  limits: AllSessionLimits = readSessionLimits(token),
): RevocationKeys {
  const { jti, sub, iat } = token
  const given = token[SESSION_CLAIM]
  // Sealed by us, unless the application had such a claim before we did.
  // Member by member: this is done for every token that is opened.
  const { bgn, cap, tmp, rk } = limits
  const claims: SessionClaims & AllSessionLimits = isSessionClaims(given)
    ? { sid: given.sid, bgn, cap, tmp, rk, gen: given.gen, rot: given.rot, uid: given.uid ?? sub }
    : {
        sid: jti ? String(jti) : sub && iat ? `${sub} ${iat}` : null,
        bgn,
        cap,
        tmp,
        rk: undefined,
        gen: 0,
        uid: sub,
      }
  return new TokenKeys(claims, tag, jti)
}

const NOTHING = {}

/** Most tokens are never looked up, and the others again and again: keys are made once, when needed. */
class TokenKeys implements RevocationKeys {
  readonly claims: SessionClaims
  readonly provider: readonly RevocationKey[]
  notRevokedIn: object = NOTHING
  readonly #tag: string | null
  readonly #jti: unknown
  #session: RevocationKey | null | undefined
  #user: RevocationKey | null | undefined
  #sharedUser: RevocationKey | null | undefined
  #token: RevocationKey | null | undefined

  constructor(claims: SessionClaims, tag: string | null, jti: unknown) {
    this.claims = claims
    this.provider = providerKeys(claims.rk)
    this.#tag = tag
    this.#jti = jti
    if (tag === null) this.#sharedUser = null
  }

  get session(): RevocationKey | null {
    if (this.#session !== undefined) return this.#session
    const { sid } = this.claims
    this.#session = sid === null ? null : keyOf('s:', sid)
    return this.#session
  }

  get user(): RevocationKey | null {
    if (this.#user !== undefined) return this.#user
    const { uid } = this.claims
    this.#user = uid === undefined ? null : userKey(uid, this.#tag)
    return this.#user
  }

  get sharedUser(): RevocationKey | null {
    if (this.#sharedUser !== undefined) return this.#sharedUser
    const { uid } = this.claims
    this.#sharedUser = uid === undefined ? null : userKey(uid, null)
    return this.#sharedUser
  }

  get token(): RevocationKey | null {
    if (this.#token !== undefined) return this.#token
    this.#token = this.#jti ? keyOf('t:', String(this.#jti)) : null
    return this.#token
  }
}

const noKeys: readonly RevocationKey[] = Object.freeze([])

/** The keys by which the provider of a session revokes it. */
export function providerKeys(rk: ProviderSessionKeys | undefined): readonly RevocationKey[] {
  return rk ? [rk.sid, rk.sub].flatMap(hash => (hash ? providerKey(hash) : [])) : noKeys
}

function isSessionClaims(given: unknown): given is SessionClaims {
  if (given === undefined) return false
  const { sid, gen, rot, uid } = Object(given) as Partial<Record<keyof SessionClaims, unknown>>
  return (
    (typeof sid === 'string' || sid === null) &&
    Number.isFinite(gen) &&
    (rot === undefined || Number.isFinite(rot)) &&
    typeof uid !== 'object'
  )
}

/**
 * The key by which all sessions of a user are revoked.
 *
 * @param tag that of the audience; null for those of all audiences
 */
export function userKey(userId: string, tag: string | null): RevocationKey {
  return tag === null ? keyOf('u:', userId) : keyOf('a:', `${tag}.${userId}`)
}

/** The keys by which all sessions of a user of that audience are ended, or of all audiences. */
export function userKeys(userId: string, tag: string | null): readonly RevocationKey[] {
  const shared = userKey(userId, null)
  return tag === null ? [shared] : [userKey(userId, tag), shared]
}

/** The id of a session that begins. Its key and its entry in the list contain it. */
export function sessionIdFor(random: string, tag: string | null): string {
  return tag === null ? random : `${random}.${tag}`
}

const TAG_BYTES = 16

/** Stands for an audience in keys: always as long, so that a user id cannot be chosen that continues it. */
export async function tagOf(audience: string | undefined): Promise<string | null> {
  if (audience === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', utf8(audience))
  return toBase64Url(new Uint8Array(digest, 0, TAG_BYTES))
}

/** The key which states that no token follows those that a session has. */
export function closedKey({ text }: Pick<RevocationKey, 'text'>): string {
  return `c:${text.slice(2)}`
}

/** The key that revokes all sessions of one session at a provider, or of one person there. */
export function providerKey(hash: string): RevocationKey {
  return keyOf('p:', hash)
}

/** The key of a notice, by which it is recognized when it comes again. */
export function noticeKey(hash: string): RevocationKey {
  return keyOf('n:', hash)
}

/** Whether all sessions of a user are ended by a key. */
export function isUserKey(key: string): boolean {
  return key.startsWith('u:') || key.startsWith('a:')
}

/** Whether a key is that of a session. Rows that name what is to be ended may be of anyone's making. */
export function isSessionKey(key: string): boolean {
  return key.startsWith('s:')
}

/**
 * The key of an entry that revokes nothing. Its `until` is the time when the last token that was sealed so far will have expired,
 * whatever the lifetimes of sessions have been: a configuration that has shortened them must keep revocations for as long.
 */
export const LATEST_EXPIRY = 'x:latest'

function keyOf(kind: KeyKind, id: string): RevocationKey {
  return new NamedKey(kind, String(id))
}

/** Few are ever looked up by their text, so that it is put together only then. */
class NamedKey implements RevocationKey {
  readonly #kind: KeyKind
  readonly #name: string
  readonly hash: number

  constructor(kind: KeyKind, name: string) {
    this.#kind = kind
    this.#name = name
    this.hash = hashOf(kind, name)
  }

  get isEscaped(): boolean {
    return !isPlain(this.#name)
  }

  get text(): string {
    return keyText(this.#kind, this.#name)
  }
}
