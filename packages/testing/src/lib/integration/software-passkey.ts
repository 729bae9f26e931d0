import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What the endpoints hand to a browser. */
export interface PasskeyOptions {
  readonly challenge: string
  /** To make one. */
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
  /** To use one. */
  readonly rpId?: string
}

/** What a browser answers, as JSON. */
export interface PasskeyResponse {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: object
  readonly response: object
}

/** Somebody is there, and is known to the device. */
const PRESENT_AND_VERIFIED = 0x01 | 0x04
/** A key comes along. */
const WITH_KEY = 0x40

/** One passkey, on a device without a screen, and the browser around it on pages of one origin. */
export class SoftwarePasskey {
  readonly #origin: string
  readonly #id = randomBytes(32)
  readonly #publicKey: Buffer
  readonly #privateKey: KeyObject
  #userHandle = ''

  constructor(origin: string) {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
    // In CBOR, as COSE has it: an ES256 key on the curve P-256, and its coordinates.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }

  /** Makes it, for a user. */
  create({ challenge, rp, user }: PasskeyOptions): PasskeyResponse {
    this.#userHandle = user?.id ?? ''
    const key = Buffer.concat([
      Buffer.alloc(16), // of no particular make
      Buffer.from([0, this.#id.length]),
      this.#id,
      this.#publicKey,
    ])
    const authData = Buffer.concat([authDataOf(rp?.id, PRESENT_AND_VERIFIED | WITH_KEY), key])
    // In CBOR: { fmt: 'none', attStmt: {}, authData }
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ])
    return this.#answer('webauthn.create', challenge, () => ({ attestationObject }))
  }

  /** Signs in with it. */
  get({ challenge, rpId }: PasskeyOptions): PasskeyResponse {
    const authenticatorData = authDataOf(rpId, PRESENT_AND_VERIFIED)
    return this.#answer('webauthn.get', challenge, clientData => ({
      authenticatorData,
      signature: sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientData)]),
        this.#privateKey,
      ),
      userHandle: Buffer.from(this.#userHandle, 'base64url'),
    }))
  }

  #answer(
    type: string,
    challenge: string,
    respond: (clientData: Buffer) => Record<string, Buffer>,
  ): PasskeyResponse {
    const page = { type, challenge, origin: this.#origin, crossOrigin: false }
    const clientDataJSON = Buffer.from(JSON.stringify(page))
    const parts = Object.entries({ clientDataJSON, ...respond(clientDataJSON) })
    const id = this.#id.toString('base64url')
    return {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: Object.fromEntries(
        parts.map(([name, bytes]) => [name, bytes.toString('base64url')]),
      ),
    }
  }
}

/** What a device says of a site and of itself. It does not count. */
function authDataOf(site = '', flags: number): Buffer {
  return Buffer.concat([sha256(Buffer.from(site)), Buffer.from([flags, 0, 0, 0, 0])])
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
