import {
  type FindEndpoints,
  type PasswordFunctions,
  passwordsAt,
} from '@siteauth/client/integration'
import { createUsePassword, type UsePassword } from './use-password.ts'

/** The functions about passwords, and the hook, for the endpoints at one place. */
export interface PasswordsClient extends PasswordFunctions {
  readonly usePassword: UsePassword
}

/** Makes them. */
export function createPasswords(find: FindEndpoints): PasswordsClient {
  const calls = passwordsAt(find)
  return { ...calls, usePassword: createUsePassword(calls) }
}
