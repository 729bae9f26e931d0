import { isPublishedSecret } from '../crypto/published-secrets.ts'
import type { CookieOption } from '../http/cookies.ts'
import { isLoopbackTrust } from '../http/origin.ts'
import type { AuthConfig } from './options.ts'
import type { ReadingScheme, SessionConfig } from './resolved-config.ts'
import { type Readers, strategyOf } from './session-readers.ts'
import { areTexts, type ConfigSources, namedSecrets } from './sources.ts'

/** The options without which no session can be read. */
export type SessionOption =
  | 'secret'
  | 'jwtSecret'
  | 'trustHost'
  | 'maxAge'
  | 'absoluteAge'
  | 'jwtMaxAge'
  | 'updateAge'
  | 'audience'
  | 'expose'
  | 'cacheBytes'

/**
 * Whether each of these options is valid. Decided here and nowhere else, so that a session check and the check of the
 * whole configuration never disagree. The latter has the messages.
 */
export function checkSessionOptions({
  options,
  envOptions,
  secrets,
  trustHost,
}: ConfigSources): Readonly<Record<SessionOption, boolean>> {
  const { maxAge, absoluteAge, updateAge, audience, expose = [] } = options.session ?? {}
  const { secret, maxAge: jwtMaxAge, cacheBytes } = options.jwt ?? {}
  return {
    secret: secrets.length > 0 && areSecrets(secrets),
    jwtSecret: areSecrets(namedSecrets(secret) ?? []),
    trustHost:
      !!envOptions.url ||
      trustHost === true ||
      isLoopbackTrust(trustHost) ||
      (areTexts(trustHost) && trustHost.length > 0),
    maxAge: isDuration(maxAge),
    absoluteAge: isDuration(absoluteAge),
    jwtMaxAge: isDuration(jwtMaxAge),
    updateAge: isAmount(updateAge),
    audience: audience === undefined || areTexts([audience]),
    // A member that every object has is not a column of a user.
    expose: areTexts(expose) && !expose.some(name => name in Object.prototype),
    cacheBytes: isAmount(cacheBytes),
  }
}

/** Any one of them opens tokens. */
function areSecrets(secrets: readonly string[]): boolean {
  return areTexts(secrets) && !secrets.some(isPublishedSecret)
}

// A missing option is valid.
function isAmount(value: unknown = 1): boolean {
  return typeof value === 'number' && value >= 0
}

function isDuration(value?: unknown): boolean {
  return isAmount(value) && value !== 0 && value !== Infinity
}

/**
 * Whether sessions can be read without anything else: they are in a cookie of ours, sealed in our way, and no option
 * that decides about them is invalid. Other errors are reported where they matter.
 */
export function isEnoughForSessions(sources: ConfigSources): boolean {
  const { session, jwt, events, cookies } = sources.options
  return (
    strategyOf(sources.options) === 'jwt' &&
    (session?.revocation === undefined || session.revocation === false) &&
    !(cookies || jwt?.encode || jwt?.decode || events?.session) &&
    sources.envOptions.unclear.length === 0 &&
    !Object.values(checkSessionOptions(sources)).includes(false)
  )
}

/** The configuration of session checks, if {@link isEnoughForSessions}. */
export function sessionConfig(
  { options, envOptions }: ConfigSources,
  readers: Readers,
): SessionConfig {
  const scheme = (cookieScheme: CookieScheme): ReadingScheme => {
    const sessionToken = sessionCookie(cookieScheme)
    return { cookieOptions: { sessionToken }, sessions: readers.readerFor(sessionToken.name) }
  }
  return {
    sealerFor: readers.sealerFor,
    callbacks: { ...options.callbacks },
    events: {},
    strategy: 'jwt',
    origin: envOptions.url?.origin,
    useSecureCookies: options.useSecureCookies,
    ...tokenSettings(options),
    https: scheme({ secure: true }),
    http: scheme({ secure: false }),
    now: options.ports?.now ?? (() => Date.now()),
  }
}

/** The part of the token options that a session check needs. */
export function tokenSettings({
  account,
  adapter,
}: AuthConfig): Pick<SessionConfig, 'storesTokens' | 'showsTokenErrors'> {
  return {
    storesTokens: account?.storeTokensInCookie === true && !adapter,
    showsTokenErrors: account?.sessionError === true,
  }
}

/** Whether a cookie is for visitors who come over HTTPS, or for those who do not. */
export interface CookieScheme {
  readonly secure: boolean
}

/** The session cookie, unless the application has changed it. */
export function sessionCookie({ secure }: CookieScheme): CookieOption {
  return {
    name: `${secure ? '__Secure-' : ''}authjs.session-token`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  }
}
