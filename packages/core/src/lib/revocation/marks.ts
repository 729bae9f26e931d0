import type { JWT } from '../base/model.ts'
import { type Key, MARKS_CLAIM, type MarkClaims, type Marks } from '../session/endings.ts'
import type { Terms } from '../session/lifetime.ts'
import { termsOf } from '../session/token-terms.ts'

/** Claims with these among them, whatever the application made of them. */
export function mark(token: JWT, { uid, ...claims }: MarkClaims): JWT {
  const own = uid !== undefined && uid !== token.sub ? { ...claims, uid } : claims
  return { ...token, [MARKS_CLAIM]: own }
}

/** What a token can be ended by. One that was sealed by an earlier version, or by Auth.js, has it, too. */
export function marksOf(token: JWT, terms: Terms = termsOf(token)): Marks {
  const { jti, sub, iat } = token
  const given = token[MARKS_CLAIM]
  // Sealed by us, unless the application had such a claim before we did.
  // Member by member: this is done for every token that is opened.
  const { bgn, cap, tmp, rk } = terms
  const claims: MarkClaims = isMarks(given)
    ? { sid: given.sid, bgn, cap, tmp, rk, gen: given.gen, rot: given.rot, uid: given.uid ?? sub }
    : {
        sid: jti ? String(jti) : sub && iat ? `${sub} ${iat}` : null,
        bgn,
        cap,
        tmp,
        gen: 0,
        uid: sub,
      }
  const { sid, uid } = claims
  return {
    claims,
    session: sid === null ? null : keyOf('s:', sid),
    user: uid === undefined ? null : userKey(uid),
    provider: rk ? [rk.sid, rk.sub].flatMap(hash => (hash ? providerKey(hash) : [])) : noKeys,
  }
}

const noKeys: readonly Key[] = Object.freeze([])

function isMarks(given: unknown): given is MarkClaims {
  const { sid, gen, rot, uid } = Object(given) as Partial<Record<keyof MarkClaims, unknown>>
  return (
    (typeof sid === 'string' || sid === null) &&
    Number.isFinite(gen) &&
    (rot === undefined || Number.isFinite(rot)) &&
    typeof uid !== 'object'
  )
}

/** What all sessions of a user are ended by. */
export function userKey(userId: string): Key {
  return keyOf('u:', userId)
}

/** What says that no token follows those that a session has. */
export function closedKey({ text }: Key): string {
  return `c:${text.slice(2)}`
}

/** What all sessions are ended by that came of one session at a provider, or of one person's there. */
export function providerKey(hash: string): Key {
  return keyOf('p:', hash)
}

/** What a notice of a provider is known by, when it comes again. */
export function noticeKey(hash: string): Key {
  return keyOf('n:', hash)
}

/** Whether a key is that of a session. Rows that name what is to be ended may be of anyone's making. */
export function isSessionKey(key: string): boolean {
  return key.startsWith('s:')
}

/** What stores take of a name: 255 letters of ASCII with what stands before it. */
const LONGEST_NAME = 253

function keyOf(kind: 's:' | 'u:' | 'p:' | 'n:', id: string): Key {
  const name = String(id)
  const isOdd = name.length > LONGEST_NAME || /[^!-$&-~]/.test(name)
  return new NamedKey(kind, isOdd ? fitting(name) : name)
}

/** Few are ever looked up by their text, so that it is put together only then. */
class NamedKey implements Key {
  readonly #kind: string
  readonly #name: string
  readonly hash: number

  constructor(kind: string, name: string) {
    this.#kind = kind
    this.#name = name
    this.hash = mixed(hashed(name, hashed(kind)))
  }

  get text(): string {
    return this.#kind + this.#name
  }
}

function fitting(name: string): string {
  const plain = name.replace(/[^!-$&-~]/g, escaped)
  return plain.length > LONGEST_NAME ? `${plain.slice(0, 240)}%${hashOf(plain)}` : plain
}

/** Always as long, so that no two names come out the same. */
function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** 32 bits of a text, well mixed (FNV-1a). Nobody gains anything by a collision: it costs a lookup. */
export function hashOf(text: string): number {
  return mixed(hashed(text))
}

function hashed(text: string, before = 0x811c9dc5): number {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0
}
