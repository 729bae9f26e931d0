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

/** Changes members of what the browser answers, after it was signed. */
const answering =
  (
    change: (response: Record<string, unknown>) => Record<string, unknown>,
  ): NonNullable<Tampering['answer']> =>
  credential => ({
    ...credential,
    response: { ...credential.response, ...change(credential.response) },
  })

/** Changes one byte of a field in base64url, counted from its end. */
const flip = (field: string, fromEnd = 1) =>
  answering(response => {
    const bytes = Buffer.from(String(response[field]), 'base64url')
    const at = bytes.length - fromEnd
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return { [field]: bytes.toString('base64url') }
  })

const withText =
  (change: (json: string) => string): NonNullable<Tampering['clientDataBytes']> =>
  json =>
    Buffer.from(change(json))

/** The steps of WebAuthn Level 3 §7.1, each broken alone. */
const steps: [step: string, what: string, tampering: Tampering][] = [
  [
    '2',
    'an answer of the other ceremony',
    {
      answer: answering(() => ({
        attestationObject: undefined,
        signature: 'AAAA',
        authenticatorData: 'AAAA',
      })),
    },
  ],
  [
    '2',
    'an answer without a response',
    { answer: ({ response: _, ...rest }) => rest as CredentialJson },
  ],
  [
    '2',
    'a credential that is no public key',
    { answer: credential => ({ ...credential, type: 'password' }) },
  ],
  ['2', 'two ids for one key', { answer: credential => ({ ...credential, rawId: 'AAAA' }) }],
  [
    '2',
    'another id than the key has',
    { answer: credential => ({ ...credential, id: 'AAAA', rawId: 'AAAA' }) },
  ],
  [
    '2',
    'an id in base64 with padding',
    {
      id: Buffer.alloc(32, 255),
      answer: credential => ({
        ...credential,
        id: Buffer.alloc(32, 255).toString('base64'),
        rawId: Buffer.alloc(32, 255).toString('base64'),
      }),
    },
  ],
  [
    '5',
    'client data that is not UTF-8',
    {
      clientDataBytes: json =>
        Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
    },
  ],
  [
    '5',
    'client data that starts with a byte order mark',
    { clientDataBytes: withText(json => `\ufeff${json}`) },
  ],
  ['6', 'client data that is not JSON', { clientDataBytes: withText(json => `${json}}`) }],
  ['6', 'client data that is a list', { clientDataBytes: withText(json => `[${json}]`) }],
  ['7', 'the type of a sign-in', { clientData: { type: 'webauthn.get' } }],
  ['7', 'no type', { clientData: { type: undefined } }],
  ['8', 'another challenge', { clientData: { challenge: randomBytes(32).toString('base64url') } }],
  ['8', 'no challenge', { clientData: { challenge: undefined } }],
  ['8', 'an empty challenge', { clientData: { challenge: '' } }],
  ['9', 'a foreign origin', { clientData: { origin: 'https://evil.example' } }],
  ['9', 'an origin that starts like ours', { clientData: { origin: `${ORIGIN}.evil.example` } }],
  ['9', 'another port', { clientData: { origin: `${ORIGIN}:8443` } }],
  ['9', 'the origin without TLS', { clientData: { origin: 'http://app.example.com' } }],
  ['9', 'the parent domain', { clientData: { origin: 'https://example.com' } }],
  ['9', 'the origin null', { clientData: { origin: 'null' } }],
  ['9', 'several origins', { clientData: { origin: [ORIGIN] } }],
  ['10', 'a page inside another site', { clientData: { crossOrigin: true } }],
  ['10', 'a page inside another site, said by a text', { clientData: { crossOrigin: 'false' } }],
  [
    '11',
    'a foreign page around ours',
    { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } },
  ],
  [
    '11',
    'a page around ours that is not said to be foreign',
    { clientData: { topOrigin: ORIGIN } },
  ],
  [
    '12',
    'client data that was changed after it was signed',
    {
      format: 'packed',
      answer: answering(response => ({
        clientDataJSON: Buffer.from(
          Buffer.from(String(response['clientDataJSON']), 'base64url')
            .toString()
            .replace('}', ' }'),
        ).toString('base64url'),
      })),
    },
  ],
  ['13', 'bytes after the attestation', { trailing: Buffer.from([0]) }],
  ['13', 'an attestation with one key twice', { duplicateFormat: true }],
  [
    '13',
    'an attestation that is cut off',
    {
      answer: answering(response => ({
        attestationObject: String(response['attestationObject']).slice(0, -8),
      })),
    },
  ],
  [
    '13',
    'an attestation that is not base64url',
    { answer: answering(() => ({ attestationObject: '!!!!' })) },
  ],
  [
    '13',
    'an attestation that is nested without end',
    {
      answer: answering(() => ({
        attestationObject: Buffer.alloc(60_000, 0x81).toString('base64url'),
      })),
    },
  ],
  [
    '13',
    'an attestation that claims to have four billion items',
    {
      answer: answering(() => ({
        attestationObject: Buffer.from('9affffffff', 'hex').toString('base64url'),
      })),
    },
  ],
  [
    '13',
    'an attestation that is too long',
    { answer: answering(() => ({ attestationObject: 'A'.repeat(120_000) })) },
  ],
  ['14', 'the domain of another site', { rpId: 'evil.example' }],
  ['14', 'the parent domain', { rpId: 'example.com' }],
  ['15', 'nobody present', { flags: flags => flags & ~FLAGS.UP }],
  ['16', 'nobody verified, where that is required', { flags: flags => flags & ~FLAGS.UV }],
  [
    '17',
    'a copy of a key that cannot be copied',
    { flags: flags => (flags & ~FLAGS.BE) | FLAGS.BS },
  ],
  ['20', 'an algorithm that was not asked for', { algorithm: -65_535 }],
  ['21', 'an attestation of an unknown format', { format: 'x' }],
  [
    '22',
    'a statement where there should be none',
    { statement: new Map<Cbor, Cbor>([['alg', -7]]) },
  ],
  ['22', 'a statement signed by another key', { format: 'packed', forgeStatement: true }],
  ['25', 'an id of 1024 bytes', { id: randomBytes(1024) }],
  ['-', 'no attested key', { flags: flags => flags & ~FLAGS.AT }],
  [
    '-',
    'a key whose bytes were changed',
    { format: 'packed', answer: flip('attestationObject', 40) },
  ],
]

