import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate in DER, and the key that it is about. */
export interface Issued {
  readonly der: Buffer
  readonly pem: string
  readonly name: CertificateName
  readonly privateKey: KeyObject
}

interface CertificateName {
  readonly O: string
  readonly CN: string
}

interface Request {
  readonly name: CertificateName
  /** Who signs it; itself if nobody else does. */
  readonly issuer?: Issued
  /** Whether it may issue others. */
  readonly isAuthority?: boolean
  readonly notAfter?: Date
  /** Instead of a new key. */
  readonly keys?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
}

/** Issues an X.509 certificate (RFC 5280) of the form that WebAuthn §8.2.1 demands of devices. */
export function issueCertificate({
  name,
  issuer,
  isAuthority = false,
  notAfter = new Date(Date.now() + DAY),
  keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}: Request): Issued {
  const { privateKey, publicKey } = keys
  const algorithm = der(SEQUENCE, hex('06082a8648ce3d040302')) // ECDSA with SHA-256
  const basicConstraints = der(SEQUENCE, ...(isAuthority ? [hex('0101ff')] : []))
  const extension = der(SEQUENCE, hex('0603551d13'), hex('0101ff'), der(OCTETS, basicConstraints))
  const body = der(
    SEQUENCE,
    hex('a003020102'), // version 3
    hex('020107'), // serial number
    algorithm,
    nameOf(issuer?.name ?? name),
    der(SEQUENCE, time(new Date(notAfter.getTime() - 365 * DAY)), time(notAfter)),
    nameOf(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, der(SEQUENCE, extension)),
  )
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey)
  const bytes = der(SEQUENCE, body, algorithm, der(0x03, hex('00'), signature))
  const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
  return { der: bytes, pem, name, privateKey }
}

const DAY = 86_400_000
const SEQUENCE = 0x30
const OCTETS = 0x04

function nameOf({ O, CN }: CertificateName): Buffer {
  const parts = [
    ['0603550406', 'SE'],
    ['060355040a', O],
    ['060355040b', 'Authenticator Attestation'],
    ['0603550403', CN],
  ] as const
  return der(
    SEQUENCE,
    ...parts.map(([type, text]) =>
      der(0x31, der(SEQUENCE, hex(type), der(0x13, Buffer.from(text)))),
    ),
  )
}

function time(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
