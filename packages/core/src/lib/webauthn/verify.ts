import { fromBase64Url } from '#crypto'
import type { Authenticator } from '../base/adapter.ts'
import { AuthError, WebAuthnVerificationError } from '../base/errors.ts'
import { toBase64Url } from '../crypto/encoding.ts'
import type { SimpleWebAuthn } from '../providers/simple-webauthn.ts'
import type { RelayingParty, WebAuthnConfig } from '../providers/webauthn.ts'
import type { BrowserResponse } from './browser-response.ts'
import { cborLength } from './cbor-length.ts'
import { fromStored, toStored } from './encode-id.ts'
import { requiresVerification } from './options.ts'
import { requireAttestation } from './require-attestation.ts'

/** The values that a response must match. */
export interface Expected {
  /** In base64url. */
  readonly challenge: string
  readonly party: RelayingParty
}

/** WebAuthn §7.1: verifies a new passkey. Returns the part to store. */
export async function verifyRegistration(
  library: SimpleWebAuthn,
  provider: WebAuthnConfig,
  response: BrowserResponse,
  expected: Expected,
): Promise<Omit<Authenticator, 'userId'>> {
  const { attestationObject } = response
  if (!attestationObject || cborLength(attestationObject) !== attestationObject.length) {
    throw new WebAuthnVerificationError('attestationObject is not one CBOR item.')
  }
  const { registrationOptions: requested, verifyRegistrationOptions: verify } = provider
  const { userVerification } = requested?.authenticatorSelection ?? {}
  const result = await rejectOnThrow(() =>
    library.verifyRegistrationResponse({
      ...expectations(response, expected),
      requireUserVerification: requiresVerification(userVerification, verify),
      ...(requested?.supportedAlgorithmIDs && {
        supportedAlgorithmIDs: requested.supportedAlgorithmIDs,
      }),
    }),
  )
  if (!result.verified) throw new WebAuthnVerificationError('The attestation is not valid.')
  const { credential, credentialDeviceType, credentialBackedUp } = result.registrationInfo
  const { requireAttestation: required } = provider
  if (required) {
    await rejectOnThrow(() => requireAttestation(library, required, result.registrationInfo))
  }
  const id = fromBase64Url(credential.id)
  if (!id || toBase64Url(id) !== toBase64Url(response.id)) {
    throw new WebAuthnVerificationError("The passkey's id differs from what the browser says.")
  }
  const stored = toStored(id)
  return {
    providerAccountId: stored,
    credentialID: stored,
    credentialPublicKey: toStored(credential.publicKey),
    counter: credential.counter,
    credentialDeviceType,
    credentialBackedUp,
    ...(response.transports.length > 0 && { transports: response.transports.join(',') }),
  }
}

/** WebAuthn §7.2: verifies that a passkey was used. Returns its new counter. */
export async function verifyAuthentication(
  library: SimpleWebAuthn,
  provider: WebAuthnConfig,
  response: BrowserResponse,
  stored: Authenticator,
  expected: Expected,
): Promise<number> {
  const publicKey = fromStored(stored.credentialPublicKey)
  if (!publicKey) throw new WebAuthnVerificationError('The stored key cannot be read.')
  const { authenticationOptions: requested, verifyAuthenticationOptions: verify } = provider
  const { verified, authenticationInfo } = await rejectOnThrow(() =>
    library.verifyAuthenticationResponse({
      ...expectations(response, expected),
      requireUserVerification: requiresVerification(requested?.userVerification, verify),
      credential: { id: toBase64Url(response.id), publicKey, counter: stored.counter },
    }),
  )
  if (!verified) throw new WebAuthnVerificationError('The signature is not valid.')
  // §7.2 step 19: whether a key can be copied to other devices is decided when it is made.
  const { credentialDeviceType: before } = stored
  const isRecorded = before === 'singleDevice' || before === 'multiDevice'
  if (isRecorded && before !== authenticationInfo.credentialDeviceType) {
    throw new WebAuthnVerificationError('The passkey is not of the kind it was created as.')
  }
  return authenticationInfo.newCounter
}

function expectations({ credential }: BrowserResponse, { challenge, party }: Expected) {
  return {
    response: credential as never, // whatever the visitor sent: checking it is what the library is for
    expectedChallenge: challenge,
    expectedOrigin: typeof party.origin === 'string' ? [party.origin] : [...party.origin],
    expectedRPID: party.id,
  }
}

async function rejectOnThrow<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new WebAuthnVerificationError('The passkey could not be verified.', { cause: error })
  }
}
