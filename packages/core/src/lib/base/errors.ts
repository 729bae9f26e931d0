/** Which built-in page a failure leads to. */
export type ErrorKind = 'signIn' | 'error'

/**
 * Every failure that the library can report, by its type, and whether a visitor may learn of it: one that is hidden
 * is shown as `Configuration`. The class below describes it.
 */
const ERRORS = {
  AccessDenied: 'visible',
  AccessTokenError: 'hidden',
  AccountNotLinked: 'visible',
  AdapterError: 'hidden',
  CallbackRouteError: 'hidden',
  CredentialsSignin: 'visible',
  DuplicateConditionalUI: 'hidden',
  EmailCodeError: 'visible',
  EmailSignInError: 'visible',
  ErrorPageLoop: 'hidden',
  EventError: 'hidden',
  ExperimentalFeatureNotEnabled: 'hidden',
  InvalidCallbackUrl: 'hidden',
  InvalidCheck: 'visible',
  InvalidConfiguration: 'hidden',
  InvalidEndpoints: 'hidden',
  InvalidProvider: 'hidden',
  InvalidRequest: 'hidden',
  JWTSessionError: 'hidden',
  MissingAdapter: 'hidden',
  MissingAdapterMethods: 'hidden',
  MissingAuthorize: 'hidden',
  MissingCSRF: 'visible',
  MissingSecret: 'hidden',
  MissingWebAuthnAutocomplete: 'hidden',
  OAuthAccountNotLinked: 'visible',
  OAuthCallbackError: 'visible',
  OAuthProfileParseError: 'hidden',
  OAuthSignInError: 'hidden',
  PasswordRefused: 'visible',
  ReauthenticationRequired: 'visible',
  SessionTokenError: 'hidden',
  SignOutError: 'hidden',
  TooManyAttempts: 'visible',
  UnknownAction: 'hidden',
  UnsupportedStrategy: 'hidden',
  UntrustedHost: 'hidden',
  Verification: 'visible',
  WebAuthnVerificationError: 'visible',
} as const

/** The `type` of an {@link AuthError}, which identifies it in logs and, if visible, in URLs. */
export type ErrorType = keyof typeof ERRORS

/** The cause of an {@link AuthError}: the original error, and details worth logging. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

// The page is in the package itself, so it matches the version and can be read offline.
const EXPLANATIONS = 'node_modules/@siteauth/core/dist/errors.md'

/** Where a type of error, or a warning, is explained. */
export function explanationOf(code: string): string {
  return `${EXPLANATIONS}#${code.toLowerCase()}`
}

// In the global registry, so that two copies of this package in one process recognise each other's
// errors. With plain `instanceof`, a wrong password would become a server error.
const brand = Symbol.for('siteauth.error')

/**
 * The base class of every error the library raises.
 *
 * @example
 * ```ts
 * import { AuthError } from '@siteauth/core/errors'
 *
 * export async function signInSafely(signIn: () => Promise<void>): Promise<string | null> {
 *   try {
 *     await signIn()
 *     return null
 *   } catch (error) {
 *     if (error instanceof AuthError) return error.type
 *     throw error
 *   }
 * }
 * ```
 */
export class AuthError extends Error {
  static type: string = 'AuthError'
  static kind: ErrorKind = 'error'
  /** Identifies the error in logs. */
  readonly type: ErrorType
  /** Which page the visitor is sent to. */
  readonly kind: ErrorKind
  /** Where to read why it happens and what to do. */
  readonly help: string
  declare cause?: ErrorCause

  constructor(
    message?: string | Error | ErrorOptions | Record<string, unknown>,
    options?: unknown,
  ) {
    super(typeof message === 'string' ? message : message instanceof Error ? message.message : '')
    const cause = causeFrom(message, options)
    if (cause) this.cause = cause
    const own = this.constructor as typeof AuthError
    this.name = own.name
    // Sound for our own classes, whose static types are in the table; an application's subclass may
    // name its own, which is then hidden from visitors.
    this.type = own.type as ErrorType
    this.kind = own.kind
    const types = libraryTypesOf(own)
    const explained = types.find(isErrorType)
    this.help = explained ? explanationOf(explained) : EXPLANATIONS
    Object.defineProperty(this, brand, { value: types })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (isLibraryClass(this)) return brandOf(value)?.includes(this.type) ?? false
    return Function.prototype[Symbol.hasInstance].call(this, value)
  }
}

