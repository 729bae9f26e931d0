import type { PasswordConfig, PasswordUserConfig } from '../lib/providers/password.ts'

/**
 * Signs users in with an address and a password. The library includes all of it: signing up, hashing, resetting,
 * changing, and the messages. Users choose their password behind a link in their mail, so a password never belongs to
 * an address that is not the user's.
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
  // Missing members are in `options`, which are merged over the rest when the configuration is resolved.
  return { ...defaults, options: config } as unknown as PasswordConfig
}

export type { PasswordConfig, PasswordUserConfig }
