import { type Blowfish, beginBlowfish, encrypt } from './blowfish.ts'
import { equalBytes } from './equal-bytes.ts'
import { othersFirst } from './yield-to-others.ts'

const HASH = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/
const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** bcrypt sees no more of a password, its end included. */
const MAX_BYTES = 72
const MIN_COST = 4
const MAX_COST = 15
/** How much is done at a time, so that other requests get a turn: some milliseconds. */
const ROUNDS_AT_ONCE = 16

/** Whether a text is a hash by bcrypt. */
export function isBcrypt(stored: string): boolean {
  return HASH.test(stored)
}

/** Checks a password by bcrypt. It takes a while, in small pieces. */
export async function verifyBcrypt(password: Uint8Array, stored: string): Promise<boolean> {
  const [, cost = '', salt = '', hash = ''] = HASH.exec(stored) ?? []
  const derived = await derive(password, decode(salt), Number(cost))
  return equalBytes(derived, decode(hash).subarray(0, 23))
}

/** Throws if a hash costs what none is made with: the dearest would take a day. */
export function assertUsualCost(stored: string): void {
  const [, cost] = HASH.exec(stored) ?? []
  if (!(Number(cost) >= MIN_COST && Number(cost) <= MAX_COST)) {
    throw new RangeError('A hash by bcrypt has a cost that is not usual.')
  }
}

async function derive(password: Uint8Array, salt: Uint8Array, cost: number): Promise<Uint8Array> {
  const key = new Uint8Array(Math.min(password.length + 1, MAX_BYTES)) // with a zero at its end
  key.set(password.subarray(0, MAX_BYTES))
  const state = beginBlowfish()
  const keyWords = wordsOf(key, 18)
  const saltWords = wordsOf(salt, 18)
  expand(state, keyWords, saltWords.subarray(0, 4))
  const none = new Uint32Array(4)
  for (let round = 0; round < 2 ** cost; round++) {
    if (round % ROUNDS_AT_ONCE === ROUNDS_AT_ONCE - 1) await othersFirst()
    expand(state, keyWords, none)
    expand(state, saltWords, none)
  }
  return encryptText(state)
}

/** Lays a key over the state, and runs the state through itself. */
function expand(state: Blowfish, key: Uint32Array, salt: Uint32Array): void {
  const { p, s } = state
  for (let i = 0; i < p.length; i++) p[i] = (p[i] as number) ^ (key[i] as number) // as long as each other
  const out = new Uint32Array(2)
  let turn = 0
  for (const words of [p, s]) {
    for (let i = 0; i < words.length; i += 2) {
      const left = (out[0] as number) ^ (salt[turn] as number)
      const right = (out[1] as number) ^ (salt[turn + 1] as number)
      encrypt(state, left, right, out)
      words[i] = out[0] as number
      words[i + 1] = out[1] as number
      turn = turn === 0 ? 2 : 0
    }
  }
}

function encryptText(state: Blowfish): Uint8Array {
  const words = wordsOf(new TextEncoder().encode('OrpheanBeholderScryDoubt'), 6)
  const out = new Uint32Array(2)
  for (let i = 0; i < words.length; i += 2) {
    out.set(words.subarray(i, i + 2))
    for (let time = 0; time < 64; time++) encrypt(state, out[0] as number, out[1] as number, out)
    words.set(out, i)
  }
  const bytes = new Uint8Array(24)
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word)
  return bytes.subarray(0, 23) // one byte has been left out ever since the first version
}

/** Reads bytes as words, again from the start at their end. */
function wordsOf(bytes: Uint8Array, length: number): Uint32Array {
  let at = 0
  const next = () => bytes[at++ % bytes.length] as number // within the bytes
  return Uint32Array.from({ length }, () => {
    const [a, b, c, d] = [next(), next(), next(), next()]
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  })
}

/** Base 64 with an alphabet of its own. */
function decode(text: string): Uint8Array {
  const bytes: number[] = []
  for (let i = 0; i < text.length; i += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = [...text.slice(i, i + 4)].map(each =>
      ALPHABET.indexOf(each),
    )
    const whole = (a << 18) | (b << 12) | (c << 6) | d
    bytes.push(whole >>> 16, (whole >>> 8) & 255, whole & 255)
  }
  return Uint8Array.from(bytes.slice(0, Math.floor((text.length * 6) / 8)))
}
