import type { Adapter, AdapterAuthenticator } from '@siteauth/core/adapters'
import WebAuthn from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import { FLAGS, type Tampering } from './software-authenticator.ts'

const SYNCED = FLAGS.BE | FLAGS.BS

/** Signs in with a passkey whose row has changed since. Answers where that leads, and what the log says. */
async function signIn(change: Partial<AdapterAuthenticator>, tampering: Tampering = {}) {
  const store = MemoryAdapter()
  let changed: Partial<AdapterAuthenticator> = {}
  const adapter: Adapter = {
    ...store,
    async getAuthenticator(id) {
      const found = await store.getAuthenticator(id)
      return found && { ...found, ...changed }
    },
  }
  const application = createPasskeyApplication({ adapter })
  const ada = application.person()
  await ada.register(ADA)
  await ada.signOut()
  changed = change
  const outcome = outcomeOf(await ada.signIn(tampering))
  return { outcome, message: application.errors[0]?.message }
}

describe('the row of a passkey', () => {
  it('that holds no key lets nobody in, and the log says so', async () => {
    expect(await signIn({ credentialPublicKey: 'not base64!' })).toEqual({
      outcome: 'WebAuthnVerificationError',
      message: expect.stringContaining('The stored key cannot be read.'),
    })
  })

  it.each([
    ['singleDevice', (flags: number) => flags | SYNCED],
    ['multiDevice', (flags: number) => flags & ~SYNCED],
  ])('that says %s lets no key of the other kind in', async (credentialDeviceType, flags) => {
    const { outcome } = await signIn({ credentialDeviceType }, { flags })
    expect(outcome).toBe('WebAuthnVerificationError')
  })

  it.each([
    ['multiDevice', (flags: number) => flags | SYNCED],
    ['singleDevice', (flags: number) => flags & ~SYNCED],
    // Written by another library.
    ['', (flags: number) => flags & ~SYNCED],
    ['platform', (flags: number) => flags | SYNCED],
  ])('that says %j lets the key in', async (credentialDeviceType, flags) => {
    const { outcome } = await signIn({ credentialDeviceType }, { flags })
    expect(outcome).toBe(ORIGIN)
  })

  it('has no transports if the browser named none', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA, {
      answer: credential => ({
        ...credential,
        response: { ...credential.response, transports: [] },
      }),
    })
    const id = ada.device.keys[0]?.id.toString('base64') ?? ''
    const row = await application.adapter.getAuthenticator(id)
    expect(row?.credentialID).toBe(id)
    expect(row?.transports ?? null).toBeNull()
  })
})

it('a provider that asks browsers for nothing in particular demands that the user was verified', async () => {
  const { registrationOptions: _, authenticationOptions: __, ...bare } = WebAuthn()
  const kind = () => ({ ...bare, allowSignUpWithUnprovenEmail: true })
  const ada = createPasskeyApplication({ kind }).person()
  const unverified = { flags: (flags: number) => flags & ~FLAGS.UV }
  expect(outcomeOf(await ada.register(ADA, unverified))).toBe('WebAuthnVerificationError')
  expect(outcomeOf(await ada.register(ADA))).toBe(ORIGIN)
  await ada.signOut()
  const asked = { email: ADA }
  expect(outcomeOf(await ada.signIn(unverified, asked))).toBe('WebAuthnVerificationError')
  expect(outcomeOf(await ada.signIn({}, asked))).toBe(ORIGIN)
})
