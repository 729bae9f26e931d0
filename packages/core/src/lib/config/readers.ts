import { primitives } from '#crypto'
import { createSealer, type Sealer } from '../crypto/jwe.ts'
import type { LazyEndings } from '../session/endings.ts'
import { createJwtReader, type JwtReader } from '../session/jwt-reader.ts'
import type { TokenCodec } from '../session/jwt-session.ts'
import { effectiveUpdateAge, type Lifetime } from '../session/lifetime.ts'
import { saltFor } from '../session/salt.ts'
import { createTokenMemory } from '../session/token-memory.ts'
import { endingsOf } from './endings-of.ts'
import type { AuthConfig } from './options.ts'

/** Enough for the sessions of some 1000 people who are at work at the same time. */
const DEFAULT_CACHE_SIZE = 2 * 1024 * 1024
const THIRTY_DAYS = 30 * 24 * 60 * 60

/** What opens and seals, with the keys that it has derived. */
export interface Readers {
  /** Seals values for one purpose. Keys are derived once per purpose. */
  sealerFor(purpose: string): Sealer
  /** How they are ended before their time; null where they are not. */
  readonly endings: LazyEndings | null
  /** Reads the JWT sessions in one cookie. */
  readerFor(cookieName: string, ownCodec?: TokenCodec): JwtReader
}

/** Makes the {@link Readers} of an application. */
export function createReaders(options: AuthConfig, secrets: readonly string[]): Readers {
  const sealers = new Map<string, Sealer>()
  const readers = new Map<string, JwtReader>()
  const now = options.ports?.now ?? (() => Date.now())
  const { cacheSize = DEFAULT_CACHE_SIZE, decode } = options.jwt ?? {}
  const maxAge = tokenMaxAge(options)
  const lifetime = lifetimeOf(options, 'jwt')
  // A token may live longer than its session, and sessions may become longer.
  const endings = endingsOf(options, { ...lifetime, maxAge })

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
        // The application's own function may decide anew each time.
        memory: cacheSize > 0 && !decode ? createTokenMemory(cacheSize) : null,
        endings,
        isEndingOff: options.session?.revocation === false,
        async report(failure) {
          const { reportUnopened } = await import('../session/report-unopened.ts')
          reportUnopened(failure, options)
        },
        now,
      })
    readers.set(cookieName, reader)
    return reader
  }

  return { endings, sealerFor, readerFor }
}

/** How long sessions live. */
export function lifetimeOf(options: AuthConfig, strategy: 'jwt' | 'database'): Lifetime {
  const { maxAge: sessionMaxAge = THIRTY_DAYS, updateAge, absoluteAge } = options.session ?? {}
  // A cookie that outlives its token, or a token that outlives its cookie, is of no use.
  const maxAge = strategy === 'jwt' ? Math.min(sessionMaxAge, tokenMaxAge(options)) : sessionMaxAge
  return { maxAge, updateAge: effectiveUpdateAge(maxAge, updateAge), absoluteAge }
}

/** How long tokens live, in seconds. */
export function tokenMaxAge({ jwt, session }: AuthConfig): number {
  return jwt?.maxAge ?? session?.maxAge ?? THIRTY_DAYS
}

/** Whether the application has a callback or an event that is given sessions. */
export function isWatched({ callbacks, events }: AuthConfig): boolean {
  return Boolean(callbacks?.session ?? events?.session)
}

/** The secrets that an option names; undefined where it names none. */
export function configuredSecrets(
  secret: string | string[] | undefined,
): readonly string[] | undefined {
  if (!secret?.length) return undefined
  // A variable that is not set arrives as undefined, whatever the type says; it is at fault like ''.
  return typeof secret === 'string' ? [secret] : secret.map(each => each ?? '')
}

/** The secrets that tokens are sealed with. */
export function tokenSecrets({ jwt }: AuthConfig, secrets: readonly string[]): readonly string[] {
  return configuredSecrets(jwt?.secret) ?? secrets
}
