/**
 * The words of the built-in pages and the email. `{provider}`, `{host}`, `{email}`, `{wait}` and
 * `{minLength}` are filled in, and may go wherever the language needs them.
 */
export interface Messages {
  /** Window titles. */
  readonly signInTitle: string
  readonly signOutTitle: string
  readonly verifyRequestTitle: string
  readonly errorTitle: string

  readonly signIn: string
  readonly signInWith: string
  readonly signInWithEmail: string
  readonly signInWithPasskey: string
  readonly signUpWithPasskey: string
  /** For someone who is signed in. */
  readonly addPasskey: string
  /** Under the heading: which site it is. */
  readonly continueTo: string
  /** Between two ways to sign in. */
  readonly or: string
  /** On the button of the method this browser used last. */
  readonly lastUsed: string
  /** Next to a checkbox. */
  readonly keepSignedIn: string
  /** Field labels. */
  readonly email: string
  readonly password: string
  readonly username: string
  readonly phone: string
  readonly code: string
  /** The button next to a password. */
  readonly showPassword: string
  /** Above the name of someone who is already signed in, and the button to continue. */
  readonly signedIn: string
  readonly goOn: string
  /** Once an address is typed: the way back, and the buttons that have a message sent to it. */
  readonly useAnotherAddress: string
  readonly sendSignInLink: string
  readonly sendSignInCode: string

  readonly signOut: string
  readonly signOutQuestion: string
  readonly staySignedIn: string

  readonly checkEmail: string
  readonly linkSent: string
  readonly linkSentTo: string
  readonly codeSentTo: string
  readonly linkHint: string
  readonly startAgain: string
  readonly sendAgain: string

  /** Heading of the page behind the link, and subject of the email. */
  readonly signInTo: string
  readonly confirmText: string
  readonly confirmHint: string
  /** Above and below the code, on the page behind a link that was opened on another device. */
  readonly showCode: string
  readonly showCodeHint: string

  readonly emailText: string
  /** Above and below the code in the email. */
  readonly emailCode: string
  readonly emailKeepCode: string
  readonly emailIgnore: string

  /** The way out of a page where nothing else can be done. */
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

  /** Why someone is back on the sign-in page. */
  readonly tryAnotherMethod: string
  readonly accountNotLinked: string
  readonly emailNotSent: string
  readonly wrongDetails: string
  readonly wrongCode: string
  readonly codeExpired: string
  /** `{wait}` is when, such as “in 3 minutes”. */
  readonly tooManyAttempts: string
  readonly signInFirst: string
  /** The user is signed in, and has to confirm it before adding a way to sign in. */
  readonly signInAgain: string
  readonly formExpired: string
  readonly unableToSignIn: string
  readonly passkeyFailed: string
  readonly passkeyCancelled: string
  readonly passkeyExists: string
  readonly passkeyUnsupported: string

  /** Passwords: the links under the form, and the headings behind them. */
  readonly forgotPassword: string
  readonly createAccount: string
  readonly passwordLinkText: string
  readonly sendLink: string
  /** In place of `linkSentTo`, where it was for a password. */
  readonly messageSentTo: string
  readonly choosePassword: string
  readonly newPassword: string
  readonly currentPassword: string
  /** `{minLength}` is how many characters. */
  readonly passwordHint: string
  readonly savePassword: string
  readonly changePassword: string
  readonly removePassword: string
  /** For users who sign in otherwise. */
  readonly setPasswordText: string
  /** Why a password was not taken. */
  readonly passwordTooShort: string
  readonly passwordTooLong: string
  readonly passwordTooCommon: string
  readonly wrongPassword: string
  readonly onlySignInMethod: string
  /** In the messages about a password; the next four have a button to choose one. */
  readonly mailSignUp: string
  readonly mailExistingUser: string
  readonly mailReset: string
  readonly mailNoUser: string
  /** If sign-up is closed. */
  readonly mailNoAccount: string
  /** Subjects of messages, and what they say. */
  readonly passwordChanged: string
  readonly mailChanged: string
  readonly passwordRemoved: string
  readonly mailRemoved: string
}

/**
 * Some or all words of a language. The rest come from the built-in words of that language, or from
 * English.
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
export type Translation = Partial<Messages>