describe('WebAuthn Level 3 §7.1, registering', () => {
  it.each(steps)('step %s: refuses %s', async (_step, _what, tampering) => {
    const application = createPasskeyApplication()
    const ada = application.person()
    const outcome = outcomeOf(await ada.register(ADA, tampering))
    expect(['WebAuthnVerificationError', 'InvalidCheck']).toContain(outcome)
    expect(await ada.email()).toBeUndefined()
    expect(await application.adapter.getUserByEmail(ADA)).toBeNull()
  })

  it.each<[reason: string, tampering: Tampering]>([
    ['attestationObject is not one CBOR item.', { trailing: Buffer.from([0]) }],
    ['The attestation is not valid.', { format: 'packed', forgeStatement: true }],
    ['The passkey could not be verified.', { flags: flags => flags & ~FLAGS.UP }],
    [
      "The passkey's id differs from what the browser says.",
      { answer: credential => ({ ...credential, id: 'AAAA', rawId: 'AAAA' }) },
    ],
  ])('tells the log why: %s', async (reason, tampering) => {
    const application = createPasskeyApplication()
    await application.person().register(ADA, tampering)
    expect(application.errors[0]?.message).toContain(reason)
  })

  it('tells the log what SimpleWebAuthn has found', async () => {
    const application = createPasskeyApplication()
    await application.person().register(ADA, { clientData: { origin: 'https://evil.example' } })
    const cause = application.errors[0]?.cause as { err?: Error }
    expect(cause.err?.message).toContain('https://evil.example')
  })

  it.each<[string, Tampering]>([
    ['nothing', {}],
    ['a statement that the key itself signed', { format: 'packed' }],
    ['a counter', { counter: 7 }],
    ['extensions that nobody asked for', { extensions: new Map<Cbor, Cbor>([['x', 1]]) }],
    ['an id of 1023 bytes', { id: randomBytes(1023) }],
    ['a key that cannot be copied', { flags: flags => flags & ~(FLAGS.BE | FLAGS.BS) }],
  ])('accepts %s that is honest', async (_what, tampering) => {
    const ada = createPasskeyApplication().person()
    expect(outcomeOf(await ada.register(ADA, tampering))).toBe(ORIGIN)
  })

  it('step 1: asks with a fresh challenge, an opaque user and the keys that are accepted', async () => {
    const ada = createPasskeyApplication().person()
    const seen = new Set<string>()
    for (let time = 0; time < 50; time++) {
      const { challenge, user } = await ada.options({ action: 'register', email: ADA })
      expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
      expect(Buffer.from(user?.id ?? '', 'base64url')).toHaveLength(32)
      seen.add(challenge).add(user?.id ?? '')
    }
    expect(seen.size).toBe(100)
    expect(await ada.options({ action: 'register', email: ADA })).toMatchObject({
      rp: { id: 'app.example.com' },
      user: { name: ADA },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: expect.arrayContaining([{ alg: -7, type: 'public-key' }]),
    })
  })

  it('step 16: accepts a key that verified nobody, where the application does not ask for it', async () => {
    const provider = {
      registrationOptions: { authenticatorSelection: { userVerification: 'discouraged' } },
    } as const
    const ada = createPasskeyApplication({ kind: WebAuthn, provider }).person()
    const options = await ada.options({ action: 'register', email: ADA })
    expect(options).toMatchObject({ authenticatorSelection: { userVerification: 'discouraged' } })
    const made = ada.device.create(options, { flags: flags => flags & ~FLAGS.UV })
    expect(outcomeOf(await ada.answer('register', made))).toBe(ORIGIN)
  })

  it('step 20: accepts only the algorithms that the application lists', async () => {
    const provider = { registrationOptions: { supportedAlgorithmIDs: [-8] } }
    const ada = createPasskeyApplication({ provider }).person()
    expect(outcomeOf(await ada.register(ADA))).toBe('WebAuthnVerificationError')
  })

  it.each(['signed out', 'signed in'])(
    'step 26: refuses, %s, an id that another user has, whose row stays',
    async how => {
      const application = createPasskeyApplication()
      const ada = application.person()
      await ada.register(ADA)
      const id = ada.device.keys[0]?.id ?? Buffer.alloc(0)
      const before = await application.adapter.getAuthenticator(id.toString('base64'))
      const eve = application.person()
      if (how === 'signed in') await eve.register(BOB)
      const outcome = await eve.register(how === 'signed in' ? undefined : BOB, { id })
      expect(outcomeOf(outcome)).toBe('AccountNotLinked')
      expect(await application.adapter.getAuthenticator(id.toString('base64'))).toEqual(before)
      expect((await application.adapter.getUserByEmail(BOB)) === null).toBe(how === 'signed out')
    },
  )

  it('step 27: stores whether the key can be copied, whether it was, and how it is reached', async () => {
    const application = createPasskeyApplication()
    const ada = application.person(
      new SoftwareAuthenticator(ORIGIN, { synced: false, counts: true }),
    )
    await ada.register(ADA)
    const id = ada.device.keys[0]?.id.toString('base64') ?? ''
    expect(await application.adapter.getAuthenticator(id)).toMatchObject({
      counter: 1,
      credentialBackedUp: false,
      credentialDeviceType: 'singleDevice',
      transports: 'internal,hybrid',
    })
  })

  it('stores no transports that are none', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA, {
      answer: answering(() => ({ transports: ['usb', 'a,b', '<script>', 7] })),
    })
    const id = ada.device.keys[0]?.id.toString('base64') ?? ''
    expect((await application.adapter.getAuthenticator(id))?.transports).toBe('usb')
  })
})
