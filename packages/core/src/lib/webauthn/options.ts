import type { SimpleWebAuthn } from '../providers/simple-webauthn.ts'
import type {
  RelayingParty,
  UserVerification,
  WebAuthnConfig,
  WebAuthnVerifyOptions,
} from '../providers/webauthn.ts'

/** A key that a user has. */
export interface UserCredential {
  /** In base64url. */
  readonly id: string
  readonly transports: readonly string[]
}

/** The options with which a browser creates a passkey. */
export function registrationOptions(
  library: SimpleWebAuthn,
  provider: WebAuthnConfig,
  request: {
    readonly party: RelayingParty
    readonly challenge: Uint8Array<ArrayBuffer>
    readonly user: {
      readonly handle: Uint8Array<ArrayBuffer>
      readonly name: string
      readonly displayName: string
    }
    /** The keys that the user has already. */
    readonly exclude: readonly UserCredential[]
  },
): Promise<object> {
  const {
    registrationOptions: configured,
    verifyRegistrationOptions,
    requireAttestation,
  } = provider
  const { userVerification, ...selection } = configured?.authenticatorSelection ?? {}
  const { party, user } = request
  return library.generateRegistrationOptions({
    // Browsers remove the proof unless they are asked for it.
    ...(requireAttestation && { attestationType: 'direct' }),
    ...configured,
    // A copy: the library writes into it.
    authenticatorSelection: {
      residentKey: 'preferred',
      ...selection,
      userVerification: requestedVerification(userVerification, verifyRegistrationOptions),
    },
    rpID: party.id,
    rpName: party.name,
    challenge: request.challenge,
    userID: user.handle,
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: request.exclude.map(descriptorOf),
  } as Parameters<SimpleWebAuthn['generateRegistrationOptions']>[0]) // with what else the application passes on
}

/** The options with which a browser uses a passkey. */
export function authenticationOptions(
  library: SimpleWebAuthn,
  provider: WebAuthnConfig,
  request: {
    readonly party: RelayingParty
    readonly challenge: Uint8Array<ArrayBuffer>
    /** The keys that may be used; null for any that the device finds. */
    readonly allow: readonly UserCredential[] | null
  },
): Promise<object> {
  const { authenticationOptions: configured, verifyAuthenticationOptions } = provider
  const userVerification = requestedVerification(
    configured?.userVerification,
    verifyAuthenticationOptions,
  )
  return library.generateAuthenticationOptions({
    ...configured,
    userVerification,
    rpID: request.party.id,
    challenge: request.challenge,
    ...(request.allow && { allowCredentials: request.allow.map(descriptorOf) }),
  } as Parameters<SimpleWebAuthn['generateAuthenticationOptions']>[0]) // with what else the application passes on
}

/** Whether an answer without verification of the user is refused. */
export function requiresVerification(
  requested: UserVerification | undefined,
  verify: WebAuthnVerifyOptions | undefined,
): boolean {
  return verify?.requireUserVerification ?? (requested === undefined || requested === 'required')
}

/** The requirements for the browser: no less than those for its response. */
function requestedVerification(
  requested: UserVerification | undefined,
  verify: WebAuthnVerifyOptions | undefined,
): UserVerification {
  return requiresVerification(requested, verify) ? 'required' : (requested ?? 'preferred')
}

function descriptorOf({ id, transports }: UserCredential) {
  return { id, ...(transports.length > 0 && { transports: [...transports] }) }
}
