import { fromBase64Url } from '#crypto'
import { WebAuthnVerificationError } from '../base/errors.ts'
import { fromUtf8 } from '../crypto/encoding.ts'
import { fromBrowser } from './encode-id.ts'

/** A browser's response to a challenge, if it is well-formed. */
export interface BrowserResponse {
  /** The id of the passkey. */
  readonly id: Uint8Array<ArrayBuffer>
  /** The challenge that it says to answer. */
  readonly challenge: string
  /** The user of the passkey, as the device names it; null if it does not. */
  readonly userHandle: string | null
  readonly attestationObject: Uint8Array<ArrayBuffer> | null
  readonly transports: readonly string[]
  /** The whole of it, for SimpleWebAuthn, which checks the rest. */
  readonly credential: Readonly<Record<string, unknown>>
}

/** Longer than any honest field: a certificate chain of a large key has some 20 kB. */
const MAX_FIELD_LENGTH = 100_000

/**
 * Reads the field `data` of the form, which is JSON from the visitor. Whatever SimpleWebAuthn reads
 * leniently, or not at all, is checked here.
 */
export function readBrowserResponse(data: unknown): BrowserResponse {
  const credential = parseObject(typeof data === 'string' ? data : null)
  const { id, response } = (credential ?? {}) as { id?: unknown; response?: unknown }
  const bytes = fromBrowser(id)
  if (!credential || !bytes || bytes.length === 0 || !isObject(response)) {
    throw new WebAuthnVerificationError("The data field is not a browser's response.")
  }
  for (const [name, value] of Object.entries(response)) {
    if (typeof value === 'string' && value.length > MAX_FIELD_LENGTH) {
      throw new WebAuthnVerificationError(`The ${name} field is too long.`)
    }
  }
  const { clientDataJSON, attestationObject, userHandle, transports } = response as Fields
  const attested = typeof attestationObject === 'string' ? fromBase64Url(attestationObject) : null
  return {
    id: bytes,
    challenge: readClientData(clientDataJSON),
    userHandle: typeof userHandle === 'string' && userHandle !== '' ? userHandle : null,
    attestationObject: attested,
    transports: Array.isArray(transports) ? transports.filter(isTransport).slice(0, 10) : [],
    credential,
  }
}

interface Fields {
  readonly clientDataJSON?: unknown
  readonly attestationObject?: unknown
  readonly userHandle?: unknown
  readonly transports?: unknown
}

/**
 * WebAuthn §7.1 steps 5 to 11: the client data about the page. Type, challenge and origin are compared by
 * SimpleWebAuthn; that the page was not inside one of another site is checked here.
 */
function readClientData(clientDataJSON: unknown): string {
  const bytes = typeof clientDataJSON === 'string' ? fromBase64Url(clientDataJSON) : null
  const clientData = bytes && parseObject(textOf(bytes))
  if (!clientData) {
    throw new WebAuthnVerificationError('clientDataJSON is not JSON in UTF-8.')
  }
  const { challenge, crossOrigin, topOrigin } = clientData as {
    challenge?: unknown
    crossOrigin?: unknown
    topOrigin?: unknown
  }
  if (typeof challenge !== 'string') {
    throw new WebAuthnVerificationError('clientDataJSON has no challenge.')
  }
  if ((crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined) {
    throw new WebAuthnVerificationError('The page was framed by another site.')
  }
  return challenge
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return fromUtf8(bytes)
  } catch {
    return null
  }
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Stored with commas between them, and sent back to browsers.
function isTransport(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z-]{1,32}$/.test(value)
}
