import { primitives } from '#crypto'
import type { Adapter } from '../../base/adapter.ts'
import type { Callbacks } from '../../base/callbacks.ts'
import { definedMembers } from '../../base/defined-members.ts'
import type { AuthError } from '../../base/errors.ts'
import { createLogger, type LoggerInstance } from '../../base/logger.ts'
import type { Ports } from '../../base/ports.ts'
import { STATE_PURPOSE } from '../../crypto/purposes.ts'
import { randomHex, uuidFrom } from '../../crypto/random.ts'
import { createCsrfTokens } from '../../csrf/token.ts'
import { isOAuth, takesNotices } from '../../providers/is-oauth.ts'
import { createAudienceStore } from '../../session/database/audience-store.ts'
import { createDatabaseStore } from '../../session/database/database-store.ts'
import { answeringPlainly } from '../../session/database/plain-session.ts'
import { createNoticedStore } from '../../session/database/provider-revocation-store.ts'
import type { SessionMethods } from '../../session/database/session-methods.ts'
import { hashedAdapter } from '../../session/hashing/hashed-adapter.ts'
import { createJwtStore } from '../../session/jwt/jwt-store.ts'
import { createRejectedSessions } from '../../session/rejecting/rejected-sessions.ts'
import { createRejectingStore } from '../../session/rejecting/rejecting-store.ts'
import type { LazyRevocations } from '../../session/revocation.ts'
import type { SessionStore } from '../../session/store.ts'
import { sealingAdapter } from '../../tokens/sealing-adapter.ts'
import { accountConfig, completeAccount } from '../account-options.ts'
import { announce, getAdapterConfigs } from '../adapter-configs.ts'
import { completeSession } from '../complete-options.ts'
import { cookieTables } from '../cookies.ts'
import { limitsOf } from '../limits.ts'
import { type AuthConfig, skipCSRFCheck } from '../options.ts'
import { redirectProxyOrigins, redirectProxyUrl, unclearVariable } from '../provider-env.ts'
import { addIssuers, isIdShared } from '../provider-issuers.ts'
import type {
  CookieTable,
  InvalidConfig,
  PageConfig,
  ResolvedConfig,
  SchemeConfig,
} from '../resolved-config.ts'
import type { Runtime } from '../runtime.ts'
import { runtimesFetch } from '../runtimes-fetch.ts'
import { tokenSettings } from '../session-config.ts'
import {
  createReaders,
  hasOwnLog,
  isWatched,
  lifetimeOf,
  type Readers,
  strategyOf,
  takesDetails,
} from '../session-readers.ts'
import { siteAddressOf } from '../site-address.ts'
import { type ConfigSources, type Platform, readSources } from '../sources.ts'
import { createUserRevocations, revocationAge, type UserRevocations } from '../user-revocations.ts'
import { findProblems } from '../validation/validate-config.ts'
import { ownCodec } from './custom-codec.ts'
import {
  isDevelopment,
  isOnTrial,
  logWarnings,
  warnOfLastingSessions,
  warnOfUnconditionalLinks,
} from './log-warnings.ts'
import { resolveProviders } from './resolve-providers.ts'
import { wrapAdapter } from './wrap-adapter.ts'
import { wrapEvents } from './wrap-events.ts'

/** All of a configuration at once: for servers that answer every kind of request anyway. */
export function resolveConfig(
  options: AuthConfig,
  platform?: Platform,
): ResolvedConfig | InvalidConfig {
  const sources = readSources(options, platform)
  announce(sources)
  return completeConfig(sources, null)
}

/**
 * Decides everything that does not depend on a request, once. Warnings are logged here; faults are for
 * the caller to report.
 *
 * @param readers those of sessions that were read before: what they know need not be found out again
 */
