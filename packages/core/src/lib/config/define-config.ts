import type { JWT, Session } from '../model.ts'
import type { AuthConfig } from './options.ts'

/**
 * Returns the configuration as it is, keeping its callbacks' types. Use it when the configuration
 * is a separate value. An `AuthConfig` annotation would lose what the callbacks return.
 *
 * @example
 * ```ts
 * import { createAuth, defineConfig } from '@siteauth/core'
 * import type { SessionOf } from '@siteauth/core/types'
 *
 * export const config = defineConfig({
 *   providers: [],
 *   session: { expose: ['id'] },
 *   callbacks: {
 *     session: ({ session }) => ({ ...session, plan: 'free' as const }),
 *   },
 * })
 *
 * export type MySession = SessionOf<typeof config>
 *
 * export async function planOf(request: Request): Promise<MySession['plan'] | undefined> {
 *   return (await createAuth(config).getSession(request))?.plan
 * }
 * ```
 */
export function defineConfig<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: AuthConfig<Token, Sess, Exposed>,
): AuthConfig<Token, Sess, Exposed> {
  return config
}
