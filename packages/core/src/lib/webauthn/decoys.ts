import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { PURPOSES } from '../crypto/purposes.ts'
import type { UserCredential } from './options.ts'

/** Devices as they are common: how long their ids are, and how they are reached. */
const KINDS: readonly { readonly length: number; readonly transports: readonly string[] }[] = [
  { length: 16, transports: ['hybrid', 'internal'] },
  { length: 20, transports: ['hybrid', 'internal'] },
  { length: 32, transports: ['internal'] },
  { length: 48, transports: ['usb'] },
  { length: 64, transports: ['nfc', 'usb'] },
]

/**
 * The keys in a response for an address without keys: always the same for the same address, so that asking twice
 * reveals nothing.
 */
export async function decoysFor(
  primitives: Pick<CryptoPrimitives, 'deriveBits'>,
  secret: string,
  address: string,
): Promise<readonly UserCredential[]> {
  const bits = await primitives.deriveBits(secret, PURPOSES.decoys, address, 2 + 2 * 64)
  const [several = 0, kinds = 0] = bits
  const count = several < 64 ? 2 : 1
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[(kinds >> (4 * index)) % KINDS.length] ?? { length: 32, transports: [] }
    const from = 2 + 64 * index
    return {
      id: toBase64Url(bits.subarray(from, from + kind.length)),
      transports: kind.transports,
    }
  })
}
