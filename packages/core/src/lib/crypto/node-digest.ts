import nodeCrypto, { createHash } from 'node:crypto'

type Digest = (
  algorithm: 'sha256' | 'sha512',
  data: string | Uint8Array,
  encoding: 'binary' | 'base64url',
) => string

// Newer than what it replaces, and quicker: runtimes that imitate Node may not have it yet.
const { hash } = nodeCrypto as { hash?: Digest }

/** A hash of something that is there as a whole. */
export const digest: Digest =
  hash ?? ((algorithm, data, encoding) => createHash(algorithm).update(data).digest(encoding))
