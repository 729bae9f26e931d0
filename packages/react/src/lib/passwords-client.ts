import { type FindEndpoints, passwordsAt } from '@siteauth/client/integration'
import type { PasswordsClient as BareClient } from '@siteauth/client/passwords'
import { createUsePassword, type UsePassword } from './use-password.ts'

/** The calls about passwords, and the hook, for one set of endpoints. */
export interface PasswordsClient extends BareClient {
  readonly usePassword: UsePassword
}

/** Makes them. */
export function createPasswords(find: FindEndpoints): PasswordsClient {
  const passwords = passwordsAt(find)
  return { passwords, usePassword: createUsePassword(passwords) }
}
