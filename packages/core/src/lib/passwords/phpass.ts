import { equalBytes } from './equal-bytes.ts'
import { nodeCrypto } from './node-crypto.ts'
import { othersFirst } from './yield-to-others.ts'

const HASH = /^\$[PH]\$[./0-9A-Za-z]{31}$/
/** How much is done at a time, so that other requests get a turn: some milliseconds. */
const ROUNDS_AT_ONCE = 4096
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** phpass itself allows 7 to 30; more than this would take minutes. */
const MAX_COST = 20

/** Whether a text is a portable hash of phpass. */
export function isPhpass(stored: string): boolean {
  return HASH.test(stored)
}

/** Checks a password by phpass: MD5, thousands of times. */
export async function verifyPhpass(password: string, stored: string): Promise<boolean> {
  const cost = ALPHABET.indexOf(stored[3] ?? '')
  if (cost < 7 || cost > MAX_COST) {
    throw new RangeError('A hash by phpass has a cost that is not usual.')
  }
  const { createHash } = nodeCrypto()
  const entered = new TextEncoder().encode(password)
  let hash = createHash('md5').update(stored.slice(4, 12)).update(entered).digest()
  for (let round = 0; round < 2 ** cost; round++) {
    if (round % ROUNDS_AT_ONCE === ROUNDS_AT_ONCE - 1) await othersFirst()
    hash = createHash('md5').update(hash).update(entered).digest()
  }
  const text = new TextEncoder()
  return equalBytes(text.encode(encode(hash)), text.encode(stored.slice(12)))
}

/** Base 64 with an alphabet of its own, the lowest bits first. */
function encode(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = bytes.length - i
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const whole = a | (b << 8) | (c << 16)
    const letters = rest >= 3 ? 4 : rest + 1
    for (let at = 0; at < letters; at++) text += ALPHABET[(whole >> (6 * at)) & 63]
  }
  return text
}