/** The base class of failures that send a visitor back to the sign-in page. */
export class SignInError extends AuthError {
  static override type: string = 'SignInError'
  static override kind: ErrorKind = 'signIn'
}

/** The `signIn` callback returned false, or threw. */
export class AccessDenied extends AuthError {
  static override type: string = 'AccessDenied'
}

/** Why there is no access token. */
export type AccessTokenErrorCode =
  /** The visitor is not signed in. */
  | 'not_signed_in'
  /** The user has no account at the provider, or not this one. */
  | 'no_account'
  /** The user has several accounts at the provider: choose one by `accountId`. */
  | 'ambiguous_account'
  /** There is no database, and `account.storeTokensInCookie` is not set. */
  | 'tokens_not_stored'
  /** A new refresh token could not be stored here, so none was asked for. */
  | 'store_read_only'
  /** The access token has expired, and the provider gave no refresh token. */
  | 'no_refresh_token'
  /** The refresh token has expired, or was taken back: the person has to sign in again. */
  | 'invalid_grant'
  /** The provider refuses this application, or its answer cannot be believed. */
  | 'refused'
  /** The provider or the store does not respond. */
  | 'unavailable'

/**
 * There is no access token; `code` is the reason. The user stays signed in.
 *
 * @example
 * ```ts
 * import type { AuthInstance } from '@siteauth/core'
 * import { AccessTokenError } from '@siteauth/core/errors'
 *
 * export async function calendarToken(auth: AuthInstance, request: Request): Promise<string | null> {
 *   try {
 *     return (await auth.accounts.getAccessToken(request, 'google')).accessToken
 *   } catch (error) {
 *     if (error instanceof AccessTokenError && error.code === 'invalid_grant') return null // ask for consent
 *     throw error
 *   }
 * }
 * ```
 */
export class AccessTokenError extends AuthError {
  static override type: string = 'AccessTokenError'
  code: AccessTokenErrorCode = 'unavailable'
}

/** The passkey belongs to another user, or the address does. */
export class AccountNotLinked extends SignInError {
  static override type: string = 'AccountNotLinked'
}

/** An adapter method failed. */
export class AdapterError extends AuthError {
  static override type: string = 'AdapterError'
}

/** Something that is not an `AuthError` was thrown while a sign-in was being finished. */
export class CallbackRouteError extends AuthError {
  static override type: string = 'CallbackRouteError'
}

/**
 * Throw this, or a subclass with its own `code`, from `authorize` to refuse a sign-in. The code
 * ends up in the URL of the sign-in page: it must not say which field was wrong.
 *
 * @example
 * ```ts
 * import { CredentialsSignin } from '@siteauth/core/errors'
 *
 * export class AccountLocked extends CredentialsSignin {
 *   override code = 'account_locked'
 * }
 * ```
 */
export class CredentialsSignin extends SignInError {
  static override type: string = 'CredentialsSignin'
  /** Passed to the sign-in page as the query parameter `code`. */
  code: string = 'credentials'
}

/** Two WebAuthn providers want to fill in the same field. */
export class DuplicateConditionalUI extends AuthError {
  static override type: string = 'DuplicateConditionalUI'
}

/** The code from an email is wrong, or no longer works: try again, or ask for another. */
export class EmailCodeError extends SignInError {
  static override type: string = 'EmailCodeError'
  /** Passed to the page as the query parameter `code`. */
  code: 'wrong_code' | 'expired' = 'wrong_code'
}

