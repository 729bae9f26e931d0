import { nodeCrypto } from './node-crypto.ts'

/** Compares in constant time. What differs in length is different. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && nodeCrypto().timingSafeEqual(one, other)
}
