import type { JWT } from '../base/model.ts'
import type { SeenSession } from '../base/session-types.ts'
import type { AuthConfig } from './options.ts'

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
      ? SeenSession<Sess, Exposed, Token extends object ? Token : JWT>
      : never