export function completeConfig(
  given: ConfigSources,
  readers: Readers | null,
): ResolvedConfig | InvalidConfig {
  const { envOptions, env } = given
  const page = pageConfig(given)
  const resolved = resolveProviders(given.options.providers ?? [], env)
  logWarnings(given, page, resolved)
  resolveWaiting(given.options.adapter)
  const sources = isOnTrial(given) ? { ...given, secrets: [developmentSecret()] } : given
  const [problem, ...others] = [
    ...envOptions.unclear.map(unclearVariable),
    ...resolved.problems,
    ...findProblems(sources, resolved.providers),
  ]
  if (problem) return { ...page, problems: [problem, ...others] }
  const config = assemble(sources, page, resolved.providers, readers ?? createReaders(sources))
  warnOfLastingSessions(config)
  warnOfUnconditionalLinks(config)
  return config
}

/** The configuration. Throws if it has mistakes, after logging them all. */
export function requireConfig(config: ResolvedConfig | InvalidConfig): ResolvedConfig {
  if (!config.problems) return config
  logProblems(config)
  throw config.problems[0]
}

const logged = new WeakSet<AuthError>()

/** Tells the log what is wrong with a configuration: once, however many requests find out. */
export function logProblems({ logger, problems }: InvalidConfig): void {
  for (const problem of problems.filter(each => !logged.has(each))) {
    logged.add(problem)
    logger.error(problem)
  }
}

function pageConfig(sources: ConfigSources): PageConfig {
  const { options, env } = sources
  return {
    ...siteAddressOf(sources),
    logger: createLogger(options),
    runtime: {
      crowdLoggedAt: new Map(),
      unreachableLoggedAt: new Map(),
      noticeBudgets: new Map(),
    },
    theme: {
      colorScheme: 'auto',
      logo: '',
      brandColor: '',
      buttonText: '',
      ...definedMembers(options.theme),
    },
    language: options.language,
    translations: options.translations ?? {},
    development: isDevelopment(env),
  }
}

function assemble(
  sources: ConfigSources,
  page: PageConfig,
  providers: ResolvedConfig['providers'],
  readers: Readers,
): ResolvedConfig {
  const { options, secrets, env } = sources
  const strategy = strategyOf(options)
  const secretsOfAudience = bindSecrets(options, secrets)
  const ports: Ports = { ...defaultPorts, ...definedMembers(options.ports) }
  const sealerFor = sealersOf(readers, sources)
  const { remember, maxConcurrent } = completeSession(options.session)
  const adapter = options.adapter
    ? wrapForOptions(options.adapter, options, page.logger, sealerFor, ports)
    : null
  const cookies = cookieTables(sources)
  const { revocations: lazyRevocations } = readers
  const retentionSeconds = revocationAge(providers.values())
  const userRevocations =
    lazyRevocations &&
    createUserRevocations({
      ...ports,
      revocations: lazyRevocations,
      strategy,
      logger: page.logger,
      retentionSeconds,
    })

  // If no provider ends sessions, there is nothing to check.
  const notices = [...providers.values()].some(takesNotices) ? readers.revocations : null

  function scheme(cookieOptions: CookieTable): SchemeConfig {
    const sessions =
      strategy === 'database'
        ? createRowSessions(sources, page.runtime, secretsOfAudience, adapter, ports, notices)
        : createTokenSessions(options, secrets, cookieOptions.sessionToken.name, readers, ports)
    return Object.freeze({ cookieOptions, sessions })
  }

  const https = scheme(cookies.https)
  const csrf =
    options.skipCSRFCheck === skipCSRFCheck ? null : createCsrfTokens(primitives, secretsOfAudience)
  return Object.freeze({
    ...page,
    providers,
    callbacks: Object.freeze(callbacksFor(strategy, { ...options.callbacks })),
    events: Object.freeze(wrapEvents(options.events, page.logger)),
    adapter,
    endsAtProviders: [...providers.values()].some(endsAtProvider),
    strategy,
    endUser: endUserBy(options, userRevocations, readers, adapter, retentionSeconds),
    userRevocations,
    revokeByProvider: providerRevoker(readers),
    remember,
    maxConcurrent,
    describeSession: describerOf(options, page.logger, readers),
    limits: limitsOf(sources, page.logger),
    audience: options.session?.audience,
    bindSecrets: (own: readonly string[]) => bindSecrets(options, own),
    secrets: secretsOfAudience,
    csrf,
    sealerFor,
    account: accountConfig(options),
    isIdShared: (id: string) => {
      resolveWaiting(options.adapter)
      return isIdShared(options.adapter, id)
    },
    ...tokenSettings(options),
    redirectProxyUrl: redirectProxyUrl(options.redirectProxyUrl, env),
    redirectProxyOrigins: Object.freeze([
      ...redirectProxyOrigins(options.redirectProxyOrigins, env),
    ]),
    trustedOrigins: Object.freeze([...(options.trustedOrigins ?? [])]),
    useSecureCookies: options.useSecureCookies,
    https,
    http: cookies.http === cookies.https ? https : scheme(cookies.http),
    ports,
    now: ports.now,
  })
}

