import { InvalidConfiguration } from '../base/errors.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A passkey that is stored, as SimpleWebAuthn takes it. */
interface StoredPasskey {
  id: string
  publicKey: Bytes
  counter: number
  transports?: string[]
}

/** The expectations about a browser's response. */
interface Expectations {
  response: never
  expectedChallenge: string
  expectedOrigin: string[]
  expectedRPID: string
  requireUserVerification: boolean
}

/** The functions of the package `@simplewebauthn/server` that are used. */
export interface SimpleWebAuthn {
  generateRegistrationOptions(options: {
    rpName: string
    rpID: string
    userName: string
    userID: Bytes
    userDisplayName: string
    challenge: Bytes
    excludeCredentials: { id: string; transports?: string[] }[]
  }): Promise<object>
  generateAuthenticationOptions(options: {
    rpID: string
    challenge: Bytes
    allowCredentials?: { id: string; transports?: string[] }[]
  }): Promise<object>
  verifyRegistrationResponse(options: Expectations & { supportedAlgorithmIDs?: number[] }): Promise<
    | { verified: false }
    | {
        verified: true
        registrationInfo: {
          fmt: string
          aaguid: string
          attestationObject: Bytes
          credential: StoredPasskey
          credentialDeviceType: string
          credentialBackedUp: boolean
        }
      }
  >
  verifyAuthenticationResponse(options: Expectations & { credential: StoredPasskey }): Promise<{
    verified: boolean
    authenticationInfo: { newCounter: number; credentialDeviceType: string }
  }>
  /** Only for `requireAttestation`. This and what follows is in `@simplewebauthn/server/helpers`. */
  decodeAttestationObject?(attestationObject: Bytes): {
    get(name: 'attStmt'): { get(name: 'x5c'): Bytes[] | undefined }
  }
  getCertificateInfo?(certificate: Bytes): { basicConstraintsCA: boolean }
  validateCertificatePath?(certificates: string[], trustAnchors: string[]): Promise<boolean>
}

/**
 * Loads SimpleWebAuthn. Only from here, which only the providers that need it import: a bundler
 * would look for the package in every application otherwise.
 */
export async function loadSimpleWebAuthn(): Promise<SimpleWebAuthn> {
  try {
    const [server, helpers] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ])
    return { ...server, ...helpers }
  } catch (error) {
    throw new InvalidConfiguration(
      'Passkeys need the @simplewebauthn/server package on the server, and @simplewebauthn/browser ' +
        'for your own pages: npm install @simplewebauthn/server@14 @simplewebauthn/browser@14',
      { cause: error },
    )
  }
}
