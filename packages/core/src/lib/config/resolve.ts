import { primitives } from '#crypto'
import { createSealer, type Opened, type OpenFailure, type Sealer } from '../crypto/jwe.ts'
import { createCsrfTokens } from '../csrf/token.ts'
import { type AuthError, InvalidConfiguration } from '../errors.ts'
import { createLogger, type WarningCode } from '../logger.ts'
import type { Adapter, Awaitable, JWT } from '../model.ts'
import type { Ports } from '../ports.ts'
import { createDatabaseStore, type SessionRows } from '../session/database-store.ts'
import { decode, encode, type JWTOptions } from '../session/jwt.ts'
import { createJwtStore } from '../session/jwt-store.ts'
import { effectiveUpdateAge, type Lifetime } from '../session/lifetime.ts'
import type { SessionStore } from '../session/store.ts'
import { createTokenMemory } from '../session/token-memory.ts'
import { type Candidate, findFaults, findWarnings, usablePages } from './check.ts'
import { type CookieTable, cookieTable } from './cookies.ts'
import { type Env, processEnv, readEnv, resolvePaths } from './env.ts'
import { guardAdapter, guardEvents } from './guard.ts'
import { type AuthConfig, skipCSRFCheck } from './options.ts'
import { present } from './present.ts'
import { resolveProviders } from './resolve-providers.ts'
import type { Frame, ResolvedConfig, Site } from './resolved.ts'

/** What a framework knows that an application need not say. */
export interface Platform {
  /** Defaults to the environment of the process. */
  env?: Env
  /** Where the endpoints are if nobody says. Defaults to `/auth`. */
  defaultBasePath?: string
  /** What the framework takes off the path before it hands a request on. */
  publicPrefix?: string
}

/** A configuration, or what is wrong with it. */
export type Resolution =
  | { readonly frame: Frame; readonly config: ResolvedConfig; readonly faults: readonly [] }
  | { readonly frame: Frame; readonly config: null; readonly faults: readonly AuthError[] }

/** Enough for the sessions of some 1000 people who are at work at the same time. */
const DEFAULT_CACHE_SIZE = 2 * 1024 * 1024
const THIRTY_DAYS = 30 * 24 * 60 * 60

/**
 * Decides everything that does not depend on a request, once. The application's object is only read.
 * Warnings are logged here; faults are for the caller to report.
 */
export function resolveConfig(options: AuthConfig, platform: Platform = {}): Resolution {
  const env = platform.env ?? processEnv()
  const said = readEnv(env)
  const paths = resolvePaths(
    options.basePath,
    said.url,
    platform.defaultBasePath ?? '/auth',
    platform.publicPrefix ?? '',
  )
  const frame: Frame = {
    logger: createLogger(options.logger, options.debug ?? false),
    pages: usablePages(options.pages),
    theme: {
      colorScheme: 'auto',
      logo: '',
      brandColor: '',
      buttonText: '',
      ...present(options.theme),
    },
    language: options.language,
    translations: options.translations ?? {},
    paths,
    origin: said.url?.origin,
    trustHost: options.trustHost ?? said.trustHost,
    development: said.development,
  }
  const { providers, faults, repeatedIds } = resolveProviders(options.providers ?? [], env)
  const secrets = configuredSecrets(options.secret) ?? said.secrets
  const candidate: Candidate = {
    options,
    providers,
    secrets: secrets.length === 0 && said.development ? [developmentSecret()] : secrets,
    origin: frame.origin,
    trustHost: frame.trustHost,
    redirectProxyUrl: (options.redirectProxyUrl ?? said.redirectProxyUrl) || undefined,
    strategy: options.session?.strategy ?? (options.adapter ? 'database' : 'jwt'),
    cookies: cookieTables(
      options.useSecureCookies ?? frame.origin?.startsWith('https:'),
      options.cookies,
    ),
  }
  const warnings: WarningCode[] = [...findWarnings(candidate)]
  if (secrets.length === 0 && said.development) warnings.push('generated-secret')
  if (repeatedIds.length > 0) warnings.push('repeated-provider-id')
  if (paths.warning) warnings.push(paths.warning)
  for (const warning of warnings) frame.logger.warn(warning)

  const all = [
    ...said.faults.map(fault => new InvalidConfiguration(fault)),
    ...faults,
    ...findFaults(candidate),
  ]
  if (all.length > 0) return { frame, config: null, faults: all }
  return { frame, config: assemble(frame, candidate), faults: [] }
}

/** Where the origin is known, so is which cookies are used; else a request decides. */
function cookieTables(
  secure: boolean | undefined,
  overrides: AuthConfig['cookies'],
): readonly CookieTable[] {
  if (secure !== undefined) return [cookieTable(secure, overrides)]
  return [cookieTable(true, overrides), cookieTable(false, overrides)]
}

