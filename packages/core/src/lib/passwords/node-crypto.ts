type NodeCrypto = typeof import('node:crypto')

/**
 * The algorithms that the web's own cryptography lacks: scrypt, argon2id, MD5. Requested from the runtime and not
 * imported, so that bundlers for runtimes without it leave it alone.
 */
export function nodeCrypto(): NodeCrypto {
  const found = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (found) return found
  throw new Error(
    'Passwords need node:crypto, which this runtime does not have. Run the routes of the library on Node, ' +
      'Bun or Deno, or on a worker with Node compatibility switched on.',
  )
}
