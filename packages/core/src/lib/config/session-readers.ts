import { primitives } from '#crypto'
import type { Adapter } from '../base/adapter.ts'
import type { RevocationLog, TrackedSessions } from '../base/stores.ts'
import { createSealer, type Sealer } from '../crypto/jwe.ts'
import { saltFor } from '../crypto/keys.ts'
import { createJwtReader, type JwtReader } from '../session/jwt/jwt-reader.ts'
import type { TokenCodec } from '../session/jwt/jwt-session.ts'
import { createTokenMemory } from '../session/jwt/token-cache.ts'
import { effectiveUpdateAge, type Lifetime } from '../session/lifetime.ts'
import type { LazyRevocations, RevocationView } from '../session/revocation.ts'
import type { LazyTracker, Tracker } from '../session/session-tracker.ts'
import type { AuthConfig } from './options.ts'
import { type ConfigSources, namedSecrets } from './sources.ts'

/** Enough for the sessions of some 1000 people who are at work at the same time. */
const DEFAULT_CACHE_BYTES = 2 * 1024 * 1024
const THIRTY_DAYS = 30 * 24 * 60 * 60

/** Opens and seals values, with the keys that it has derived. */
export interface Readers {
  /** Seals values for one purpose. Keys are derived once per purpose. */
  sealerFor(purpose: string): Sealer
  /** How they are ended before their time; null if they are not. */
  readonly revocations: LazyRevocations | null
  /** Records the sessions; null if nothing needs the list. */
  readonly openTracker: LazyTracker | null
  /** Reads the JWT sessions in one cookie. */
  readerFor(cookieName: string, ownCodec?: TokenCodec): JwtReader
}

/** Makes the {@link Readers} of an application. */
export function createReaders({ options, secrets }: ConfigSources): Readers {
  const sealers = new Map<string, Sealer>()
  const readers = new Map<string, JwtReader>()
  const now = options.ports?.now ?? (() => Date.now())
  const { cacheBytes = DEFAULT_CACHE_BYTES, decode } = options.jwt ?? {}
  const maxAge = tokenMaxAge(options)
  const lifetime = lifetimeOf(options, maxAge)
  // A token may live longer than its session, and sessions may become longer. Rows have no token.
  const maxLifetime = strategyOf(options) === 'jwt' ? maxAge : lifetimeOf(options).maxAge
  const revocations = revocationsOf(options, { ...lifetime, maxAge: maxLifetime })
  const openTracker = revocations && trackerOf(options)

  function sealerFor(purpose: string): Sealer {
    const sealer =
      sealers.get(purpose) ??
      createSealer(primitives, tokenSecrets(options, secrets), saltFor(purpose, options.session))
    sealers.set(purpose, sealer)
    return sealer
  }

  function codecFor(cookieName: string): TokenCodec {
    const sealer = sealerFor(cookieName)
    return {
      open: sealer.open,
      seal: (claims, age = maxAge) => sealer.seal(claims, age, now()),
    }
  }

  function readerFor(cookieName: string, ownCodec?: TokenCodec): JwtReader {
    const reader =
      readers.get(cookieName) ??
      createJwtReader({
        lifetime,
        jwt: options.callbacks?.jwt,
        codec: ownCodec ?? codecFor(cookieName),
        isWatched: isWatched(options),
        expose: options.session?.expose,
        // The application's own function may decide again each time.
        memory: cacheBytes > 0 && !decode ? createTokenMemory(cacheBytes) : null,
        revocations,
        openTracker,
        isRevocationOff: options.session?.revocation === false,
        async report(failure) {
          const { reportUnopened } = await import('../session/jwt/log-unopened.ts')
          reportUnopened(failure, options)
        },
        now,
      })
    readers.set(cookieName, reader)
    return reader
  }

  return { revocations, openTracker, sealerFor, readerFor }
}

