import { type Env, type EnvOptions, processEnv, readEnv } from './env.ts'
import type { AuthConfig } from './options.ts'
import { configuredSecrets, createReaders, type Readers, tokenSecrets } from './readers.ts'
import type { ReadingSite, SessionConfig } from './resolved.ts'
import { sessionCookie } from './session-cookie.ts'

/** What a framework knows that an application need not say. */
export interface Platform {
  /** Defaults to the environment of the process. */
  env?: Env
  /** Where the endpoints are if nobody says. Defaults to `/auth`. */
  defaultBasePath?: string
  /** What the framework takes off the path before it hands a request on. */
  publicPrefix?: string
}

/** As much of a configuration as is known without looking at all of it. */
export interface Basis {
  readonly options: AuthConfig
  readonly platform: Platform
  readonly env: Env
  /** What the environment says. */
  readonly said: EnvOptions
  /** The newest first. */
  readonly secrets: readonly string[]
  /** Null where only the whole configuration can tell how sessions are read. */
  readonly sessions: (SessionConfig & { readonly readers: Readers }) | null
}

/**
 * Reads what most requests need: how to check a session. All else, and whether all of it is right, is
 * found out when it is needed.
 */
export function readBasis(options: AuthConfig, platform: Platform = {}): Basis {
  const env = platform.env ?? processEnv()
  const said = readEnv(env)
  const secrets = configuredSecrets(options.secret) ?? said.secrets
  const known = { options, platform, env, said, secrets }
  return { ...known, sessions: isSettled(known) ? sessionConfig(known) : null }
}

/**
 * Whether sessions can be read without anything else: they are in a cookie of ours, sealed in our way,
 * and nothing that decides about them is at fault. What is wrong elsewhere is reported where it matters.
 */
function isSettled({ options, said, secrets }: Omit<Basis, 'sessions'>): boolean {
  const { session, jwt, events, cookies, adapter } = options
  const trustHost = options.trustHost ?? said.trustHost
  return (
    (session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'jwt' &&
    !(cookies || session?.revocation || jwt?.encode || jwt?.decode || events?.session) &&
    said.unclear.length === 0 &&
    [...secrets, ...tokenSecrets(options, secrets)].every(Boolean) &&
    secrets.length > 0 &&
    Boolean(said.url || (typeof trustHost === 'object' ? trustHost.length : trustHost)) &&
    [session?.maxAge, session?.absoluteAge, jwt?.maxAge].every(
      age => age === undefined || (age > 0 && age < Infinity),
    ) &&
    [session?.updateAge, jwt?.cacheSize].every(size => size === undefined || size >= 0)
  )
}

function sessionConfig({
  options,
  said,
  secrets,
}: Omit<Basis, 'sessions'>): NonNullable<Basis['sessions']> {
  const readers = createReaders(options, secrets)
  const site = (secure: boolean): ReadingSite => {
    const sessionToken = sessionCookie(secure)
    return { cookieOptions: { sessionToken }, sessions: readers.readerFor(sessionToken.name) }
  }
  return {
    readers,
    sealerFor: readers.sealerFor,
    callbacks: { ...options.callbacks },
    events: {},
    strategy: 'jwt',
    origin: said.url?.origin,
    useSecureCookies: options.useSecureCookies,
    secureSite: site(true),
    plainSite: site(false),
    now: options.ports?.now ?? (() => Date.now()),
  }
}
