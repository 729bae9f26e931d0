import type { AuthConfig } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'

/** What an application decides: the engine's configuration without `raw`. It is never modified. */
export type ExpressAuthConfig<Token = JWT, Sess = Session, Exposed extends string = string> = Omit<
  AuthConfig<Token, Sess, Exposed>,
  'raw'
>

/** The same, under the name that goes with `ServerAuth`. */
export type ServerAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = ExpressAuthConfig<Token, Sess, Exposed>
