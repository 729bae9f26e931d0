import type { JWT } from '../model.ts'
import type { Key, MarkClaims, Marks } from '../session/endings.ts'

/** The claim that {@link MarkClaims} are sealed as. One, so that it is in nobody's way. */
const MARKS_CLAIM = 'siteauth'

/** Claims with these among them, whatever the application made of them. */
export function mark(token: JWT, { uid, ...claims }: MarkClaims): JWT {
  const own = uid !== undefined && uid !== token.sub ? { ...claims, uid } : claims
  return { ...token, [MARKS_CLAIM]: own }
}

/** What a token can be ended by. One that was sealed by an earlier version, or by Auth.js, has it, too. */
export function marksOf(token: JWT): Marks {
  const { jti, sub, iat } = token
  // Sealed by us, if it is there: nobody else has the key.
  const given = token[MARKS_CLAIM] as MarkClaims | undefined
  const { sid = jti ?? `${sub} ${iat}`, gen = 0, uid = sub, bgn } = given ?? {}
  return {
    claims: { sid, gen, ...(bgn !== undefined && { bgn }), ...(uid !== undefined && { uid }) },
    session: keyOf(`s:${sid}`),
    user: uid === undefined ? null : userKey(uid),
  }
}

/** What all sessions of a user are ended by. */
export function userKey(userId: string): Key {
  return keyOf(`u:${userId}`)
}

function keyOf(name: string): Key {
  // Stores take 255 letters of ASCII. Where two names come out the same, rather too much is ended.
  const text = name
    .replace(/[^!-~]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)
    .slice(0, 255)
  return { text, hash: hashOf(text) }
}

/** 32 bits of a text, well mixed (FNV-1a). Nobody gains anything by a collision: it costs a lookup. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
