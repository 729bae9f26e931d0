import type { PasswordConfig, PasswordUserConfig } from '../lib/providers/password.ts'

/**
 * Signs people in with an address and a password. The library looks after all of it: signing up, hashing,
 * resetting, changing, and the messages. People choose their password behind a link in their mail, so nobody
 * has one for an address that is not theirs.
 *
 * @example
 * ```ts
 * import { SqliteAdapter } from '@siteauth/adapters/sqlite'
 * import { pwnedPasswords } from '@siteauth/core/passwords'
 * import Password from '@siteauth/core/providers/password'
 * import Resend from '@siteauth/core/providers/resend'
 *
 * export const config = {
 *   adapter: SqliteAdapter({ file: 'app.db' }),
 *   providers: [
 *     Password({
 *       mail: Resend({ from: 'Example <hello@example.com>' }),
 *       rules: { forbiddenWords: ['example'], blocklist: pwnedPasswords() },
 *     }),
 *   ],
 * }
 * ```
 */
export default function Password(config: PasswordUserConfig): PasswordConfig {
  const defaults = { id: 'password', name: 'Password', type: 'password' }
  // What is missing is in `options`, which are laid over the rest when the configuration is resolved.
  return { ...defaults, options: config } as unknown as PasswordConfig
}

export type { PasswordConfig, PasswordUserConfig }