/** The sign-in link could not be sent, or the address is invalid. */
export class EmailSignInError extends SignInError {
  static override type: string = 'EmailSignInError'
  /** Whether the server, not the address, is at fault. The visitor then sees a server error. */
  isServerError: boolean = false
}

/** The configured error page itself requires visitors to be signed in. */
export class ErrorPageLoop extends AuthError {
  static override type: string = 'ErrorPageLoop'
}

/** An `events` listener threw. It is logged; the visitor is not affected. */
export class EventError extends AuthError {
  static override type: string = 'EventError'
}

/** The configuration uses a feature that must be switched on in `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: string = 'ExperimentalFeatureNotEnabled'
}

/**
 * The return URL is invalid. Kept for code that refers to it: such a URL is now replaced by the
 * application's own, since it is the visitor's mistake and not the server's.
 */
export class InvalidCallbackUrl extends AuthError {
  static override type: string = 'InvalidCallbackUrl'
}

/** State, PKCE verifier or nonce are missing, expired, used, or from another sign-in: start again. */
export class InvalidCheck extends AuthError {
  static override type: string = 'InvalidCheck'
}

/** An option has an invalid value. */
export class InvalidConfiguration extends AuthError {
  static override type: string = 'InvalidConfiguration'
}

/** A provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type: string = 'InvalidEndpoints'
}

/** There is no such provider, or it cannot be used this way. */
export class InvalidProvider extends AuthError {
  static override type: string = 'InvalidProvider'
}

/** The request cannot be read: malformed JSON, a body that is too large, an invalid parameter. */
export class InvalidRequest extends AuthError {
  static override type: string = 'InvalidRequest'
}

/** A session could not be read from its token. */
export class JWTSessionError extends AuthError {
  static override type: string = 'JWTSessionError'
}

/** The configuration uses a feature that needs an adapter. */
export class MissingAdapter extends AuthError {
  static override type: string = 'MissingAdapter'
}

/** The adapter lacks methods the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: string = 'MissingAdapterMethods'
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: string = 'MissingAuthorize'
}

/** The request has no valid CSRF token, or comes from another site. */
export class MissingCSRF extends SignInError {
  static override type: string = 'MissingCSRF'
}

/** Neither `secret` nor `AUTH_SECRET` is set. */
export class MissingSecretError extends AuthError {
  static override type: string = 'MissingSecret'
}

/** No form field of a WebAuthn provider has `webauthn` in its `autocomplete`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: string = 'MissingWebAuthnAutocomplete'
}

/** The account belongs to another user, or its address does. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: string = 'OAuthAccountNotLinked'
}

/** The provider refused: the person said no, or the provider reported an error. */
export class OAuthCallbackError extends SignInError {
  static override type: string = 'OAuthCallbackError'
}

/** A provider's `profile` threw. */
export class OAuthProfileParseError extends AuthError {
  static override type: string = 'OAuthProfileParseError'
}

/** A sign-in with a provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: string = 'OAuthSignInError'
}

/** A password that a user has chosen is not accepted, or the current one is wrong. `code` is the reason. */
export class PasswordRefused extends SignInError {
  static override type: string = 'PasswordRefused'
  /**
   * `too_short`, `too_long`, or `too_common`, which others would guess; `wrong_password`, which is not the current
   * one; `only_sign_in_method`, which stays. Passed to the page as the query parameter `code`.
   */
  code: 'too_short' | 'too_long' | 'too_common' | 'wrong_password' | 'only_sign_in_method' =
    'too_short'
}

/**
 * The session identifies its user, but the browser cannot show that it was given the session: the user has to sign in
 * again before adding an account or a passkey, or changing a password.
 */
export class ReauthenticationRequired extends SignInError {
  static override type: string = 'ReauthenticationRequired'
}

/** A session could not be read from the store. */
export class SessionTokenError extends AuthError {
  static override type: string = 'SessionTokenError'
}

/** The session could not be ended in the store, or at the provider. */
export class SignOutError extends AuthError {
  static override type: string = 'SignOutError'
}

