import { describe, expect, it } from 'vitest'
import { issueCertificate } from './certificates.ts'
import { createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import type { CredentialJson } from './software-authenticator.ts'

const REFUSALS = ['WebAuthnVerificationError', 'InvalidCheck']

/** The answer with one bit changed; null where the field has no such byte. */
function flipped(credential: CredentialJson, field: string, at: number): CredentialJson | null {
  const bytes = Buffer.from(String(credential.response[field]), 'base64url')
  if (at >= bytes.length) return null
  bytes[at] = (bytes[at] ?? 0) ^ 1
  const response = { ...credential.response, [field]: bytes.toString('base64url') }
  return { ...credential, response }
}

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')

/**
 * The bytes that no signature covers, because they only frame one (DER): the length of the device's signature, the header of
 * the certificate, and that of its signature. OpenSSL reads some of them tolerantly, and what is signed is the same.
 */
function unsignedBytes(credential: CredentialJson, field: string): readonly number[] {
  if (field === 'signature') return [1]
  if (field !== 'attestationObject') return []
  const bytes = Buffer.from(String(credential.response[field]), 'base64url')
  // After the text: a list of one (1 byte), a byte string with its length (3), a sequence with its length (4).
  const certificate = bytes.indexOf('x5c') + 'x5c'.length + 4
  // A bit string, its length, no unused bits, a sequence, and its length.
  const signature = bytes.lastIndexOf(ECDSA_WITH_SHA256) + ECDSA_WITH_SHA256.length
  return [33, ...bytesFrom(certificate, 4), ...bytesFrom(signature, 5)]
}

function bytesFrom(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start + index)
}

async function acceptedBytes(
  field: string,
  { first, step }: Bytes,
  ask: (at: number) => Promise<CredentialJson>,
  answer: (data: CredentialJson) => Promise<Response>,
): Promise<number[]> {
  const accepted: number[] = []
  for (let at = first; ; at += step) {
    const credential = await ask(at)
    const changed = flipped(credential, field, at)
    if (!changed) return accepted
    const isRefused = REFUSALS.includes(outcomeOf(await answer(changed)))
    if (!isRefused && !unsignedBytes(credential, field).includes(at)) accepted.push(at)
  }
}

/** Which bytes are changed, one at a time. */
export interface Bytes {
  readonly first: number
  readonly step: number
}

/** Describes what becomes of answers in which one bit was changed. */
export function describeBytes(bytes: Bytes): void {
  const which = `each of the bytes from ${bytes.first}, in steps of ${bytes.step}`

  describe('an answer in which one bit was changed', () => {
    it.each(['authenticatorData', 'signature', 'clientDataJSON'])(
      `does not sign in, if it is in %s: ${which}`,
      async field => {
        const ada = createPasskeyApplication().person()
        await ada.register('ada@example.com')
        const accepted = await acceptedBytes(
          field,
          bytes,
          async () => ada.device.get(await ada.options({ action: 'authenticate' })),
          data => ada.answer('authenticate', data),
        )
        expect(accepted).toEqual([])
        expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
      },
    )

    it.each(['attestationObject', 'clientDataJSON'])(
      `makes no passkey, if it is in %s and the device signs: ${which}`,
      async field => {
        const root = issueCertificate({ name: { O: 'Maker', CN: 'Root' }, isAuthority: true })
        const device = issueCertificate({ name: { O: 'Maker', CN: 'Device' }, issuer: root })
        const attestedBy = { certificates: [device.der], privateKey: device.privateKey }
        const provider = { requireAttestation: { trustAnchors: [root.pem] } }
        const application = createPasskeyApplication({ provider })
        const person = application.person()
        const accepted = await acceptedBytes(
          field,
          bytes,
          async at => {
            // Somebody else each time, so that no refusal is about the person.
            const query = { action: 'register', email: `${at}@example.com` }
            return person.device.create(await person.options(query), {
              format: 'packed',
              attestedBy,
            })
          },
          data => person.answer('register', data),
        )
        expect(accepted).toEqual([])
      },
    )
  })
}
