import type { Callbacks, EventCallbacks } from '../base/callbacks.ts'
import type { AuthError } from '../base/errors.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { Adapter, Awaitable } from '../base/model.ts'
import type { Ports } from '../base/ports.ts'
import type { Sealer } from '../crypto/jwe.ts'
import type { CsrfTokens } from '../csrf/token.ts'
import type { CookieOption } from '../http/cookies.ts'
import type { HostTrust } from '../http/origin.ts'
import type { Theme } from '../look/theme.ts'
import type { Translation } from '../look/words/words.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { SessionReader, SessionStore } from '../session/store.ts'
import type { CookieTable } from './cookies.ts'
import type { AuthConfig, PagesOptions } from './options.ts'
import type { Paths } from './paths.ts'

/** Where an application is, and where its pages are. */
export interface SiteFrame {
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly paths: Paths
  /** The origin from AUTH_URL. */
  readonly origin: string | undefined
  readonly trustHost: HostTrust
}

/** What is known of a configuration even if it has faults: enough to say so. */
export interface Frame extends SiteFrame {
  readonly logger: LoggerInstance
  readonly theme: Readonly<Theme>
  readonly language: AuthConfig['language']
  readonly translations: Readonly<Record<string, Translation>>
  /** Whether the reader of a page may be told what is wrong inside. */
  readonly development: boolean
}

/** What a session check needs of a {@link Site}. */
export interface ReadingSite {
  readonly cookieOptions: { readonly sessionToken: CookieOption }
  readonly sessions: SessionReader
}

/** What depends on whether visitors come over HTTPS: the names of the cookies, and so their keys. */
export interface Site {
  readonly cookieOptions: CookieTable
  readonly sessions: SessionStore
}

/** As much as a session check needs of what an application decided. */
export interface SessionConfig {
  readonly callbacks: Readonly<Partial<Callbacks>>
  readonly events: Readonly<Partial<EventCallbacks>>
  readonly strategy: 'jwt' | 'database'
  /** Seals values for one purpose. Keys are derived once per purpose. */
  readonly sealerFor: (purpose: string) => Sealer
  /** The origin from AUTH_URL. */
  readonly origin: string | undefined
  readonly useSecureCookies: boolean | undefined
  readonly secureSite: ReadingSite
  readonly plainSite: ReadingSite
  readonly now: () => number
}

/** Everything that an application decided, checked, complete and frozen. */
export interface ResolvedConfig extends Frame, SessionConfig {
  readonly providers: ReadonlyMap<string, ProviderObject>
  readonly adapter: Readonly<Adapter> | null
  /**
   * Ends all sessions of a user, and answers how many, as far as anybody knows. Null where they end by
   * themselves, and not before.
   */
  readonly endUser: ((userId: string) => Awaitable<number>) | null
  /** Whether sessions outlast the browser where nobody says; with `ask`, the built-in page asks. */
  readonly remember: boolean | 'ask'
  /** Whom this is for, among others with the same secrets. */
  readonly audience: string | undefined
  /** Those of the audience, the newest first. */
  readonly secrets: readonly string[]
  /** Null where the check is switched off. */
  readonly csrf: CsrfTokens | null
  readonly redirectProxyUrl: string | undefined
  /** The origins that answers are passed on to. */
  readonly redirectProxyOrigins: readonly string[]
  readonly trustedOrigins: readonly string[]
  readonly secureSite: Site
  readonly plainSite: Site
  readonly ports: Ports
}

/** A configuration, or what is wrong with it. */
export type Resolution =
  | { readonly frame: Frame; readonly config: ResolvedConfig; readonly faults: readonly [] }
  | { readonly frame: Frame; readonly config: null; readonly faults: readonly AuthError[] }

/** The cookies and sessions of the visitors of one origin. */
export function siteOf(config: ResolvedConfig, origin: string): Site {
  return siteFor(config, origin.startsWith('https:'))
}

/** The cookies and sessions of visitors who come over HTTPS, or who do not. */
export function siteFor<AnySite extends ReadingSite>(
  config: Pick<SessionConfig, 'useSecureCookies'> & {
    readonly secureSite: AnySite
    readonly plainSite: AnySite
  },
  secure: boolean,
): AnySite {
  return (config.useSecureCookies ?? secure) ? config.secureSite : config.plainSite
}
