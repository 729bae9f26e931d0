import type { Adapter } from '../base/adapter.ts'
import type { Callbacks, EventCallbacks } from '../base/callbacks.ts'
import type { AuthError } from '../base/errors.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { Ports } from '../base/ports.ts'
import type { SessionDetails } from '../base/session.ts'
import type { Limiter, LimitKind } from '../base/stores.ts'
import type { Theme } from '../branding/theme.ts'
import type { Sealer } from '../crypto/jwe.ts'
import type { CsrfTokens } from '../csrf/token.ts'
import type { CookieOption } from '../http/cookies.ts'
import type { ParsedRequest } from '../http/request.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { LimitRules } from '../limits/rules.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { ProviderRevocation } from '../session/revocation.ts'
import type { SessionReader, SessionStore } from '../session/store.ts'
import type { Translation } from '../translations/messages.ts'
import type { AuthConfig, CookiesOptions } from './options.ts'
import type { Runtime } from './runtime.ts'
import type { SiteAddress } from './site-address.ts'
import type { UserRevocations } from './user-revocations.ts'

/** The configuration of pages, including the error page. */
export interface PageConfig extends SiteAddress {
  readonly logger: LoggerInstance
  /** The memory of this process. Copies of a configuration share it. */
  readonly runtime: Runtime
  readonly theme: Readonly<Theme>
  readonly language: AuthConfig['language']
  readonly translations: Readonly<Record<string, Translation>>
  /** Whether pages may show internal errors. */
  readonly development: boolean
}

/** The cookies of the library. */
export type CookieTable = Readonly<Record<keyof CookiesOptions, CookieOption>>

/** The part of a {@link SchemeConfig} that a session check needs. */
export interface ReadingScheme {
  readonly cookieOptions: { readonly sessionToken: CookieOption }
  readonly sessions: SessionReader
}

/** The settings that depend on whether visitors use HTTPS: the names of the cookies, and so their keys. */
export interface SchemeConfig {
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
  /** Whether providers' tokens are kept in cookies, so that they have to be refreshed where cookies can be set. */
  readonly storesTokens: boolean
  /** Whether a session has an error when a provider's tokens can no longer be refreshed. */
  readonly showsTokenErrors: boolean
  readonly https: ReadingScheme
  readonly http: ReadingScheme
  readonly now: () => number
}

/** How the tokens of providers are stored and shown. */
export interface AccountConfig {
  /** Whether the store's accounts take more than the contract has. */
  readonly takesMore: boolean
  /** Whether the store's accounts take their issuer. */
  readonly takesIssuers: boolean
  /** How long they are remembered, in milliseconds. */
  readonly tokenCacheMilliseconds: number
  /** The providers whose access tokens browsers may have. */
  readonly exposed: readonly string[]
}

/** The result of ending all sessions of a user. */
interface EndedUser {
  /** How many sessions there were, if that is known. */
  readonly count: number
  /** When that was, by the clock of the store; null if it is not recorded. */
  readonly revokedAt: number | null
}

/** How attempts are limited. */
export interface Limits {
  readonly rules: Readonly<Record<LimitKind, LimitRules>>
  readonly clientAddress: ClientAddress | undefined
  openLimiter(): Promise<Limiter>
}

/** Everything that an application decided, checked, complete and frozen. */
export interface ResolvedConfig extends PageConfig, SessionConfig {
  readonly problems?: never
  readonly providers: ReadonlyMap<string, ProviderObject>
  readonly adapter: Readonly<Adapter> | null
  /** Whether there is a provider that people are signed out at as well. */
  readonly endsAtProviders: boolean
  /**
   * Ends all of a user's sessions. Null if they cannot be ended before they expire.
   *
   * @param at the earliest time that is recorded for it, by the clock of the store; the present one if it is left out
   */
  readonly endUser: ((userId: string, at?: number) => Promise<EndedUser>) | null
  /** How many concurrent sessions a user may have. */
  readonly maxConcurrent: number
  /** Null if nothing is recorded: there is no log of revocations. */
  readonly userRevocations: UserRevocations | null
  /** Ends sessions that a provider has ended; null if there is no log of revocations. */
  readonly revokeByProvider: ((revocation: ProviderRevocation) => Promise<boolean>) | null
  /** Whether sessions outlast the browser by default; with `ask`, the built-in page asks. */
  readonly remember: boolean | 'ask'
  /** Returns the details of a session that begins with a request; null if none are stored. */
  readonly describeSession:
    | ((request: ParsedRequest, provider: string) => Promise<SessionDetails>)
    | null
  readonly account: AccountConfig
  /** Whether other configurations with the same store use the id of a provider for other issuers. */
  readonly isIdShared: (provider: string) => boolean
  /** Null if they are switched off. */
  readonly limits: Limits | null
  /** The audience of sessions, if several applications share secrets or a store. */
  readonly audience: string | undefined
  /** Turns secrets into those of the audience: a value made with them is useless for others. */
  readonly bindSecrets: (secrets: readonly string[]) => readonly string[]
  /** Those of the audience, the newest first. */
  readonly secrets: readonly string[]
  /** Null if the check is switched off. */
  readonly csrf: CsrfTokens | null
  readonly redirectProxyUrl: string | undefined
  /** The origins that answers are passed on to. */
  readonly redirectProxyOrigins: readonly string[]
  readonly trustedOrigins: readonly string[]
  readonly https: SchemeConfig
  readonly http: SchemeConfig
  readonly ports: Ports
}

/** The configuration if there are errors in it: enough to report them. */
export interface InvalidConfig extends PageConfig {
  readonly problems: readonly [AuthError, ...AuthError[]]
}
