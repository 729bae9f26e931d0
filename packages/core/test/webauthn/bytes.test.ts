import { describe, expect, it } from 'vitest'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import type { CredentialJson } from './software-authenticator.ts'

const REFUSALS = ['WebAuthnVerificationError', 'InvalidCheck', 'AccountNotLinked']

function flipped(credential: CredentialJson, field: string, at: number): CredentialJson {
  const bytes = Buffer.from(String(credential.response[field]), 'base64url')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  const response = { ...credential.response, [field]: bytes.toString('base64url') }
  return { ...credential, response }
}

function bytesOf(credential: CredentialJson, field: string): number[] {
  return [...Buffer.from(String(credential.response[field]), 'base64url').keys()]
}

describe('an answer in which one bit was changed', { timeout: 60_000 }, () => {
  it.each(['authenticatorData', 'signature', 'clientDataJSON'])(
    'does not sign in, whichever byte of %s it is in',
    async field => {
      const ada = createPasskeyApplication().person()
      await ada.register(ADA)
      await ada.signOut()
      const accepted: number[] = []
      for (const at of bytesOf(ada.device.get(await ada.options()), field)) {
        const answer = flipped(ada.device.get(await ada.options()), field, at)
        const outcome = outcomeOf(await ada.answer('authenticate', answer))
        if (!REFUSALS.includes(outcome)) accepted.push(at)
      }
      expect(accepted).toEqual([])
      expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    },
  )

  it.each(['attestationObject', 'clientDataJSON'])(
    'makes no passkey, whichever byte of %s it is in, where the device signs',
    async field => {
      const application = createPasskeyApplication({ provider: { requireAttestation: true } })
      const ada = application.person()
      const ask = async () => {
        const options = await ada.options({ action: 'register', email: ADA })
        return ada.device.create(options, { format: 'packed' })
      }
      const accepted: number[] = []
      for (const at of bytesOf(await ask(), field)) {
        const outcome = outcomeOf(await ada.answer('register', flipped(await ask(), field, at)))
        if (!REFUSALS.includes(outcome)) accepted.push(at)
      }
      expect(accepted).toEqual([])
      expect(await application.adapter.getUserByEmail(ADA)).toBeNull()
    },
  )
})
