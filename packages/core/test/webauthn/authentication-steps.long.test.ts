import { randomBytes } from 'node:crypto'
import WebAuthn from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import type { Cbor } from './cbor.ts'
import { ADA, BOB, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import {
  type CredentialJson,
  FLAGS,
  SoftwareAuthenticator,
  type Tampering,
} from './software-authenticator.ts'

/** Changes one byte of a field in base64url, after the answer was signed. */
const flip =
  (field: string, at: number): NonNullable<Tampering['answer']> =>
  credential => {
    const bytes = Buffer.from(String(credential.response[field]), 'base64url')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const changed = { [field]: bytes.toString('base64url') }
    return { ...credential, response: { ...credential.response, ...changed } }
  }

/** The steps of WebAuthn Level 3 §7.2, each broken alone. */
const steps: [step: string, what: string, tampering: Tampering][] = [
  [
    '4',
    'an answer without a response',
    { answer: ({ response: _, ...rest }) => rest as CredentialJson },
  ],
  [
    '4',
    'a credential that is no public key',
    { answer: credential => ({ ...credential, type: 'password' }) },
  ],
  ['4', 'two ids for one key', { answer: credential => ({ ...credential, rawId: 'AAAA' }) }],
  [
    '6',
    'a key of which nobody knows',
    { answer: credential => ({ ...credential, id: 'AAAA', rawId: 'AAAA' }) },
  ],
  ['6', 'a device that does not say whose key it is', { userHandle: null }],
  ['6', 'a device that says nothing of whose key it is', { userHandle: '' }],
  [
    '9',
    'client data that is not UTF-8',
    {
      clientDataBytes: json =>
        Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
    },
  ],
  [
    '9',
    'client data that starts with a byte order mark',
    { clientDataBytes: json => Buffer.from(`\ufeff${json}`) },
  ],
  ['9', 'client data that is not JSON', { clientDataBytes: json => Buffer.from(json.slice(1)) }],
  ['10', 'the type of a registration', { clientData: { type: 'webauthn.create' } }],
  ['11', 'another challenge', { clientData: { challenge: randomBytes(32).toString('base64url') } }],
  ['11', 'an empty challenge', { clientData: { challenge: '' } }],
  ['12', 'a foreign origin', { clientData: { origin: 'https://evil.example' } }],
  ['12', 'an origin that starts like ours', { clientData: { origin: `${ORIGIN}.evil.example` } }],
  ['12', 'another port', { clientData: { origin: `${ORIGIN}:8443` } }],
  ['12', 'the origin without TLS', { clientData: { origin: 'http://app.example.com' } }],
  ['12', 'the origin null', { clientData: { origin: 'null' } }],
  ['13', 'a page inside another site', { clientData: { crossOrigin: true } }],
  [
    '14',
    'a foreign page around ours',
    { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } },
  ],
  [
    '14',
    'a page around ours that is not said to be foreign',
    { clientData: { topOrigin: 'https://evil.example' } },
  ],
  ['15', 'the domain of another site', { rpId: 'evil.example' }],
  ['15', 'the parent domain', { rpId: 'example.com' }],
  ['16', 'nobody present', { flags: flags => flags & ~FLAGS.UP }],
  ['17', 'nobody verified, where that is required', { flags: flags => flags & ~FLAGS.UV }],
  [
    '18',
    'a copy of a key that cannot be copied',
    { flags: flags => (flags & ~FLAGS.BE) | FLAGS.BS },
  ],
  [
    '19',
    'a key that could be copied and cannot any more',
    { flags: flags => flags & ~(FLAGS.BE | FLAGS.BS) },
  ],
  ['21', 'a signature that was changed', { answer: flip('signature', 20) }],
  [
    '21',
    'client data that was changed',
    {
      answer: credential => ({
        ...credential,
        response: {
          ...credential.response,
          clientDataJSON: Buffer.from(
            `${Buffer.from(String(credential.response['clientDataJSON']), 'base64url')} `,
          ).toString('base64url'),
        },
      }),
    },
  ],
  ['21', 'flags that were changed', { answer: flip('authenticatorData', 32) }],
  ['21', 'a counter that was changed', { answer: flip('authenticatorData', 36) }],
  [
    '-',
    'authenticator data that is cut off',
    {
      answer: credential => ({
        ...credential,
        response: { ...credential.response, authenticatorData: 'AAAA' },
      }),
    },
  ],
  [
    '-',
    'bytes after the authenticator data',
    {
      answer: credential => ({
        ...credential,
        response: {
          ...credential.response,
          authenticatorData: `${credential.response['authenticatorData']}AAAA`,
        },
      }),
    },
  ],
]

