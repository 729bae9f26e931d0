import type { Submitted } from './submit.ts'

/** Where a form leads. */
interface Leading {
  /** Where to go afterwards: a path or a URL. Defaults to this page. */
  redirectTo?: string
}

/** Somebody asks for a link to choose a password by. */
export interface PasswordLinkWish extends Leading {
  /** `sign-up` for somebody new, `forgot` for somebody who has an account. All that differs is the message. */
  wish: 'sign-up' | 'forgot'
  email: string
}

/** Somebody chooses a password behind a link. */
export interface ChosenPassword extends Leading {
  /** From the query of the link. */
  email: string
  /** From the query of the link. */
  token: string
  password: string
  /** The id of the provider. Defaults to `password`. */
  provider?: string
}

/** Somebody who is signed in changes their password. */
export interface ChangedPassword extends Leading {
  current: string
  password: string
}

/** Somebody who is signed in goes without a password from now on. */
export interface RemovedPassword extends Leading {
  current: string
}

/** The functions about passwords. Each resolves with the outcome and leaves the page alone. */
export interface PasswordFunctions {
  /** Sends a link to choose a password by. */
  readonly askForPassword: (wish: PasswordLinkWish) => Promise<Submitted>
  /** Stores the password that somebody has chosen behind a link, and signs them in. */
  readonly choosePassword: (chosen: ChosenPassword) => Promise<Submitted>
  /** Replaces the password of whoever is signed in, and signs them out everywhere else. */
  readonly changePassword: (changed: ChangedPassword) => Promise<Submitted>
  /** Removes the password of whoever is signed in, unless it is their only way in. */
  readonly removePassword: (removed: RemovedPassword) => Promise<Submitted>
}
