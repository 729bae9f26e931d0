import { InvalidConfiguration, WebAuthnVerificationError } from '../base/errors.ts'
import type { SimpleWebAuthn } from '../providers/simple-webauthn.ts'
import type { AttestationRequirements } from '../providers/webauthn.ts'
import { type Certificate, readCertificates, toPem } from './certificates.ts'

/** The facts about the device in a verified response. */
export interface AttestedDevice {
  readonly attestationObject: Uint8Array<ArrayBuffer>
  /** The model of the device. */
  readonly aaguid: string
}

/**
 * WebAuthn §7.1 steps 21 to 24, without which a statement proves nothing: anyone can sign one with the new key itself,
 * or with a certificate of their own that names a manufacturer.
 */
export async function requireAttestation(
  library: SimpleWebAuthn,
  { trustAnchors, aaguids }: AttestationRequirements,
  { attestationObject, aaguid }: AttestedDevice,
): Promise<void> {
  const { decodeAttestationObject, getCertificateInfo, validateCertificatePath } = library
  if (!decodeAttestationObject || !getCertificateInfo || !validateCertificatePath) {
    throw new InvalidConfiguration(
      'requireAttestation needs the functions of @simplewebauthn/server/helpers, too. Leave simpleWebAuthn ' +
        'out, or set it to an object with the members of both modules.',
    )
  }
  const x5c = decodeAttestationObject(attestationObject).get('attStmt').get('x5c') ?? []
  const anchors = trustAnchors.flatMap(readCertificates)
  const path = untrusted(x5c, anchors)
  if (x5c.length === 0) throw rejection('its statement has no certificate')
  // A certificate of a device must not vouch for others. SimpleWebAuthn does not look at that: RFC 5280 §6.1.4 (k).
  if (path.slice(1).some(each => !getCertificateInfo(each).basicConstraintsCA)) {
    throw rejection('a certificate was issued by one that may not issue any')
  }
  if (path.length > 0) await validateCertificatePath(path.map(toPem), anchors.map(toPem))
  if (aaguids && !aaguids.some(each => each.toLowerCase() === aaguid)) {
    throw rejection(`its model ${aaguid} is not among aaguids`)
  }
}

/** The certificates before the first that is trusted itself. */
function untrusted(
  path: readonly Certificate[],
  anchors: readonly Certificate[],
): readonly Certificate[] {
  const trusted = new Set(anchors.map(toPem))
  const end = path.findIndex(each => trusted.has(toPem(each)))
  return end === -1 ? path : path.slice(0, end)
}

function rejection(reason: string): WebAuthnVerificationError {
  return new WebAuthnVerificationError(`The device does not prove what it is: ${reason}.`)
}
