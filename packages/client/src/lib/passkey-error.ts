/** Why no passkey was created or used. */
export type PasskeyErrorType =
  /**
   * The person cancelled, took too long, or has no passkey here. Browsers do not say which, so that
   * pages cannot find out what someone has.
   */
  | 'PasskeyCancelled'
  /** The browser does not support passkeys, or their autofill. */
  | 'PasskeyUnsupported'
  /** No available device can hold the kind of passkey the application wants. */
  | 'PasskeyUnavailable'
  /** The device already has a passkey for this account. */
  | 'PasskeyExists'
  /** Another prompt took its place. */
  | 'PasskeyAborted'
  /** The application offers no passkey to this visitor: signing up is switched off, or needs an address. */
  | 'PasskeyRefused'
  /** The person has to sign in again in this browser before a passkey is added. */
  | 'ReauthenticationRequired'
  /** Something else: see `cause`. */
  | 'PasskeyFailed'

const messages: Readonly<Record<PasskeyErrorType, string>> = {
  PasskeyCancelled: 'No passkey was used: the person cancelled, took too long, or has none here.',
  PasskeyUnsupported: 'This browser does not support passkeys.',
  PasskeyUnavailable: 'No available device can hold a passkey.',
  PasskeyExists: 'The device already has a passkey for this account.',
  PasskeyAborted: 'Another prompt replaced this one.',
  PasskeyRefused: 'The application has no options for this request.',
  ReauthenticationRequired: 'The person has to sign in again before adding a passkey.',
  PasskeyFailed: 'The passkey could not be used.',
}

/**
 * No passkey was created or used. `type` says why.
 *
 * @example
 * ```ts
 * import { PasskeyError, signIn } from '@siteauth/client/webauthn'
 *
 * try {
 *   await signIn('passkey')
 * } catch (error) {
 *   if (error instanceof PasskeyError && error.type === 'PasskeyCancelled') console.log('Another time.')
 *   else throw error
 * }
 * ```
 */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  readonly type: PasskeyErrorType

  constructor(type: PasskeyErrorType, cause?: unknown) {
    super(messages[type], { cause })
    this.type = type
  }
}

/** What a browser refused with, in our words. */
export function asPasskeyError(error: unknown): PasskeyError {
  if (error instanceof PasskeyError) return error
  const name = error instanceof Error ? error.name : ''
  return new PasskeyError(types[name] ?? 'PasskeyFailed', error)
}

const types: Readonly<Record<string, PasskeyErrorType | undefined>> = {
  NotAllowedError: 'PasskeyCancelled',
  AbortError: 'PasskeyAborted',
  InvalidStateError: 'PasskeyExists',
  NotSupportedError: 'PasskeyUnavailable',
  ConstraintError: 'PasskeyUnavailable',
}
