import type { CookieAttributes, CookieOption } from '../http/cookies.ts'
import type { AuthConfig } from './options.ts'
import type { Readers } from './readers.ts'
import type { ReadingScheme, SessionConfig } from './resolved.ts'
import { type ConfigSources, namedSecrets } from './sources.ts'

/** The options without which no session can be read. */
export type SessionOption =
  | 'secret'
  | 'jwt.secret'
  | 'trustHost'
  | 'session.strategy'
  | 'session.maxAge'
  | 'jwt.maxAge'
  | 'session.updateAge'
  | 'session.audience'
  | 'session.expose'
  | 'jwt.cacheSize'

/**
 * Which of these options are at fault. Decided here and nowhere else, so that a session check and the
 * check of the whole configuration never disagree. What to do about each is said by the latter.
 */
export function faultySessionOptions({
  options,
  said,
  secrets,
  trustHost,
}: ConfigSources): readonly SessionOption[] {
  // What is not given is as good as the best that could be.
  const { maxAge = 1, updateAge = 1, audience = 'any', expose = [] } = options.session ?? {}
  const { secret, maxAge: tokenMaxAge = 1, cacheSize = 1 } = options.jwt ?? {}
  const isSound: Readonly<Record<SessionOption, boolean>> = {
    secret: secrets.length > 0 && areTexts(secrets),
    'jwt.secret': areTexts(namedSecrets(secret) ?? []),
    trustHost: !!said.url || trustHost === true || (areTexts(trustHost) && trustHost.length > 0),
    'session.strategy': ['jwt', 'database'].includes(strategyOf(options)),
    'session.maxAge': isDuration(maxAge),
    'jwt.maxAge': isDuration(tokenMaxAge),
    'session.updateAge': isAmount(updateAge),
    'session.audience': areTexts([audience]),
    // What every object has is no column of a user.
    'session.expose': areTexts(expose) && !expose.some(name => name in Object.prototype),
    'jwt.cacheSize': isAmount(cacheSize),
  }
  const names = Object.keys(isSound) as SessionOption[] // as its type says
  return names.filter(name => !isSound[name])
}

/** Whether something is a list of texts, none of them empty. */
export function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => each && typeof each === 'string')
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

function isDuration(value: unknown): boolean {
  return isAmount(value) && value !== 0 && value !== Infinity
}

/** Where sessions are kept. */
export function strategyOf({ session, adapter }: AuthConfig): 'jwt' | 'database' {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

/**
 * Whether sessions can be read without anything else: they are in a cookie of ours, sealed in our way,
 * and nothing that decides about them is at fault. What is wrong elsewhere is reported where it matters.
 */
export function isEnoughForSessions(sources: ConfigSources): boolean {
  const { session, jwt, events, cookies } = sources.options
  return (
    strategyOf(sources.options) === 'jwt' &&
    (session?.revocation === undefined || session.revocation === false) &&
    !(cookies || jwt?.encode || jwt?.decode || events?.session) &&
    sources.said.unclear.length === 0 &&
    faultySessionOptions(sources).length === 0
  )
}

/** What sessions are read with, where {@link isEnoughForSessions}. */
export function sessionConfig({ options, said }: ConfigSources, readers: Readers): SessionConfig {
  const scheme = (cookieScheme: CookieScheme): ReadingScheme => {
    const sessionToken = sessionCookie(cookieScheme)
    return { cookies: { sessionToken }, sessions: readers.readerFor(sessionToken.name) }
  }
  return {
    sealerFor: readers.sealerFor,
    callbacks: { ...options.callbacks },
    events: {},
    strategy: 'jwt',
    origin: said.url?.origin,
    useSecureCookies: options.useSecureCookies,
    https: scheme({ secure: true }),
    http: scheme({ secure: false }),
    now: options.ports?.now ?? (() => Date.now()),
  }
}

/** Whether a cookie is for visitors who come over HTTPS, or for those who do not. */
export interface CookieScheme {
  readonly secure: boolean
}

/** The session cookie, unless the application has changed it. */
export function sessionCookie(scheme: CookieScheme): CookieOption {
  const name = `${scheme.secure ? '__Secure-' : ''}authjs.session-token`
  return { name, options: commonAttributes(scheme) }
}

/** The attributes of our cookies, unless a cookie has its own. */
export function commonAttributes({ secure }: CookieScheme): CookieAttributes {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure }
}
