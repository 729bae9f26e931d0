import type { Callbacks, EventCallbacks } from '../callbacks.ts'
import type { Sealer } from '../crypto/jwe.ts'
import type { CsrfTokens } from '../csrf/token.ts'
import type { HostTrust } from '../http/origin.ts'
import type { LoggerInstance } from '../logger.ts'
import type { Adapter } from '../model.ts'
import type { Ports } from '../ports.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { SessionStore } from '../session/store.ts'
import type { Theme } from '../theme.ts'
import type { Translation } from '../words/words.ts'
import type { CookieTable } from './cookies.ts'
import type { Paths } from './env.ts'
import type { AuthConfig, PagesOptions } from './options.ts'

/** What is known of a configuration even if it has faults: enough to say so. */
export interface Frame {
  readonly logger: LoggerInstance
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly theme: Readonly<Theme>
  readonly language: AuthConfig['language']
  readonly translations: Readonly<Record<string, Translation>>
  readonly paths: Paths
  /** The origin from AUTH_URL. */
  readonly origin: string | undefined
  readonly trustHost: HostTrust
  /** Whether the reader of a page may be told what is wrong inside. */
  readonly development: boolean
}

/** What depends on whether visitors come over HTTPS: the names of the cookies, and so their keys. */
export interface Site {
  readonly cookies: CookieTable
  readonly sessions: SessionStore
}

/** Everything that an application decided, checked, complete and frozen. */
export interface ResolvedConfig extends Frame {
  readonly providers: ReadonlyMap<string, ProviderObject>
  readonly callbacks: Readonly<Partial<Callbacks>>
  readonly events: Readonly<Partial<EventCallbacks>>
  readonly adapter: Readonly<Adapter> | null
  readonly strategy: 'jwt' | 'database'
  /** The newest first. */
  readonly secrets: readonly string[]
  /** Null where the check is switched off. */
  readonly csrf: CsrfTokens | null
  /** Seals values for one purpose. Keys are derived once per purpose. */
  readonly sealerFor: (purpose: string) => Sealer
  readonly redirectProxyUrl: string | undefined
  readonly trustedOrigins: readonly string[]
  readonly useSecureCookies: boolean | undefined
  readonly secureSite: Site
  readonly plainSite: Site
  readonly ports: Ports
}

/** The cookies and sessions of the visitors of one origin. */
export function siteOf(config: ResolvedConfig, origin: string): Site {
  return siteFor(config, origin.startsWith('https:'))
}

/** The cookies and sessions of visitors who come over HTTPS, or who do not. */
export function siteFor(config: ResolvedConfig, secure: boolean): Site {
  return (config.useSecureCookies ?? secure) ? config.secureSite : config.plainSite
}