/** There were too many attempts: the next one has to wait. See `limits`. */
export class TooManyAttempts extends SignInError {
  static override type: string = 'TooManyAttempts'
  /** How long, in seconds. */
  retryAfter: number = 1
}

/** There is no such endpoint, or not for this method. */
export class UnknownAction extends AuthError {
  static override type: string = 'UnknownAction'
}

/** The session strategy cannot be used with these providers. Kept for code that refers to it. */
export class UnsupportedStrategy extends AuthError {
  static override type: string = 'UnsupportedStrategy'
}

/** The request's host is not one of the application's. */
export class UntrustedHost extends AuthError {
  static override type: string = 'UntrustedHost'
}

/** The link in an email has already been used, or has expired. */
export class Verification extends AuthError {
  static override type: string = 'Verification'
}

/** A passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type: string = 'WebAuthnVerificationError'
}

/** Whether a value is an {@link AuthError}, even from another copy of the package. */
export function isAuthError(value: unknown): value is AuthError {
  return brandOf(value) !== undefined
}

/** Whether the visitor may see the error's type. Everything else is shown as `Configuration`. */
export function isClientError(error: unknown): error is AuthError {
  return isAuthError(error) && isVisible(error.type) && !isServerError(error)
}

function isVisible(type: string): boolean {
  return isErrorType(type) && ERRORS[type] === 'visible'
}

function isServerError(error: AuthError): boolean {
  return 'isServerError' in error && error.isServerError === true
}

function brandOf(value: unknown): readonly string[] | undefined {
  if (!(value instanceof Error)) return undefined
  if (brand in value) return value[brand] as readonly string[]
  // Auth.js errors have no brand, but the same two fields.
  const { type, kind } = value as { type?: unknown; kind?: unknown }
  if (typeof type !== 'string' || !isErrorType(type)) return undefined
  return kind === 'signIn'
    ? ['AuthError', 'SignInError', type]
    : kind === 'error'
      ? ['AuthError', type]
      : undefined
}

function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(ERRORS, type)
}

function libraryTypesOf(own: typeof AuthError): readonly string[] {
  const types: string[] = []
  for (let each: unknown = own; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    if (isLibraryClass(each)) types.push(each.type)
  }
  return types
}

// An application's subclass inherits `type`; ours each have their own.
function isLibraryClass(value: object): value is typeof AuthError {
  if (!Object.hasOwn(value, 'type')) return false
  const { type } = value as { type?: unknown }
  return type === 'AuthError' || type === 'SignInError' || isErrorType(String(type))
}

function causeFrom(message: unknown, options: unknown): ErrorCause | undefined {
  const first = typeof message === 'string' ? undefined : detailsOf(message)
  const second = detailsOf(options)
  return first || second ? { ...first, ...second } : undefined
}

/** @param depth how far causes of causes are followed: they may go round in a circle */
function detailsOf(value: unknown, depth = 8): ErrorCause | undefined {
  if (depth === 0 || value === null || value === undefined) return undefined
  if (value instanceof Error) return { ...detailsOf(value.cause, depth - 1), err: value }
  if (typeof value !== 'object') return { reason: String(value) }
  const { cause, ...facts } = value as { cause?: unknown }
  return { ...facts, ...detailsOf(cause, depth - 1) }
}

/** The error for a host that is not believed, with what to do about it. */
export function untrustedHost(host: string): UntrustedHost {
  return new UntrustedHost(
    `The request names the host ${JSON.stringify(host)}, which is not trusted. Set AUTH_URL to the ` +
      `URL of the application, or list its hosts in trustHost.`,
  )
}

/** The error for a request from outside, if nothing says what the host of the application is. */
export function unknownHost(host: string): UntrustedHost {
  return new UntrustedHost(
    `The host of the application is unknown, and a request names ${JSON.stringify(host)}. Only a browser on this ` +
      'machine is served without one: no proxy, and no other machine. Set AUTH_URL to the URL of the application, ' +
      'list its hosts in `trustHost`, or set AUTH_TRUST_HOST=true if your own proxy sets the host header.',
  )
}
