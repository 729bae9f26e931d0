import { primitives } from '#crypto'
import type { Callbacks } from '../base/callbacks.ts'
import { lazily } from '../base/lazily.ts'
import { createLogger, type LoggerInstance, type WarningCode } from '../base/logger.ts'
import type { Adapter } from '../base/model.ts'
import type { Ports } from '../base/ports.ts'
import { randomHex } from '../crypto/random-hex.ts'
import { createCsrfTokens } from '../csrf/token.ts'
import type { Theme } from '../look/theme.ts'
import { isPrivateHost } from '../oauth/private-host.ts'
import { STATE_PURPOSE } from '../oauth/state-purpose.ts'
import { createAudienceStore } from '../session/audience-store.ts'
import { createDatabaseStore, type SessionRows } from '../session/database-store.ts'
import type { LazyEndings } from '../session/endings.ts'
import { createJwtStore } from '../session/jwt-store.ts'
import { answeringPlainly } from '../session/plain-session.ts'
import type { SessionStore } from '../session/store.ts'
import { type Basis, type Platform, readBasis } from './basis.ts'
import { type Candidate, findFaults, findWarnings, missingClientIds } from './check.ts'
import { type CookieTable, cookieTable } from './cookies.ts'
import type { Env, EnvOptions } from './env.ts'
import { guardAdapter, guardEvents } from './guard.ts'
import { hashedAdapter } from './hashed-adapter.ts'
import { type AuthConfig, skipCSRFCheck } from './options.ts'
import { ownCodec } from './own-codec.ts'
import { present } from './present.ts'
import { createReaders, isWatched, lifetimeOf, type Readers } from './readers.ts'
import { redirectProxyOrigins } from './redirect-proxy-origins.ts'
import { resolveProviders } from './resolve-providers.ts'
import type { Frame, Resolution, ResolvedConfig, Site } from './resolved.ts'
import { secretsFor } from './secrets-for.ts'
import { siteFrameOf } from './site-frame.ts'
import { unclearVariable } from './unclear-variable.ts'

/** All of a configuration at once: for servers that answer every kind of request anyway. */
export function resolveConfig(options: AuthConfig, platform?: Platform): Resolution {
  return completeConfig(readBasis(options, platform))
}

/**
 * Decides everything that does not depend on a request, once. Warnings are logged here; faults are for
 * the caller to report.
 */
export function completeConfig(basis: Basis): Resolution {
  const { options, env, said } = basis
  const frame: Frame = {
    ...siteFrameOf(basis),
    logger: createLogger(options.logger, options.debug ?? false),
    theme: {
      colorScheme: 'auto',
      logo: '',
      brandColor: '',
      buttonText: '',
      ...present(options.theme),
    },
    language: options.language,
    translations: options.translations ?? {},
    development: said.development,
  }
  const { providers, faults, repeatedIds } = resolveProviders(options.providers ?? [], env)
  const isGenerated = basis.secrets.length === 0 && said.development
  const candidate: Candidate = {
    options,
    providers,
    secrets: isGenerated ? [developmentSecret()] : basis.secrets,
    origin: frame.origin,
    trustHost: frame.trustHost,
    redirectProxyUrl: (options.redirectProxyUrl ?? said.redirectProxyUrl) || undefined,
    redirectProxyOrigins: redirectProxyOrigins(options.redirectProxyOrigins, env),
    strategy: options.session?.strategy ?? (options.adapter ? 'database' : 'jwt'),
    cookies: cookieTables(
      options.useSecureCookies ?? frame.origin?.startsWith('https:'),
      options.cookies,
    ),
  }
  const warnings: WarningCode[] = [...findWarnings(candidate)]
  if (trustsAnyHost(frame, env)) warnings.push('any-host-trusted')
  if (isInsecure(said, env)) warnings.push('insecure-url')
  if (isGenerated) warnings.push('generated-secret')
  if (repeatedIds.length > 0) warnings.push('repeated-provider-id')
  if (frame.paths.warning) warnings.push(frame.paths.warning)
  for (const warning of warnings) {
    if (warning === 'missing-client-id') frame.logger.warn(warning, missingClientIds(candidate))
    else frame.logger.warn(warning)
  }
  if (options.theme) warnOfTheme(options.theme, frame.logger)

  const all = [...said.unclear.map(unclearVariable), ...faults, ...findFaults(candidate)]
  if (all.length > 0) return { frame, config: null, faults: all }
  return { frame, config: assemble(frame, candidate, basis), faults: [] }
}

const themes = lazily(() => import('./theme-warnings.ts'))

/** Nobody waits for it: what tells colours from other texts is as long as all the other checks. */
function warnOfTheme(theme: Theme, logger: LoggerInstance): void {
  void themes(({ themeWarnings }) => {
    for (const warning of themeWarnings(theme)) logger.warn(warning)
  })
}

/** Platforms that set the host themselves leave a visitor no choice. */
function trustsAnyHost({ origin, trustHost }: Frame, env: Env): boolean {
  const isPublic = env['NODE_ENV'] === 'production' && !env['VERCEL'] && !env['CF_PAGES']
  return isPublic && !origin && trustHost === true
}

