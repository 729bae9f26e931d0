import type { JWT } from '../model.ts'
import { type Key, MARKS_CLAIM, type MarkClaims, type Marks } from '../session/endings.ts'

/** Claims with these among them, whatever the application made of them. */
export function mark(token: JWT, { uid, ...claims }: MarkClaims): JWT {
  const own = uid !== undefined && uid !== token.sub ? { ...claims, uid } : claims
  return { ...token, [MARKS_CLAIM]: own }
}

/** What a token can be ended by. One that was sealed by an earlier version, or by Auth.js, has it, too. */
export function marksOf(token: JWT): Marks {
  const { jti, sub, iat } = token
  const given = token[MARKS_CLAIM]
  // Sealed by us, unless the application had such a claim before we did.
  const claims: MarkClaims = isMarks(given)
    ? { uid: sub, ...given }
    : { sid: jti ? String(jti) : sub && iat ? `${sub} ${iat}` : null, gen: 0, uid: sub }
  const { sid, uid } = claims
  return {
    claims,
    session: sid === null ? null : keyOf(`s:${sid}`),
    user: uid === undefined ? null : userKey(uid),
  }
}

function isMarks(given: unknown): given is MarkClaims {
  const { sid, gen, uid } = Object(given) as Partial<Record<keyof MarkClaims, unknown>>
  return (
    (typeof sid === 'string' || sid === null) && Number.isFinite(gen) && typeof uid !== 'object'
  )
}

/** What all sessions of a user are ended by. */
export function userKey(userId: string): Key {
  return keyOf(`u:${userId}`)
}

function keyOf(name: string): Key {
  // Stores take 255 letters of ASCII.
  const plain = name.replace(/[^!-$&-~]/g, escaped)
  const text = plain.length > 255 ? `${plain.slice(0, 240)}%${hashOf(plain)}` : plain
  return { text, hash: hashOf(text) }
}

/** Always as long, so that no two names come out the same. */
function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** 32 bits of a text, well mixed (FNV-1a). Nobody gains anything by a collision: it costs a lookup. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
