import type { Awaitable } from '../base/awaitable.ts'
import type { CommonProviderOptions } from '../base/provider-type.ts'
import type { User } from '../base/user.ts'

/** A form field on the built-in sign-in page: its label, and any input attribute. */
export interface CredentialInput {
  label?: string
  type?: string
  value?: string
  placeholder?: string
  [attribute: string]: unknown
}

/** Signs people in with whatever they type: a username and a password, a code, a voucher. */
export interface CredentialsConfig<
  Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: 'credentials'
  /** The form fields, by name. */
  credentials: Fields
  /**
   * Decides who this is. Return a user, or null to refuse; throw a `CredentialsSignin` to refuse
   * with a `code`. Every field comes from the visitor: check its type before you use it.
   */
  authorize(
    credentials: Partial<Record<keyof Fields, unknown>>,
    request: Request,
  ): Awaitable<User | null>
  options?: object
}

/** The options of a credentials provider. */
export type CredentialsUserConfig<Fields extends Record<string, CredentialInput>> = Partial<
  Omit<CredentialsConfig<Fields>, 'type' | 'options'>
>

/** The id of the built-in credentials provider. */
export type CredentialsProviderId = 'credentials'