/** How sessions in cookies are ended before their time; null if they are not. */
export function revocationsOf(options: AuthConfig, lifetime: Lifetime): LazyRevocations | null {
  const configured = options.session?.revocation
  const log = configured === false ? null : (configured?.log ?? options.adapter?.revocations)
  // Applications that wrap each member of an adapter in a function make one of this, too.
  if (!log?.since) return null
  let opening: Promise<RevocationView> | undefined
  const revocations = {
    opened: null as RevocationView | null,
    open() {
      opening ??= openLog(log)
      return opening
    },
  }

  async function openLog(opened: RevocationLog): Promise<RevocationView> {
    const [{ openRevocationView }, { completeRevocation }] = await Promise.all([
      import('../revocation/revocation-view.ts'),
      import('./complete-options.ts'),
    ])
    const settings = completeRevocation(configured || undefined)
    // A session in a database belongs to a user of the database, who is the same for all audiences of that database.
    const isOfAll = strategyOf(options) === 'database' && hasOwnLog(options)
    const audience = isOfAll ? undefined : options.session?.audience
    revocations.opened = await openRevocationView(opened, {
      ...{ ...options, ...options.ports, ...settings, ...lifetime },
      audience,
    })
    return revocations.opened
  }

  return revocations
}

/**
 * Whether the log of revocations belongs to the adapter, so that configurations that share the log share the users as well. A log
 * of its own may be shared by tenants with a database each, which give the same ids to different people.
 */
export function hasOwnLog({ session, adapter }: AuthConfig): boolean {
  const { log } = session?.revocation || {}
  return !log || log === adapter?.revocations
}

/**
 * How long sessions live.
 *
 * @param limit how long the token lives: a cookie that outlives its token, or a token that outlives its cookie, is
 * useless
 */
export function lifetimeOf({ session }: AuthConfig, limit: number = Infinity): Lifetime {
  const maxAge = Math.min(session?.maxAge ?? THIRTY_DAYS, limit)
  return {
    maxAge,
    updateAge: effectiveUpdateAge(maxAge, session?.updateAge),
    absoluteAge: session?.absoluteAge,
  }
}

/** Where sessions are kept. */
export function strategyOf({ session, adapter }: AuthConfig): 'jwt' | 'database' {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

/** How long tokens live, in seconds. */
export function tokenMaxAge({ jwt, session }: AuthConfig): number {
  return jwt?.maxAge ?? session?.maxAge ?? THIRTY_DAYS
}

/** Whether the application has a callback or an event that is given sessions. */
export function isWatched({ callbacks, events }: AuthConfig): boolean {
  return Boolean(callbacks?.session ?? events?.session)
}

/** The secrets that tokens are sealed with. */
export function tokenSecrets({ jwt }: AuthConfig, secrets: readonly string[]): readonly string[] {
  return namedSecrets(jwt?.secret) ?? secrets
}

/** Records the sessions in cookies; null if nothing needs the list. */
function trackerOf(options: AuthConfig): LazyTracker | null {
  const store = trackStoreOf(options)
  if (!store) return null
  let opened: Promise<Tracker> | undefined
  return () => {
    opened ??= import('../devices/session-tracker.ts').then(({ createTracker }) =>
      createTracker(store, { ...options, ...options.ports }),
    )
    return opened
  }
}

/** The store of sessions in cookies; undefined if they are not or cannot be recorded. */
export function trackStoreOf({ session, adapter }: AuthConfig): TrackedSessions | undefined {
  const { track } = session ?? {}
  if (track !== true) return track || undefined
  // Applications that wrap each member of an adapter in a function make one of this, too.
  const store = adapter?.trackedSessions
  return store?.list ? store : undefined
}

/** Whether the rows of sessions have columns for what is known of them. */
export function takesDetails(adapter: Adapter | undefined): boolean {
  return takesMore(adapter, 'sessions')
}

/** Whether a table takes more than the contract has. */
export function takesMore(
  adapter: Adapter | undefined,
  table: NonNullable<Adapter['extends']>[number],
): boolean {
  const tables: unknown = adapter?.extends
  return Array.isArray(tables) && tables.includes(table)
}
