import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'

// A second hand for tokens, which seals whatever it is told to: what an attacker would do who has
// read RFC 7516, and, where a test hands over the key, one who has even that.

/** The key that a secret makes for a purpose. */
export function keyFor(secret: string, purpose: string, length: 64 | 32 = 64): Buffer {
  const info = `Auth.js Generated Encryption Key (${purpose})`
  return Buffer.from(hkdfSync('sha256', secret, purpose, info, length))
}

/** RFC 7638 thumbprint of a key. */
export function kidOf(key: Buffer): string {
  const hash = createHash(key.length === 64 ? 'sha512' : 'sha256')
  return hash.update(`{"k":"${key.toString('base64url')}","kty":"oct"}`).digest('base64url')
}

/** A header, as text or as members, in base64url. */
export function encodeHeader(header: unknown): string {
  const text = typeof header === 'string' ? header : JSON.stringify(header)
  return Buffer.from(text).toString('base64url')
}

/** Seals a payload with A256CBC-HS512 under any header at all. */
export function forgeCbc(key: Buffer, header: unknown, payload: string | Buffer): string {
  const additional = encodeHeader(header)
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-256-cbc', key.subarray(32), iv)
  const ciphertext = Buffer.concat([cipher.update(payload), cipher.final()])
  const bits = Buffer.alloc(8)
  bits.writeUInt32BE(additional.length * 8, 4)
  const tag = createHmac('sha512', key.subarray(0, 32))
    .update(Buffer.concat([Buffer.from(additional), iv, ciphertext, bits]))
    .digest()
    .subarray(0, 32)
  return compact(additional, iv, ciphertext, tag)
}

/** Seals a payload with A256GCM under any header at all. */
export function forgeGcm(
  key: Buffer,
  header: unknown,
  payload: string | Buffer,
  ivLength: number = 12,
): string {
  const additional = encodeHeader(header)
  const iv = Buffer.alloc(ivLength, 7)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(additional))
  const ciphertext = Buffer.concat([cipher.update(payload), cipher.final()])
  return compact(additional, iv, ciphertext, cipher.getAuthTag())
}

/** A signed token, which is not what a session cookie holds. */
export function forgeJws(key: string | Buffer, alg: 'HS256' | 'HS512', payload: object): string {
  const signed = `${encodeHeader({ alg, typ: 'JWT' })}.${encodeHeader(payload)}`
  const hmac = createHmac(alg === 'HS256' ? 'sha256' : 'sha512', key)
  return `${signed}.${hmac.update(signed).digest('base64url')}`
}

function compact(header: string, ...parts: readonly Buffer[]): string {
  return [header, '', ...parts.map(part => part.toString('base64url'))].join('.')
}
