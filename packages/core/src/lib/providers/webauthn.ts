import type { Adapter, Awaitable, CommonProviderOptions, User } from '../base/model.ts'
import type { CredentialInput } from './credentials.ts'
import type { SimpleWebAuthn } from './simple-webauthn.ts'

/** Whether a device must make sure who uses it, by a fingerprint, a face or a PIN. */
export type UserVerification = 'discouraged' | 'preferred' | 'required'

/** The site that a passkey is made for. A browser uses it nowhere else. */
export interface RelayingParty {
  /** The domain, or a parent of it: `example.com` serves `app.example.com`, too. */
  id: string
  /** Shown by the device. */
  name: string
  /** Where a passkey may be used, as `https://app.example.com`. */
  origin: string | readonly string[]
}

/** How passkeys are made. See the options of `generateRegistrationOptions` of SimpleWebAuthn. */
export interface WebAuthnRegistrationOptions {
  /** Milliseconds that a person has. */
  timeout?: number
  attestationType?: 'none' | 'indirect' | 'direct' | 'enterprise'
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform'
    residentKey?: 'discouraged' | 'preferred' | 'required'
    requireResidentKey?: boolean
    userVerification?: UserVerification
  }
  extensions?: Record<string, unknown>
  /** COSE numbers of the signatures that are accepted. */
  supportedAlgorithmIDs?: number[]
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
}

/** How passkeys are used. See the options of `generateAuthenticationOptions` of SimpleWebAuthn. */
export interface WebAuthnAuthenticationOptions {
  /** Milliseconds that a person has. */
  timeout?: number
  userVerification?: UserVerification
  extensions?: Record<string, unknown>
}

/** What is checked of a passkey beyond what always is. */
export interface WebAuthnVerifyOptions {
  /** Defaults to what the options ask of the browser, and to true where they ask nothing. */
  requireUserVerification?: boolean
}

/** What the functions of a provider are told beside the request. */
export interface WebAuthnContext {
  readonly provider: WebAuthnConfig
  readonly adapter: Readonly<Adapter>
  /** The URL of the request, at the origin that visitors use. */
  readonly url: URL
}

/** A request, as the functions of a provider see it. */
export interface WebAuthnRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** Whom a visitor says to be. */
export type WebAuthnUserInfo =
  | { readonly user: User & { readonly id: string }; readonly exists: true }
  | { readonly user: User & { readonly email: string }; readonly exists: false }

/** Finds out whom a visitor says to be; null where the request does not say. */
export type GetUserInfo = (
  context: WebAuthnContext,
  request: WebAuthnRequest,
) => Awaitable<WebAuthnUserInfo | null>

/** Signs people in by a passkey or a security key. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: 'webauthn'
  /**
   * The site that passkeys are made for. What is not given comes from the URL of the application.
   * Of several ids and names the first counts; every origin that is listed is accepted.
   */
  relayingParty?: {
    id?: string | readonly string[]
    name?: string | readonly string[]
    origin?: string | readonly string[]
  }
  /** Decides for each request which site passkeys are made for. Replaces `relayingParty`. */
  getRelayingParty?: (context: WebAuthnContext, request: WebAuthnRequest) => RelayingParty
  /** Defaults to whoever has the address in the field `email`. */
  getUserInfo?: GetUserInfo
  /**
   * Whether a visitor who is not signed in is offered to sign up with a passkey. Defaults to true,
   * which takes a provider for email: a link proves the address, and then the passkey is made. With
   * `false`, passkeys are added by people who have signed in another way.
   */
  allowSignUp?: boolean
  /**
   * Let people sign up with a passkey and an address that they only typed, where there is no provider
   * for email. Nobody knows whether the address is theirs: grant nothing because of it. Whoever proves
   * it later takes it over.
   */
  allowSignUpWithUnprovenEmail?: boolean
  /** Offer passkeys in the autofill of the sign-in form. */
  enableConditionalUI?: boolean
  /** The fields of the form, by name. */
  formFields?: Record<string, CredentialInput>
  registrationOptions?: WebAuthnRegistrationOptions
  authenticationOptions?: WebAuthnAuthenticationOptions
  verifyRegistrationOptions?: WebAuthnVerifyOptions
  verifyAuthenticationOptions?: WebAuthnVerifyOptions
  /** Refuse passkeys whose device does not prove what it is. Ask for it by `attestationType`. */
  requireAttestation?: boolean
  /** SimpleWebAuthn, or how to load it. Defaults to the package `@simplewebauthn/server`. */
  simpleWebAuthn?: SimpleWebAuthn | (() => Promise<SimpleWebAuthn>)
  /** Without effect: no page loads a script from elsewhere. */
  simpleWebAuthnBrowserVersion?: string | false
  options?: object
}

/** What an application writes for a WebAuthn provider. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'type'>>

/** The type of the providers that use WebAuthn. */
export type WebAuthnProviderType = 'webauthn'

/** Whether every key of a provider can be found by its device without being told which to look for. */
export function isDiscoverable({ registrationOptions }: WebAuthnConfig): boolean {
  const { residentKey, requireResidentKey } = registrationOptions?.authenticatorSelection ?? {}
  return (residentKey ?? (requireResidentKey ? 'required' : undefined)) === 'required'
}