function assemble(frame: Frame, candidate: Candidate): ResolvedConfig {
  const { options, providers, secrets, strategy } = candidate
  const ports: Ports = { ...defaultPorts, ...present(options.ports) }
  const adapter = options.adapter ? guardAdapter(options.adapter, frame.logger) : null
  const [secure, plain = secure] = candidate.cookies
  if (!secure || !plain) throw new TypeError('there is at least one table of cookies')

  function site(cookies: CookieTable): Site {
    const sessions = createSessions(frame, candidate, cookies, adapter, ports)
    return Object.freeze({ cookies, sessions })
  }

  const secureSite = site(secure)
  return Object.freeze({
    ...frame,
    providers,
    callbacks: Object.freeze({ ...options.callbacks }),
    events: Object.freeze(guardEvents(options.events, frame.logger)),
    adapter,
    strategy,
    secrets,
    csrf: options.skipCSRFCheck === skipCSRFCheck ? null : createCsrfTokens(primitives, secrets),
    sealerFor: sealers(configuredSecrets(options.jwt?.secret) ?? secrets),
    redirectProxyUrl: candidate.redirectProxyUrl,
    trustedOrigins: Object.freeze([...(options.trustedOrigins ?? [])]),
    useSecureCookies: options.useSecureCookies,
    secureSite,
    plainSite: plain === secure ? secureSite : site(plain),
    ports,
  })
}

function createSessions(
  frame: Frame,
  { options, secrets, strategy }: Candidate,
  cookies: CookieTable,
  adapter: Adapter | null,
  ports: Ports,
): SessionStore {
  const { updateAge, generateSessionToken } = options.session ?? {}
  const sessionMaxAge = options.session?.maxAge ?? THIRTY_DAYS
  const tokenMaxAge = options.jwt?.maxAge ?? sessionMaxAge
  // A cookie that outlives its token, or a token that outlives its cookie, is of no use.
  const maxAge = strategy === 'jwt' ? Math.min(sessionMaxAge, tokenMaxAge) : sessionMaxAge
  const lifetime: Lifetime = { maxAge, updateAge: effectiveUpdateAge(maxAge, updateAge) }
  const { now } = ports
  const isWatched = Boolean(options.callbacks?.session ?? options.events?.session)
  if (strategy === 'database') {
    return createDatabaseStore({
      lifetime,
      rows: adapter as SessionRows, // the check has seen that it has these methods
      generateSessionToken: generateSessionToken ?? (() => crypto.randomUUID()),
      isWatched,
      now,
    })
  }
  const { cacheSize = DEFAULT_CACHE_SIZE, decode: ownDecode } = options.jwt ?? {}
  return createJwtStore({
    lifetime,
    jwt: options.callbacks?.jwt,
    ...tokenCodec(options, secrets, cookies.sessionToken.name, tokenMaxAge, now),
    isWatched,
    // The application's own function may decide anew each time.
    memory: cacheSize > 0 && !ownDecode ? createTokenMemory(cacheSize) : null,
    logger: frame.logger,
    now,
  })
}

/** The same purpose gets the same sealer, which keeps the keys that it has derived. */
function sealers(secrets: readonly string[]): (purpose: string) => Sealer {
  const made = new Map<string, Sealer>()
  return purpose => {
    const sealer = made.get(purpose) ?? createSealer(primitives, secrets, purpose)
    made.set(purpose, sealer)
    return sealer
  }
}

interface TokenCodec {
  open(token: string): Awaitable<Opened | OpenFailure>
  seal(claims: JWT): Awaitable<string>
}

/** Our own sealing, with either half replaced where the application has its own. */
function tokenCodec(
  options: AuthConfig,
  secrets: readonly string[],
  salt: string,
  maxAge: number,
  now: () => number,
): TokenCodec {
  const { cacheSize: _, ...jwt } = options.jwt ?? {}
  const jwtSecrets = configuredSecrets(jwt.secret) ?? secrets
  const sealer = createSealer(primitives, jwtSecrets, salt)
  const shared: JWTOptions = {
    secret: asConfigured(jwtSecrets),
    maxAge,
    encode,
    decode,
    ...present(jwt),
  }
  const { encode: ownEncode, decode: ownDecode } = jwt
  return {
    seal: ownEncode
      ? claims => ownEncode({ ...shared, token: claims, salt })
      : claims => sealer.seal(claims, maxAge, now()),
    open: ownDecode
      ? async token => {
          try {
            const claims = await ownDecode({ ...shared, token, salt })
            return claims ? { claims, text: JSON.stringify(claims) } : 'malformed'
          } catch {
            return 'malformed' // the application's way to say that a token is not valid
          }
        }
      : token => sealer.open(token, now()),
  }
}

/** A single secret as a text, since that is what the application's own functions are used to. */
function asConfigured(secrets: readonly string[]): string | string[] {
  const [only = ''] = secrets
  return secrets.length === 1 ? only : [...secrets]
}

const defaultPorts: Ports = {
  now: () => Date.now(),
  randomHex: bytes =>
    Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte =>
      byte.toString(16).padStart(2, '0'),
    ).join(''),
  fetch: (input, init) => fetch(input, init),
}

function configuredSecrets(secret: string | string[] | undefined): readonly string[] | undefined {
  if (!secret?.length) return undefined
  // A variable that is not set arrives as undefined, whatever the type says; it is at fault like ''.
  return typeof secret === 'string' ? [secret] : secret.map(each => each ?? '')
}

const developmentSecretKey = Symbol.for('siteauth.development-secret')

/** One per process, also where a bundler has put several copies of this module into it. */
function developmentSecret(): string {
  const shared = globalThis as { [developmentSecretKey]?: string }
  shared[developmentSecretKey] ??= `${crypto.randomUUID()}${crypto.randomUUID()}`
  return shared[developmentSecretKey]
}
