/**
 * What the built-in pages and the email say. `{provider}`, `{host}` and `{email}` stand for what they
 * name, and may stand where a language wants them.
 */
export interface Words {
  /** Titles of the window. */
  readonly signInTitle: string
  readonly signOutTitle: string
  readonly verifyRequestTitle: string
  readonly errorTitle: string

  readonly signIn: string
  readonly signInWith: string
  readonly signInWithEmail: string
  readonly signInWithPasskey: string
  readonly signUpWithPasskey: string
  /** For somebody who is signed in. */
  readonly addPasskey: string
  /** Under the heading: which site it is. */
  readonly continueTo: string
  /** Between two ways to sign in. */
  readonly or: string
  /** On the button of the method that this browser used last. */
  readonly lastUsed: string
  /** Beside a box to tick. */
  readonly keepSignedIn: string
  /** Labels of fields. */
  readonly email: string
  readonly password: string
  readonly username: string
  readonly phone: string
  readonly code: string
  /** The button beside a password. */
  readonly showPassword: string
  /** Above the name of somebody who is signed in already, and the button that leads on. */
  readonly signedIn: string
  readonly goOn: string

  readonly signOut: string
  readonly signOutQuestion: string
  readonly staySignedIn: string

  readonly checkEmail: string
  readonly linkSent: string
  readonly linkSentTo: string
  readonly linkHint: string
  readonly startAgain: string

  /** Heading of the page behind the link, and subject of the email. */
  readonly signInTo: string
  readonly confirmText: string
  readonly confirmHint: string

  readonly emailText: string
  readonly emailIgnore: string

  /** Leads away from a page on which nothing else can be done. */
  readonly backTo: string

  readonly errorHeading: string
  readonly errorText: string
  readonly configurationHeading: string
  readonly configurationText: string
  readonly accessDeniedHeading: string
  readonly accessDeniedText: string
  readonly verificationHeading: string
  readonly verificationText: string
  readonly invalidCheckHeading: string
  readonly invalidCheckText: string
  readonly notFoundHeading: string
  readonly notFoundText: string
  readonly badRequestHeading: string
  readonly badRequestText: string

  /** Why somebody is on the sign-in page again. */
  readonly tryAnotherWay: string
  readonly accountNotLinked: string
  readonly emailNotSent: string
  readonly wrongDetails: string
  readonly signInFirst: string
  readonly formExpired: string
  readonly unableToSignIn: string
  readonly passkeyFailed: string
  readonly passkeyCancelled: string
  readonly passkeyExists: string
  readonly passkeyUnsupported: string
}

/**
 * Words of a language, all or some. What is left out is taken from the built-in words of that
 * language, or else from English.
 *
 * @example
 * ```ts
 * import type { Translation } from '@siteauth/core/types'
 *
 * export const friendlier: Translation = {
 *   signIn: 'Come in',
 *   signInWith: 'Come in with {provider}',
 * }
 * ```
 */
export type Translation = Partial<Words>
