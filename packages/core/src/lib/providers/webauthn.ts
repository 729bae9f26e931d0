import type { Adapter } from '../base/adapter.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { CommonProviderOptions } from '../base/provider-type.ts'
import type { User } from '../base/user.ts'
import type { CredentialInput } from './credentials.ts'
import type { SimpleWebAuthn } from './simple-webauthn.ts'

/** Whether a device must verify who is using it, by fingerprint, face or PIN. */
export type UserVerification = 'discouraged' | 'preferred' | 'required'

/** The site a passkey is created for. Browsers use it nowhere else. */
export interface RelayingParty {
  /** The domain, or a parent of it: `example.com` also covers `app.example.com`. */
  id: string
  /** Shown by the device. */
  name: string
  /** Where a passkey may be used, as `https://app.example.com`. */
  origin: string | readonly string[]
}

/** How passkeys are created. See the options of SimpleWebAuthn's `generateRegistrationOptions`. */
export interface WebAuthnRegistrationOptions {
  /** How long a person may take, in milliseconds. */
  timeout?: number
  attestationType?: 'none' | 'indirect' | 'direct' | 'enterprise'
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform'
    residentKey?: 'discouraged' | 'preferred' | 'required'
    requireResidentKey?: boolean
    userVerification?: UserVerification
  }
  extensions?: Record<string, unknown>
  /** COSE numbers of the accepted signatures. */
  supportedAlgorithmIDs?: number[]
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
}

/** How passkeys are used. See the options of SimpleWebAuthn's `generateAuthenticationOptions`. */
export interface WebAuthnAuthenticationOptions {
  /** How long a person may take, in milliseconds. */
  timeout?: number
  userVerification?: UserVerification
  extensions?: Record<string, unknown>
}

/** Further checks of a passkey, beyond those that are always made. */
export interface WebAuthnVerifyOptions {
  /** Defaults to the options sent to the browser, or to true if they do not set it. */
  requireUserVerification?: boolean
}

/** The devices that passkeys can be created on: WebAuthn §7.1 steps 21 to 24. */
export interface AttestationRequirements {
  /** Certificates in PEM: the roots of the manufacturers that you trust. Others prove nothing. */
  trustAnchors: readonly string[]
  /** The models that are accepted, by AAGUID. Defaults to every model of these manufacturers. */
  aaguids?: readonly string[]
}

/** The context of a provider's functions besides the request. */
export interface WebAuthnContext {
  readonly provider: WebAuthnConfig
  readonly adapter: Readonly<Adapter>
  /** The request's URL, at the origin visitors use. */
  readonly url: URL
}

/** A request, as a provider's functions see it. */
export interface WebAuthnRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** The name that a visitor enters. */
export type WebAuthnUserInfo =
  | { readonly user: User & { readonly id: string }; readonly exists: true }
  | { readonly user: User & { readonly email: string }; readonly exists: false }

/** Finds out who a visitor claims to be; null if the request does not say. */
export type GetUserInfo = (
  context: WebAuthnContext,
  request: WebAuthnRequest,
) => Awaitable<WebAuthnUserInfo | null>

/** Signs people in with a passkey or a security key. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: 'webauthn'
  /**
   * The site passkeys are created for. Anything left out comes from the application's URL. Of
   * several ids and names, the first counts; every listed origin is accepted. An id that is not the
   * host itself needs `origin` or `AUTH_URL`: other hosts of its domain may belong to others.
   */
  relayingParty?: {
    id?: string | readonly string[]
    name?: string | readonly string[]
    origin?: string | readonly string[]
  }
  /** Decides for each request which site passkeys are created for. Replaces `relayingParty`. */
  getRelayingParty?: (context: WebAuthnContext, request: WebAuthnRequest) => RelayingParty
  /** Defaults to the user with the address in the `email` field. */
  getUserInfo?: GetUserInfo
  /**
   * Whether visitors who are not signed in can sign up with a passkey. Defaults to true, which
   * takes an email provider: a link proves the address, and then the passkey is created. With
   * `false`, people first sign in another way, then add a passkey.
   */
  allowSignUp?: boolean
  /**
   * Without an email provider, let people sign up with a passkey and an address they only typed. It
   * may not be theirs: grant nothing because of it. Anyone who proves it later takes it over.
   */
  allowSignUpWithUnprovenEmail?: boolean
  /** Offer passkeys in the autofill of the sign-in form. */
  enableConditionalUI?: boolean
  /** The form fields, by name. */
  formFields?: Record<string, CredentialInput>
  registrationOptions?: WebAuthnRegistrationOptions
  authenticationOptions?: WebAuthnAuthenticationOptions
  verifyRegistrationOptions?: WebAuthnVerifyOptions
  verifyAuthenticationOptions?: WebAuthnVerifyOptions
  /**
   * Refuse passkeys whose device does not prove, by a certificate that leads to one of the trust
   * anchors, what it is. Browsers are then asked for the proof.
   *
   * @example
   * ```ts
   * import { readFileSync } from 'node:fs'
   * import WebAuthn from '@siteauth/core/providers/webauthn'
   *
   * // From https://developers.yubico.com/PKI/yubico-ca-1.pem
   * const yubico = readFileSync('yubico-ca-1.pem', 'utf8')
   *
   * export const securityKey = WebAuthn({ requireAttestation: { trustAnchors: [yubico] } })
   * ```
   */
  requireAttestation?: AttestationRequirements | false
  /**
   * SimpleWebAuthn, or a function that loads it. Defaults to the `@simplewebauthn/server` package.
   */
  simpleWebAuthn?: SimpleWebAuthn | (() => Promise<SimpleWebAuthn>)
  /** No effect: no page loads a script from elsewhere. */
  simpleWebAuthnBrowserVersion?: string | false
  options?: object
}

/** The options of a WebAuthn provider. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'type'>>

/** The type of the providers that use WebAuthn. */
export type WebAuthnProviderType = 'webauthn'

/** Whether every key of a provider can be found by its device without being told which to look for. */
export function isDiscoverable({ registrationOptions }: WebAuthnConfig): boolean {
  const { residentKey, requireResidentKey } = registrationOptions?.authenticatorSelection ?? {}
  return (residentKey ?? (requireResidentKey ? 'required' : undefined)) === 'required'
}
