import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Cbor, encodeCbor, encodePairs } from './cbor.ts'

/** What a page gets from the library and hands to the browser. */
export interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** What a browser answers, as JSON. */
export interface CredentialJson {
  id: string
  rawId: string
  type: string
  clientExtensionResults: object
  response: Record<string, unknown>
}

/** A key on the device. */
export interface Key {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: Buffer
  readonly rpId: string
  readonly userHandle: string
  counter: number
  /** Whether it can be copied to other devices, and has been. */
  readonly flags: number
}

export const FLAGS = { UP: 1, UV: 4, BE: 8, BS: 16, AT: 64, ED: 128 }

/** What is done otherwise than an honest browser and device do it. Each alone breaks one step. */
export interface Tampering {
  /** Laid over what the browser says of the page. */
  clientData?: Record<string, unknown>
  /** Replaces the bytes of that, before they are signed. */
  clientDataBytes?: (json: string) => Uint8Array
  rpId?: string
  /** Changes the flags of the device. */
  flags?: (flags: number) => number
  counter?: number
  userHandle?: string | null
  id?: Buffer
  algorithm?: number
  format?: string
  statement?: Map<Cbor, Cbor>
  /** Signs the statement of a `packed` attestation with another key. */
  forgeStatement?: boolean
  /** Signs the statement of a `packed` attestation for these certificates, in DER, rather than with the key itself. */
  attestedBy?: { readonly certificates: readonly Buffer[]; readonly privateKey: KeyObject }
  /** The model of the device. */
  aaguid?: string
  duplicateFormat?: boolean
  trailing?: Uint8Array
  extensions?: Map<Cbor, Cbor>
  /** Changes the answer after it was signed. */
  answer?: (credential: CredentialJson) => CredentialJson
}

/** A device that keeps keys, and the browser around it, in a page of one origin. */
export class SoftwareAuthenticator {
  readonly keys: Key[] = []
  readonly #origin: string
  /** Synced passkeys do not count. */
  readonly #counts: boolean
  readonly #flags: number

  constructor(origin: string, { counts = false, synced = true } = {}) {
    this.#origin = origin
    this.#counts = counts
    this.#flags = FLAGS.UP | FLAGS.UV | (synced ? FLAGS.BE | FLAGS.BS : 0)
  }

  create(options: Options, tampering: Tampering = {}): CredentialJson {
    const { algorithm = -7 } = tampering
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key: Key = {
      id: tampering.id ?? randomBytes(32),
      privateKey,
      publicKey: encodeCbor(
        new Map<Cbor, Cbor>([
          [1, 2],
          [3, algorithm],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      ),
      rpId: options.rp?.id ?? '',
      userHandle: options.user?.id ?? '',
      counter: this.#counts ? 1 : 0,
      flags: this.#flags,
    }
    this.keys.push(key)
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(key.id.length)
    const attested = Buffer.concat([modelOf(tampering), idLength, key.id, key.publicKey])
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, tampering)
    const authData = this.#authData(key, key.flags | FLAGS.AT, attested, tampering)
    const pairs: [Cbor, Cbor][] = [
      ['fmt', tampering.format ?? 'none'],
      ['attStmt', tampering.statement ?? statementFor(key, authData, clientDataJSON, tampering)],
      ['authData', authData],
    ]
    if (tampering.duplicateFormat) pairs.push(['fmt', 'none'])
    const attestationObject = Buffer.concat([
      encodePairs(pairs),
      tampering.trailing ?? Buffer.alloc(0),
    ])
    return finish(key, tampering, {
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  get(options: Options, tampering: Tampering = {}, key = this.#find(options)): CredentialJson {
    if (this.#counts) key.counter++
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, tampering)
    const authData = this.#authData(key, key.flags, Buffer.alloc(0), tampering)
    const { userHandle = key.userHandle } = tampering
    return finish(key, tampering, {
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign(
        'sha256',
        Buffer.concat([authData, sha256(clientDataJSON)]),
        key.privateKey,
      ).toString('base64url'),
      ...(userHandle !== null && { userHandle }),
    })
  }

  #find({ rpId, allowCredentials }: Options): Key {
    const isAllowed = ({ id }: Key) =>
      !allowCredentials?.length ||
      allowCredentials.some(each => each.id === id.toString('base64url'))
    const found = this.keys.find(each => each.rpId === rpId && isAllowed(each))
    if (!found) throw new Error('the device has no key for this site')
    return found
  }

  #clientData(type: string, challenge: string, { clientData, clientDataBytes }: Tampering): Buffer {
    const json = JSON.stringify({
      type,
      challenge,
      origin: this.#origin,
      crossOrigin: false,
      ...clientData,
    })
    return Buffer.from(clientDataBytes?.(json) ?? Buffer.from(json))
  }

  #authData(key: Key, flags: number, attested: Buffer, tampering: Tampering): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(tampering.counter ?? key.counter)
    const { extensions } = tampering
    const all = (tampering.flags?.(flags) ?? flags) | (extensions ? FLAGS.ED : 0)
    return Buffer.concat([
      sha256(Buffer.from(tampering.rpId ?? key.rpId)),
      Buffer.from([all]),
      counter,
      attested,
      extensions ? encodeCbor(extensions) : Buffer.alloc(0),
    ])
  }
}

function modelOf({ aaguid = '' }: Tampering): Buffer {
  return Buffer.from(aaguid.replaceAll('-', '').padEnd(32, '0'), 'hex')
}

/** Signed by the key itself, or for certificates, where the format is `packed`. */
function statementFor(
  key: Key,
  authData: Buffer,
  clientData: Buffer,
  tampering: Tampering,
): Map<Cbor, Cbor> {
  if (tampering.format !== 'packed') return new Map()
  const { attestedBy } = tampering
  const signer = tampering.forgeStatement
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    : (attestedBy?.privateKey ?? key.privateKey)
  const sig = sign('sha256', Buffer.concat([authData, sha256(clientData)]), signer)
  return new Map<Cbor, Cbor>([
    ['alg', -7],
    ['sig', sig],
    ...(attestedBy ? [['x5c', [...attestedBy.certificates]] as [Cbor, Cbor]] : []),
  ])
}

function finish(
  key: Key,
  { answer }: Tampering,
  response: Record<string, unknown>,
): CredentialJson {
  const id = key.id.toString('base64url')
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  return answer ? answer(credential) : credential
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