/** Names of a private network, such as those of containers, have no certificates. */
function isInsecure({ url }: EnvOptions, env: Env): boolean {
  const isPlain = env['NODE_ENV'] === 'production' && url?.protocol === 'http:'
  return isPlain && !isPrivateHost(url.hostname)
}

/** Where the origin is known, so is which cookies are used; else a request decides. */
function cookieTables(
  secure: boolean | undefined,
  overrides: AuthConfig['cookies'],
): readonly CookieTable[] {
  if (secure !== undefined) return [cookieTable(secure, overrides)]
  return [cookieTable(true, overrides), cookieTable(false, overrides)]
}

function assemble(frame: Frame, candidate: Candidate, basis: Basis): ResolvedConfig {
  const { options, providers, secrets, strategy } = candidate
  // Sessions that were read before are known already, and so are the keys.
  const readers = basis.sessions?.readers ?? createReaders(options, secrets)
  const boundSecrets = secretsFor(options.session?.audience, secrets)
  const ports: Ports = { ...defaultPorts, ...present(options.ports) }
  const guarded = options.adapter ? guardAdapter(options.adapter, frame.logger) : null
  const { hashTokens = false } = options.session ?? {}
  const adapter = guarded && hashTokens ? hashedAdapter(guarded, hashTokens) : guarded
  const [secure, plain = secure] = candidate.cookies
  if (!secure || !plain) throw new TypeError('there is at least one table of cookies')

  function site(cookieOptions: CookieTable): Site {
    const sessions = createSessions(candidate, cookieOptions, readers, adapter, ports)
    return Object.freeze({ cookieOptions, sessions })
  }

  const secureSite = site(secure)
  const csrf =
    options.skipCSRFCheck === skipCSRFCheck ? null : createCsrfTokens(primitives, boundSecrets)
  return Object.freeze({
    ...frame,
    providers,
    callbacks: Object.freeze(callbacksFor(strategy, { ...options.callbacks })),
    events: Object.freeze(guardEvents(options.events, frame.logger)),
    adapter,
    strategy,
    endUser: strategy === 'jwt' ? endCookies(readers.endings) : (adapter?.deleteSessions ?? null),
    remember: options.session?.remember ?? true,
    audience: options.session?.audience,
    secrets: boundSecrets,
    csrf,
    sealerFor: sealersOf(readers, options, secrets),
    redirectProxyUrl: candidate.redirectProxyUrl,
    redirectProxyOrigins: Object.freeze([...candidate.redirectProxyOrigins]),
    trustedOrigins: Object.freeze([...(options.trustedOrigins ?? [])]),
    useSecureCookies: options.useSecureCookies,
    secureSite,
    plainSite: plain === secure ? secureSite : site(plain),
    ports,
    now: ports.now,
  })
}

function callbacksFor(
  strategy: ResolvedConfig['strategy'],
  callbacks: Partial<Callbacks>,
): Partial<Callbacks> {
  return strategy === 'database' ? answeringPlainly(callbacks) : callbacks
}

function endCookies(endings: LazyEndings | null): ResolvedConfig['endUser'] {
  return (
    endings &&
    (async userId => {
      await (await endings.open()).endUser(userId)
      return 0 // nobody knows how many cookies there are
    })
  )
}

function createSessions(
  { options, secrets, strategy }: Candidate,
  cookies: CookieTable,
  readers: Readers,
  adapter: Adapter | null,
  { now }: Ports,
): SessionStore {
  if (strategy === 'database') {
    const store = createDatabaseStore({
      lifetime: lifetimeOf(options, strategy),
      rows: adapter as SessionRows, // the check has seen that it has these methods
      generateSessionToken: options.session?.generateSessionToken ?? (() => crypto.randomUUID()),
      isWatched: isWatched(options),
      expose: options.session?.expose,
      now,
    })
    const { audience } = options.session ?? {}
    return audience === undefined
      ? store
      : createAudienceStore(store, primitives, secretsFor(audience, secrets))
  }
  const { name } = cookies.sessionToken
  return createJwtStore(readers.readerFor(name, ownCodec(options, secrets, name, readers, now)))
}

/**
 * Seals for the audience. Only the state that a redirect proxy reads is for everybody: one proxy may
 * serve many tenants, and all that the state does is to say which of them to pass an answer on to.
 */
function sealersOf(
  readers: Readers,
  options: AuthConfig,
  secrets: readonly string[],
): Readers['sealerFor'] {
  if (options.session?.audience === undefined) return readers.sealerFor
  const { sealerFor } = createReaders({ ...options, session: {} }, secrets)
  return purpose => (purpose === STATE_PURPOSE ? sealerFor : readers.sealerFor)(purpose)
}

const defaultPorts: Ports = {
  now: () => Date.now(),
  randomHex,
  fetch: (input, init) => fetch(input, init),
}

const developmentSecretKey = Symbol.for('siteauth.development-secret')

/** One per process, also where a bundler has put several copies of this module into it. */
function developmentSecret(): string {
  const shared = globalThis as { [developmentSecretKey]?: string }
  shared[developmentSecretKey] ??= `${crypto.randomUUID()}${crypto.randomUUID()}`
  return shared[developmentSecretKey]
}
