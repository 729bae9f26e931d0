import type { JWT, Session } from '../base/session.ts'
import type { ExposedSession } from '../base/session-types.ts'
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

/**
 * The session of an application: of its configuration, of what `createAuth` returned, or of the `auth` of
 * Next. A type only, so pages in the browser can import it without the server's code.
 *
 * @example
 * ```ts
 * import { defineConfig } from '@siteauth/core'
 * import type { SessionOf } from '@siteauth/core/types'
 *
 * const config = defineConfig({ providers: [], session: { expose: ['id'] } })
 *
 * export const idOf = (session: SessionOf<typeof config>): string => session.user.id
 * ```
 */
export type SessionOf<Source> = Source extends {
  getSession(request: never): Promise<infer Sess>
}
  ? NonNullable<Sess>
  : Source extends { session(request: never): Promise<{ session: infer Sess }> }
    ? NonNullable<Sess>
    : Source extends Omit<AuthConfig<infer Token, infer Sess, infer Exposed>, 'raw'>
      ? ExposedSession<Sess, Exposed, Token extends object ? Token : JWT>
      : never