/** Whether signing out here signs people out at a provider as well. */
function endsAtProvider(provider: Parameters<typeof isOAuth>[0]): boolean {
  return isOAuth(provider) && provider.logout === 'provider'
}

/** An adapter whose failures are ours, and which receives tokens as the options want them stored. */
function wrapForOptions(
  given: Adapter,
  options: AuthConfig,
  logger: LoggerInstance,
  sealerFor: ResolvedConfig['sealerFor'],
  { now }: Ports,
): Adapter {
  const wrapped = wrapAdapter(given, logger)
  const { hashTokens } = completeSession(options.session)
  const hashing = hashTokens ? hashedAdapter(wrapped, hashTokens) : wrapped
  return completeAccount(options).encryptTokens ? sealingAdapter(hashing, sealerFor, now) : hashing
}

/** Resolves the providers of all configurations with an adapter that were not used yet. */
function resolveWaiting(adapter: Adapter | undefined): void {
  if (!adapter) return
  const { waiting } = getAdapterConfigs(adapter)
  for (const { options, env } of waiting) {
    addIssuers(adapter, resolveProviders(options.providers ?? [], env).providers.values())
  }
  waiting.clear()
}

/** The secrets of an audience, if there is one: a value made with them is useless for others. */
function bindSecrets({ session }: AuthConfig, secrets: readonly string[]): readonly string[] {
  const { audience } = session ?? {}
  return audience === undefined ? secrets : secrets.map(secret => `${secret} ${audience}`)
}

function callbacksFor(
  strategy: ResolvedConfig['strategy'],
  callbacks: Partial<Callbacks>,
): Partial<Callbacks> {
  return strategy === 'database' ? answeringPlainly(callbacks) : callbacks
}

/** Nothing is found out about sessions that is not kept. */
function describerOf(
  options: AuthConfig,
  logger: LoggerInstance,
  { openTracker }: Readers,
): ResolvedConfig['describeSession'] {
  const { track = true, describe } = options.session ?? {}
  const isStored =
    strategyOf(options) === 'jwt' ? openTracker !== null : track && takesDetails(options.adapter)
  if (!isStored) return null
  return async (request, provider) => {
    const { describeSession } = await import('../../devices/describe-session.ts')
    return describeSession(request, provider, describe, logger)
  }
}

/** The number of cookies is unknown. */
function endCookies(
  { revocations: lazyRevocations, openTracker }: Readers,
  adapter: Adapter | null,
  retentionSeconds: number,
): ResolvedConfig['endUser'] {
  return (
    lazyRevocations &&
    (async (userId, at) => {
      const { endAllCookies } = await import('../../session/jwt/end-all-cookies.ts')
      const isShared = await mayBeStored(adapter, userId)
      const revocation = { at, isShared, retentionSeconds }
      const revokedAt = await endAllCookies(lazyRevocations, openTracker, userId, revocation)
      return { count: 0, revokedAt }
    })
  )
}

/**
 * Whether a user may be one of the adapter, who is the same for all audiences: a password that was stolen signs in to all of
 * them. Adapters may throw if an id is not of their kind, and all that it costs is another sign-in.
 */
async function mayBeStored(adapter: Adapter | null, userId: string): Promise<boolean> {
  try {
    return ((await adapter?.getUser?.(userId)) ?? null) !== null
  } catch {
    return true
  }
}

