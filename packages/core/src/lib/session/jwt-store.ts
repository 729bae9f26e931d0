import type { JwtParams, SessionParams } from '../callbacks.ts'
import type { Opened, OpenFailure } from '../crypto/jwe.ts'
import { JWTSessionError } from '../errors.ts'
import { isLater } from '../is-later.ts'
import type { LoggerInstance } from '../logger.ts'
import type { Awaitable, JWT } from '../model.ts'
import { describeFailure } from './jwt.ts'
import { isDueForRenewal, type Lifetime, nextExpiry } from './lifetime.ts'
import type { ActiveSession, IssuedSession, ProvenIdentity, SessionStore } from './store.ts'

/** What JWT sessions are made of. */
export interface JwtStoreParts {
  readonly lifetime: Lifetime
  /** The application's callback; undefined where it has none. */
  readonly jwt: ((params: JwtParams) => Awaitable<JWT | null>) | undefined
  readonly open: (token: string) => Awaitable<Opened | OpenFailure>
  readonly seal: (claims: JWT) => Awaitable<string>
  readonly logger: LoggerInstance
  readonly now: () => number
}

/** Sessions that live in an encrypted cookie, and nowhere else. */
export function createJwtStore(parts: JwtStoreParts): SessionStore {
  const { lifetime, jwt, logger, now } = parts

  function accept(opened: Opened | OpenFailure): Opened | null {
    if (typeof opened === 'string') {
      // That a session has run out is no event. That it cannot be opened may be a changed secret.
      if (opened === 'expired') logger.debug('the session has expired')
      else logger.error(new JWTSessionError(describeFailure(opened)))
      return null
    }
    return endsAt(opened.claims, lifetime, now()) + CLOCK_TOLERANCE > now() ? opened : null
  }

  async function open(token: string): Promise<Opened | null> {
    return accept(await parts.open(token))
  }

  async function callJwt(params: JwtParams): Promise<JWT | null> {
    if (!jwt) return params.token
    const token = await jwt(params)
    if (token === undefined) {
      throw new JWTSessionError(
        'The jwt callback returned nothing. Return the token, or null to end the session.',
      )
    }
    return token
  }

  async function issue(claims: JWT): Promise<IssuedSession> {
    return { token: await parts.seal(claims), expires: new Date(nextExpiry(now(), lifetime)) }
  }

  function activate(opened: Opened | null, renew: boolean): Awaitable<ActiveSession | null> {
    if (!opened) return null
    const isDue = renew && isDueForRenewal(issuedAt(opened.claims, lifetime), lifetime, now())
    // Nobody to ask and nothing to renew: the answer is there already, as it is most of the time.
    if (!jwt && !isDue) {
      return activeSession(opened.claims as JWT, endsAt(opened.claims, lifetime, now())) // sealed by us
    }
    return activateWithCallback(opened, renew, isDue)
  }

  async function activateWithCallback(
    opened: Opened,
    renew: boolean,
    isDue: boolean,
  ): Promise<ActiveSession | null> {
    const claims = opened.claims as JWT // sealed by us
    const token = await callJwt(readParams({ token: claims, session: undefined }))
    if (token === null) return null
    const hasChanged = jwt !== undefined && JSON.stringify(token) !== opened.text
    if (!renew || !(isDue || hasChanged))
      return activeSession(token, endsAt(claims, lifetime, now()))
    return renewedSession(token, await issue(token))
  }

  return {
    draft: () => null,
    async issue(identity) {
      const token = await callJwt(signInParams(identity))
      return token === null ? null : issue(token)
    },
    read(token, renew) {
      const opened = parts.open(token)
      return isLater(opened)
        ? opened.then(later => activate(accept(later), renew))
        : activate(accept(opened), renew)
    },
    async update(token, changes) {
      const opened = await open(token)
      if (!opened) return null
      const claims = opened.claims as JWT // sealed by us
      const changed = await callJwt(
        readParams({ token: claims, trigger: 'update', session: changes }),
      )
      return changed && renewedSession(changed, await issue(changed), { changes })
    },
    async userIdOf(token) {
      const { sub } = ((await open(token))?.claims ?? {}) as JWT // sealed by us
      return sub ?? null
    },
    async revoke(token) {
      const opened = await open(token)
      return { token: opened ? (opened.claims as JWT) : null } // sealed by us
    },
  }
}

/** How far the clocks of two servers may differ, in milliseconds. */
const CLOCK_TOLERANCE = 15_000

function renewedSession(
  token: JWT,
  renewal: IssuedSession,
  update?: { readonly changes: unknown },
): ActiveSession {
  return activeSession(token, renewal.expires.getTime(), renewal, update)
}

function activeSession(
  token: JWT,
  expires: number,
  renewal: IssuedSession | null = null,
  update?: { readonly changes: unknown },
): ActiveSession {
  const session = {
    user: { name: token.name, email: token.email, image: token.picture },
    expires: new Date(expires).toISOString(),
  }
  const params = update
    ? { session, token, newSession: update.changes, trigger: 'update' }
    : { session, token }
  // The documented type joins what the two strategies give; each gives its own half.
  return { params: params as unknown as SessionParams, token, renewal, expires }
}

/** At a sign-in there is a user to speak of; when a session is read there is none, as documented. */
function readParams(params: Pick<JwtParams, 'token' | 'trigger' | 'session'>): JwtParams {
  return params as JwtParams
}

function signInParams({ user, account, profile, isNewUser }: ProvenIdentity): JwtParams {
  const { name, email, image, id } = user
  // Members that are undefined vanish when the token is sealed.
  const token = { name, email, picture: image, sub: id } as JWT
  return {
    token,
    user,
    account,
    ...(profile && { profile }),
    isNewUser: isNewUser as boolean, // undefined where there is no adapter; the key is always there
    trigger: isNewUser ? 'signUp' : 'signIn',
  }
}

/** The times of a token, in seconds. One that the application decodes itself may have none. */
interface Times {
  readonly iat?: number
  readonly exp?: number
}

/** When a token was issued, in milliseconds. */
function issuedAt({ iat, exp }: Times, { maxAge }: Lifetime): number {
  return (iat ?? (exp === undefined ? 0 : exp - maxAge)) * 1000
}

/** When a session ends, in milliseconds: as its token says, or sooner if that is configured now. */
function endsAt({ iat, exp }: Times, lifetime: Lifetime, now: number): number {
  const byAge = nextExpiry(iat === undefined ? now : iat * 1000, lifetime)
  return exp === undefined ? byAge : Math.min(exp * 1000, byAge)
}
