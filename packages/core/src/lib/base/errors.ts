/** Which built-in page a failure leads to. */
export type ErrorKind = 'signIn' | 'error'

/**
 * Every failure that the library can report, by its type, and whether a visitor may learn of it: one that
 * is hidden is shown as `Configuration`. Its class below says the rest.
 */
const ERRORS = {
  AccessDenied: 'visible',
  AccountNotLinked: 'visible',
  AdapterError: 'hidden',
  CallbackRouteError: 'hidden',
  CredentialsSignin: 'visible',
  DuplicateConditionalUI: 'hidden',
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
  SessionTokenError: 'hidden',
  SignOutError: 'hidden',
  UnknownAction: 'hidden',
  UnsupportedStrategy: 'hidden',
  UntrustedHost: 'hidden',
  Verification: 'visible',
  WebAuthnVerificationError: 'visible',
} as const

/** The `type` of an {@link AuthError}: what identifies it in logs, and in URLs where visible. */
export type ErrorType = keyof typeof ERRORS

/** What lies behind an {@link AuthError}: the original error, and facts worth logging. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

// The page is in the package itself, so that it fits the version and can be read without a network.
const EXPLANATIONS = 'node_modules/@siteauth/core/dist/errors.md'

/** Where a type of error, or a warning, is explained. */
export function explanationOf(code: string): string {
  return `${EXPLANATIONS}#${code.toLowerCase()}`
}

// In the global registry, so that two copies of this package in one process know each other's
// errors. `instanceof` alone would turn a wrong password into a server fault there.
const brand = Symbol.for('siteauth.error')

/**
 * The base of every error that the library raises.
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
  /** Where it is explained: why it happens, and what to do. */
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

/** The base of the failures that send a visitor back to the sign-in page. */
export class SignInError extends AuthError {
  static override type: string = 'SignInError'
  static override kind: ErrorKind = 'signIn'
}

/** The `signIn` callback answered false, or threw. */
export class AccessDenied extends AuthError {
  static override type: string = 'AccessDenied'
}

/** The passkey belongs to another user, or the address does. */
export class AccountNotLinked extends SignInError {
  static override type: string = 'AccountNotLinked'
}

/** A method of the adapter failed. */
export class AdapterError extends AuthError {
  static override type: string = 'AdapterError'
}

/** Something that is not an `AuthError` was thrown while a sign-in was being finished. */
export class CallbackRouteError extends AuthError {
  static override type: string = 'CallbackRouteError'
}

/**
 * Throw this, or a subclass with a `code` of its own, from `authorize` to refuse a sign-in.
 * The code ends up in the URL of the sign-in page: it must not say which field was wrong.
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
  /** Shown to the application as the query parameter `code`. */
  code: string = 'credentials'
}

/** Two WebAuthn providers want to fill in the same field. */
export class DuplicateConditionalUI extends AuthError {
  static override type: string = 'DuplicateConditionalUI'
}

/** The message with the sign-in link could not be sent, or the address is not one. */
export class EmailSignInError extends SignInError {
  static override type: string = 'EmailSignInError'
  /** Whether nothing is wrong with the address. The visitor is then told of a problem of the server. */
  isServerFault: boolean = false
}

/** The configured error page itself needs a visitor to be signed in. */
export class ErrorPageLoop extends AuthError {
  static override type: string = 'ErrorPageLoop'
}

/** A listener under `events` threw. It is logged; the visitor is not affected. */
export class EventError extends AuthError {
  static override type: string = 'EventError'
}

/** A feature is used that must be switched on under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: string = 'ExperimentalFeatureNotEnabled'
}

/**
 * The URL to return to is not one. Kept for code that names it: such a URL is now replaced by the
 * application's own, since it is no fault of the server that a visitor sent it.
 */
export class InvalidCallbackUrl extends AuthError {
  static override type: string = 'InvalidCallbackUrl'
}

/** State, PKCE verifier or nonce are missing, expired, used, or of another sign-in: start again. */
export class InvalidCheck extends AuthError {
  static override type: string = 'InvalidCheck'
}

/** An option has a value that it cannot have. */
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

/** The request cannot be read: malformed JSON, a body that is too large, a broken parameter. */
export class InvalidRequest extends AuthError {
  static override type: string = 'InvalidRequest'
}

/** A session could not be read from its token. */
export class JWTSessionError extends AuthError {
  static override type: string = 'JWTSessionError'
}

/** A feature is configured that needs an adapter. */
export class MissingAdapter extends AuthError {
  static override type: string = 'MissingAdapter'
}

/** The adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: string = 'MissingAdapterMethods'
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: string = 'MissingAuthorize'
}

/** The request carries no valid CSRF token, or comes from another site. */
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

/** A sign-in at a provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: string = 'OAuthSignInError'
}

/** A session could not be read from the store. */
export class SessionTokenError extends AuthError {
  static override type: string = 'SessionTokenError'
}

/** The session could not be ended at the store. */
export class SignOutError extends AuthError {
  static override type: string = 'SignOutError'
}

/** There is no such endpoint, or not for this method. */
export class UnknownAction extends AuthError {
  static override type: string = 'UnknownAction'
}

/** The session strategy cannot be used with these providers. Kept for code that names it. */
export class UnsupportedStrategy extends AuthError {
  static override type: string = 'UnsupportedStrategy'
}

/** The host of the request is not one that the application answers for. */
export class UntrustedHost extends AuthError {
  static override type: string = 'UntrustedHost'
}

/** The link in an email was used already, or is too old. */
export class Verification extends AuthError {
  static override type: string = 'Verification'
}

/** A passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type: string = 'WebAuthnVerificationError'
}

/** Whether a value is an {@link AuthError}, also one made by another copy of the package. */
export function isAuthError(value: unknown): value is AuthError {
  return brandOf(value) !== undefined
}

/** Whether an error may be named to the visitor. Everything else is shown as `Configuration`. */
export function isClientError(error: unknown): error is AuthError {
  return isAuthError(error) && isVisible(error.type) && !isServerFault(error)
}

function isVisible(type: string): boolean {
  return isErrorType(type) && ERRORS[type] === 'visible'
}

function isServerFault(error: AuthError): boolean {
  return 'isServerFault' in error && error.isServerFault === true
}

function brandOf(value: unknown): readonly string[] | undefined {
  if (!(value instanceof Error)) return undefined
  if (brand in value) return value[brand] as readonly string[]
  // An error class of the library that we succeed has no brand, but the same two fields.
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
      `URL of the application, or list the hosts that it answers for in trustHost.`,
  )
}
