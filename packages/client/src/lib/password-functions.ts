import type { Submitted } from './submit.ts'

/** Where a form leads. */
interface Leading {
  /** Where to go afterwards: a path or a URL. Defaults to this page. */
  redirectTo?: string
}

/** Somebody asks for a link to choose a password by. */
export interface PasswordLinkOptions extends Leading {
  /** `sign-up` for a new user, `reset` for one who has an account. All that differs is the message. */
  purpose: 'sign-up' | 'reset'
  email: string
}

/** Somebody chooses a password behind a link. */
export interface ChoosePasswordOptions extends Leading {
  /** From the query of the link. */
  email: string
  /** From the query of the link. */
  token: string
  password: string
  /** The id of the provider. Defaults to `password`. */
  provider?: string
}

/** Somebody who is signed in changes their password. */
export interface ChangePasswordOptions extends Leading {
  currentPassword: string
  newPassword: string
}

/** Somebody who is signed in goes without a password from now on. */
export interface RemovePasswordOptions extends Leading {
  currentPassword: string
}

/** The functions about passwords. Each resolves with the outcome and leaves the page alone. */
export interface PasswordFunctions {
  /** Sends a link to choose a password by. */
  readonly sendPasswordLink: (options: PasswordLinkOptions) => Promise<Submitted>
  /** Stores the password that somebody has chosen behind a link, and signs them in. */
  readonly choosePassword: (chosen: ChoosePasswordOptions) => Promise<Submitted>
  /** Replaces the password of whoever is signed in, and signs them out everywhere else. */
  readonly changePassword: (changed: ChangePasswordOptions) => Promise<Submitted>
  /** Removes the password of whoever is signed in, unless it is their only way in. */
  readonly removePassword: (removed: RemovePasswordOptions) => Promise<Submitted>
}
