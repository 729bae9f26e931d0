import { createHasher, type PasswordHasher } from '../../passwords/hasher.ts'
import type { PasswordConfig } from '../../providers/password.ts'

// A hasher depends on nothing but its provider, and remembers nothing. The queue for hashing is that of the process.
const hashers = new WeakMap<PasswordConfig, PasswordHasher>()

/** The hasher of a provider. It is made once, with the hash that stands for those of unknown users. */
export function getHasher(provider: PasswordConfig): PasswordHasher {
  const existing = hashers.get(provider)
  if (existing) return existing
  const hasher = createHasher(provider.hashing, provider.verifiers)
  hashers.set(provider, hasher)
  return hasher
}
