import { nodeCrypto } from './node-crypto.ts'

/** Compares in constant time. Values of different lengths differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && nodeCrypto().timingSafeEqual(one, other)
}
