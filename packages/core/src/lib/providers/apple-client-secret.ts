import { fromBase64Url } from '#crypto'
import { toBase64Url, utf8 } from '../crypto/encoding.ts'

/** The credentials from Apple for signing client secrets. */
export interface AppleKey {
  teamId: string
  keyId: string
  /** The contents of the `.p8` file. */
  privateKey: string
}

const LIFETIME = 300

/** Makes the client secret that Apple wants: a token of its own, signed with a downloaded key. */
export async function mintAppleClientSecret(
  { teamId, keyId, privateKey }: AppleKey,
  clientId: string,
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  const header = { alg: 'ES256', kid: keyId, typ: 'JWT' }
  const claims = {
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME,
    aud: 'https://appleid.apple.com',
    sub: clientId,
  }
  const signed = [header, claims].map(part => toBase64Url(utf8(JSON.stringify(part)))).join('.')
  const key = await importKey(privateKey)
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, key, utf8(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

function importKey(pem: string): Promise<CryptoKey> {
  // Variables of the environment often hold `\n` as two characters.
  const base64 = pem.replaceAll(/-----[^-]+-----|\\n|\s|=/g, '')
  const bytes = fromBase64Url(base64.replaceAll('+', '-').replaceAll('/', '_'))
  if (!bytes) throw new TypeError('expected privateKey to be the contents of a .p8 file')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
}
