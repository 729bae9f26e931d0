/** The algorithms that a fake provider signs by. */
export type SigningAlgorithm = 'ES256' | 'RS256'

/** The header of a token. */
export type TokenHeader = Readonly<Record<string, unknown>>

/** A key that tokens are signed with. */
export interface SigningKey {
  /** The public half, as `jwks_uri` shows it. */
  readonly jwk: JsonWebKey & { readonly kid: string }
  /** Signs claims as they are: undefined members are left out. */
  sign(claims: object, header?: TokenHeader): Promise<string>
}

const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
} as const

// Shared by all providers of a process: an RSA key takes long to make.
const keys = new Map<string, Promise<SigningKey>>()

/** The key of that number, the same in the whole process. */
export function signingKey(alg: SigningAlgorithm, number: number): Promise<SigningKey> {
  const kid = `${alg}-${number}`
  const key = keys.get(kid) ?? createKey(alg, kid)
  keys.set(kid, key)
  return key
}

async function createKey(alg: SigningAlgorithm, kid: string): Promise<SigningKey> {
  const algorithm = ALGORITHMS[alg]
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const jwk = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid, alg, use: 'sig' }
  return {
    jwk,
    async sign(claims, header = {}) {
      const content = [{ alg, kid, ...header }, claims].map(encode).join('.')
      const bytes = new TextEncoder().encode(content)
      const signature = await crypto.subtle.sign(algorithm, pair.privateKey, bytes)
      return `${content}.${Buffer.from(signature).toString('base64url')}`
    },
  }
}

/** A token without a signature, which no application may take. */
export function unsignedToken(claims: object): string {
  return `${[{ alg: 'none' }, claims].map(encode).join('.')}.`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
