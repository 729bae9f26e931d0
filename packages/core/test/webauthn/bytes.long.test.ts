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

/** How a signature says how long it is (DER). It says the same otherwise, and signs the same. */
const LENGTH_OF_SIGNATURE: Readonly<Record<string, number>> = {
  signature: 1,
  attestationObject: 33,
}

async function acceptedBytes(
  field: string,
  ask: (at: number) => Promise<CredentialJson>,
  answer: (data: CredentialJson) => Promise<Response>,
): Promise<number[]> {
  const accepted: number[] = []
  for (let at = 0; ; at++) {
    const changed = flipped(await ask(at), field, at)
    if (!changed) return accepted
    const isRefused = REFUSALS.includes(outcomeOf(await answer(changed)))
    if (!isRefused && at !== LENGTH_OF_SIGNATURE[field]) accepted.push(at)
  }
}

describe('an answer in which one bit was changed', () => {
  it.each(['authenticatorData', 'signature', 'clientDataJSON'])(
    'does not sign in, whichever byte of %s it is in',
    async field => {
      const ada = createPasskeyApplication().person()
      await ada.register('ada@example.com')
      const accepted = await acceptedBytes(
        field,
        async () => ada.device.get(await ada.options({ action: 'authenticate' })),
        data => ada.answer('authenticate', data),
      )
      expect(accepted).toEqual([])
      expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    },
  )

  it.each(['attestationObject', 'clientDataJSON'])(
    'makes no passkey, whichever byte of %s it is in, where the device signs',
    async field => {
      const root = issueCertificate({ name: { O: 'Maker', CN: 'Root' }, isAuthority: true })
      const device = issueCertificate({ name: { O: 'Maker', CN: 'Device' }, issuer: root })
      const attestedBy = { certificates: [device.der], privateKey: device.privateKey }
      const provider = { requireAttestation: { trustAnchors: [root.pem] } }
      const application = createPasskeyApplication({ provider })
      const person = application.person()
      const accepted = await acceptedBytes(
        field,
        async at => {
          // Somebody else each time, so that no refusal is about the person.
          const query = { action: 'register', email: `${at}@example.com` }
          return person.device.create(await person.options(query), { format: 'packed', attestedBy })
        },
        data => person.answer('register', data),
      )
      expect(accepted).toEqual([])
    },
  )
})