/** The rows are deleted last: a sign-in that is in progress stores its row, and then looks for the entry. */
function endRows(
  revocations: UserRevocations | null,
  deleteSessions: NonNullable<Adapter['deleteSessions']>,
): NonNullable<ResolvedConfig['endUser']> {
  return async (userId, at) => {
    const [recorded] = await Promise.allSettled([revocations?.record(userId, at)])
    const count = await deleteSessions(userId)
    if (recorded.status === 'rejected') throw recorded.reason
    return { count, revokedAt: recorded.value ?? null }
  }
}

function endUserBy(
  options: AuthConfig,
  revocations: UserRevocations | null,
  readers: Readers,
  adapter: Adapter | null,
  retentionSeconds: number,
): ResolvedConfig['endUser'] {
  if (strategyOf(options) === 'jwt') {
    // In the log of another store, the id of a user may be that of somebody else.
    return endCookies(readers, hasOwnLog(options) ? adapter : null, retentionSeconds)
  }
  const { deleteSessions } = adapter ?? {}
  return deleteSessions ? endRows(revocations, deleteSessions) : null
}

function providerRevoker({
  revocations: lazyRevocations,
}: Readers): ResolvedConfig['revokeByProvider'] {
  return (
    lazyRevocations &&
    (async revocation => (await lazyRevocations.open()).revokeByProvider(revocation))
  )
}

function createRowSessions(
  { options }: ConfigSources,
  runtime: Runtime,
  secretsOfAudience: readonly string[],
  adapter: Adapter | null,
  { now, randomHex }: Ports,
  notices: LazyRevocations | null,
): SessionStore {
  const [newest = '', ...older] = secretsOfAudience
  const lifetime = lifetimeOf(options)
  const rows = createDatabaseStore({
    lifetime,
    rows: adapter as SessionMethods, // NEEDED.database has its methods, and the check has seen them
    takesDetails: takesDetails(options.adapter),
    hashTokens: completeSession(options.session).hashTokens,
    generateSessionToken: options.session?.generateSessionToken ?? (() => uuidFrom(randomHex(16))),
    secrets: [newest, ...older],
    isWatched: isWatched(options),
    expose: options.session?.expose,
    now,
  })
  runtime.rejectedSessions ??= createRejectedSessions()
  const { rejectedSessions: rejected } = runtime
  const rejecting = createRejectingStore(rows, { rejected, maxAge: lifetime.maxAge, now })
  const store = notices ? createNoticedStore(rejecting, notices, now) : rejecting
  return options.session?.audience === undefined
    ? store
    : createAudienceStore(store, primitives, secretsOfAudience)
}

function createTokenSessions(
  options: AuthConfig,
  secrets: readonly string[],
  cookieName: string,
  readers: Readers,
  { now }: Ports,
): SessionStore {
  const codec = ownCodec(options, secrets, cookieName, readers, now)
  return createJwtStore(readers.readerFor(cookieName, codec))
}

/**
 * Seals for the audience. Only the state that a redirect proxy reads is for everyone: one proxy may
 * serve many tenants, and all that the state does is to say which of them to pass an answer on to.
 */
function sealersOf(readers: Readers, sources: ConfigSources): Readers['sealerFor'] {
  const { options } = sources
  if (options.session?.audience === undefined) return readers.sealerFor
  const { sealerFor } = createReaders({ ...sources, options: { ...options, session: {} } })
  return purpose => (purpose === STATE_PURPOSE ? sealerFor : readers.sealerFor)(purpose)
}

const defaultPorts: Ports = {
  now: () => Date.now(),
  randomHex,
  fetch: runtimesFetch,
}

const developmentSecretKey = Symbol.for('siteauth.development-secret')

/** One per process, also where a bundler has put several copies of this module into it. */
function developmentSecret(): string {
  const shared = globalThis as { [developmentSecretKey]?: string }
  shared[developmentSecretKey] ??= randomHex(32)
  return shared[developmentSecretKey]
}
