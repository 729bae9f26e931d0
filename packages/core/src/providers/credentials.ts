import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderId,
  CredentialsUserConfig,
} from '../lib/providers/credentials.ts'

/**
 * Signs people in with whatever they type. Storing and comparing passwords is up to you: use a
 * password hash, and limit how often someone may try.
 *
 * @example
 * ```ts
 * import Credentials from '@siteauth/core/providers/credentials'
 *
 * export const password = Credentials({
 *   credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
 *   async authorize({ username, password }) {
 *     if (typeof username !== 'string' || typeof password !== 'string') return null
 *     return username === 'ann' && password === 'correct horse' ? { id: '1', name: 'Ann' } : null
 *   },
 * })
 * ```
 */
export default function Credentials<
  const Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
>(config: CredentialsUserConfig<Fields>): CredentialsConfig<Fields> {
  const defaults = { id: 'credentials', name: 'Credentials', type: 'credentials', credentials: {} }
  // Missing members are in `options`, which are merged over the rest when the configuration is resolved.
  return { ...defaults, options: config } as unknown as CredentialsConfig<Fields>
}

export type { CredentialInput, CredentialsConfig, CredentialsProviderId, CredentialsUserConfig }