describe('WebAuthn Level 3 §7.2, signing in', () => {
  it.each(steps)('step %s: refuses %s', async (_step, _what, tampering) => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    application.calls.length = 0
    const outcome = outcomeOf(await ada.signIn(tampering))
    expect(['WebAuthnVerificationError', 'InvalidCheck']).toContain(outcome)
    expect(await ada.email()).toBeUndefined()
    expect(application.calls).not.toContain('updateAuthenticatorCounter')
  })

  it.each<[reason: string, tampering: Tampering]>([
    ['The signature is not valid.', { answer: flip('signature', 20) }],
    ['The passkey could not be verified.', { flags: flags => flags & ~FLAGS.UP }],
    [
      'The passkey is not of the kind it was created as.',
      { flags: flags => flags & ~(FLAGS.BE | FLAGS.BS) },
    ],
  ])('tells the log why: %s', async (reason, tampering) => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    await ada.signIn(tampering)
    expect(application.errors[0]?.message).toContain(reason)
  })

  it('step 1: asks with a fresh challenge, and for verification', async () => {
    const ada = createPasskeyApplication().person()
    const challenges = new Set<string>()
    for (let time = 0; time < 50; time++) challenges.add((await ada.options()).challenge)
    expect(challenges.size).toBe(50)
    for (const each of challenges) expect(Buffer.from(each, 'base64url')).toHaveLength(32)
    expect(await ada.options()).toMatchObject({
      rpId: 'app.example.com',
      userVerification: 'required',
      timeout: 300_000,
    })
  })

  it('step 5: refuses a key that is not among those that were asked for', async () => {
    const application = createPasskeyApplication({ kind: WebAuthn })
    const [ada, bob] = [application.person(), application.person()]
    await ada.register(ADA)
    await bob.register(BOB)
    await bob.signOut()
    const { allowCredentials: _, ...options } = await bob.options({ email: ADA })
    expect(outcomeOf(await bob.answer('authenticate', bob.device.get(options)))).toBe(
      'WebAuthnVerificationError',
    )
  })

  it('step 6: refuses a device that says that the key is of another user', async () => {
    const application = createPasskeyApplication()
    const [ada, bob] = [application.person(), application.person()]
    await ada.register(ADA)
    await bob.register(BOB)
    // Made while somebody is signed in, a key has a handle that is known to be that person's.
    for (const each of [ada, bob]) await each.register()
    const [, ofAda] = ada.device.keys
    const [, ofBob] = bob.device.keys
    await ada.signOut()
    const options = await ada.options()
    const honest = ada.device.get(options, {}, ofAda)
    expect(outcomeOf(await ada.answer('authenticate', honest))).toBe(ORIGIN)
    await ada.signOut()
    const { userHandle } = ofBob ?? {}
    const lying = ada.device.get(await ada.options(), { userHandle: userHandle ?? null }, ofAda)
    expect(outcomeOf(await ada.answer('authenticate', lying))).toBe('WebAuthnVerificationError')
  })

  it('step 6: refuses the key of another user to somebody who confirms who they are', async () => {
    const application = createPasskeyApplication()
    const [ada, bob] = [application.person(), application.person()]
    await ada.register(ADA)
    await bob.register(BOB)
    const { allowCredentials: _, ...options } = await ada.options({ action: 'authenticate' })
    expect(outcomeOf(await ada.answer('authenticate', bob.device.get(options)))).toBe(
      'WebAuthnVerificationError',
    )
    expect(await ada.email()).toBe(ADA)
  })

  it('step 17: accepts a key that verified nobody, where the application does not ask for it', async () => {
    const provider = {
      authenticationOptions: { userVerification: 'preferred' },
    } as const
    const ada = createPasskeyApplication({ kind: WebAuthn, provider }).person()
    await ada.register(ADA)
    await ada.signOut()
    expect(outcomeOf(await ada.signIn({ flags: flags => flags & ~FLAGS.UV }))).toBe(ORIGIN)
  })

  it('step 17: asks for verification where it demands it', async () => {
    const provider = {
      authenticationOptions: { userVerification: 'preferred' },
      verifyAuthenticationOptions: { requireUserVerification: true },
    } as const
    const ada = createPasskeyApplication({ kind: WebAuthn, provider }).person()
    expect(await ada.options()).toMatchObject({ userVerification: 'required' })
  })

  it.each([
    ['lower', 4],
    ['equal', 5],
    ['zero', 0],
  ])('step 22: refuses a counter that is %s', async (_how, counter) => {
    const application = createPasskeyApplication()
    const ada = application.person(new SoftwareAuthenticator(ORIGIN, { counts: true }))
    await ada.register(ADA)
    expect(outcomeOf(await ada.signIn({ counter: 5 }))).toBe(ORIGIN)
    await ada.signOut()
    expect(outcomeOf(await ada.signIn({ counter }))).toBe('WebAuthnVerificationError')
    expect(await ada.email()).toBeUndefined()
    expect(outcomeOf(await ada.signIn({ counter: 6 }))).toBe(ORIGIN)
  })

  it('ignores extensions that nobody asked for', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    const extensions = new Map<Cbor, Cbor>([['x', 1]])
    expect(outcomeOf(await ada.signIn({ extensions }))).toBe(ORIGIN)
  })

  it.each([
    ['made', 'authenticate'],
    ['used', 'register'],
  ] as const)('takes no passkey that was %s for a challenge to %s', async (_how, action) => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const options = await ada.options({ action, email: BOB })
    const rp = { rp: { id: 'app.example.com' }, rpId: 'app.example.com', ...options }
    const answer = action === 'register' ? ada.device.get(rp) : ada.device.create(rp)
    for (const said of ['register', 'authenticate']) {
      const outcome = outcomeOf(await ada.answer(said, answer))
      expect(['WebAuthnVerificationError', 'InvalidCheck']).toContain(outcome)
    }
    expect(await ada.email()).toBeUndefined()
  })

  it('tells the visitor the same, whatever is wrong with the key', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const wrong: Tampering[] = [
      { answer: credential => ({ ...credential, id: 'AAAA', rawId: 'AAAA' }) },
      { answer: flip('signature', 20) },
      { userHandle: null },
      { counter: 0, flags: flags => flags & ~FLAGS.UV },
    ]
    const seen = new Set<string | null>()
    for (const each of wrong) seen.add((await ada.signIn(each)).headers.get('location'))
    expect([...seen]).toEqual([`${ORIGIN}/auth/error?error=WebAuthnVerificationError`])
  })
})
