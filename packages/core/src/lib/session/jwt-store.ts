import type { JwtParams, SessionParams } from '../callbacks.ts'
import type { Opened, OpenFailure } from '../crypto/jwe.ts'
import { JWTSessionError } from '../errors.ts'
import { isLater } from '../is-later.ts'
import type { LoggerInstance } from '../logger.ts'
import type { Awaitable, JWT, Session } from '../model.ts'
import { describeFailure } from './jwt.ts'
import { isDueForRenewal, type Lifetime, nextExpiry } from './lifetime.ts'
import type { ActiveSession, IssuedSession, ProvenIdentity, SessionStore } from './store.ts'
import type { TokenMemory } from './token-memory.ts'

/** What JWT sessions are made of. */
export interface JwtStoreParts {
  readonly lifetime: Lifetime
  /** The application's callback; undefined where it has none. */
  readonly jwt: ((params: JwtParams) => Awaitable<JWT | null>) | undefined
  readonly open: (token: string) => Awaitable<Opened | OpenFailure>
  readonly seal: (claims: JWT) => Awaitable<string>
  /** Whether the application has a callback or an event that is given sessions. */
  readonly isWatched: boolean
  /** Null where every token is to be opened. */
  readonly memory: TokenMemory<TokenFacts> | null
  readonly logger: LoggerInstance
  readonly now: () => number
}

/** What is known of a token that was opened, other than whether it has expired by now. */
export interface TokenFacts {
  /** The claims as they were sealed. What the application is given is made from it each time. */
  readonly text: string
  readonly name: JWT['name']
  readonly email: JWT['email']
  readonly image: JWT['picture']
  /** In milliseconds. */
  readonly issued: number
  readonly ends: number
  /** When it ends, as sessions say it. */
  readonly expires: string
}

/** Sessions that live in an encrypted cookie, and nowhere else. */
export function createJwtStore(parts: JwtStoreParts): SessionStore {
  const { lifetime, jwt, isWatched, logger, now } = parts

  function accept(opened: Opened | OpenFailure): JWT | null {
    if (typeof opened === 'string') {
      // That a session has run out is no event. That it cannot be opened may be a changed secret.
      if (opened === 'expired') logger.debug('the session has expired')
      else logger.error(new JWTSessionError(describeFailure(opened)))
      return null
    }
    const claims = opened.claims as JWT // sealed by us
    return isOpen(endsAt(claims, lifetime, now())) ? claims : null
  }

  function isOpen(ends: number): boolean {
    return ends + CLOCK_TOLERANCE > now()
  }

  async function open(token: string): Promise<JWT | null> {
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

  function readOpened(
    token: string,
    opened: Opened | OpenFailure,
    renew: boolean,
    asked: boolean,
  ): Awaitable<ActiveSession | null> {
    const claims = accept(opened)
    if (!claims || typeof opened === 'string') return null
    const facts = factsOf(claims, opened.text)
    if (parts.memory && mayBeKept(claims)) parts.memory.keep(token, facts)
    return activate(facts, renew, asked, claims)
  }

  function factsOf(claims: JWT, text: string): TokenFacts {
    const { name, email, picture: image } = claims
    const ends = endsAt(claims, lifetime, now())
    const expires = new Date(ends).toISOString()
    return { text, name, email, image, issued: issuedAt(claims, lifetime), ends, expires }
  }

  /** @param opened the claims, where the token was opened for just this read */
  function activate(
    facts: TokenFacts,
    renew: boolean,
    asked: boolean,
    opened?: JWT,
  ): Awaitable<ActiveSession | null> {
    const isDue = renew && isDueForRenewal(facts.issued, lifetime, now())
    // Nobody to ask and nothing to renew: the answer is there already, as it is most of the time.
    const isSettled = (!jwt || asked) && !isDue
    if (isSettled && !isWatched) return unwatched(shownSession(facts), null)
    const claims = opened ?? (JSON.parse(facts.text) as JWT) // sealed by us
    if (isSettled) return activeSession(claims, facts.expires)
    return activateWithCallback(facts, claims, renew, isDue)
  }

  async function activateWithCallback(
    { text, expires }: TokenFacts,
    claims: JWT,
    renew: boolean,
    isDue: boolean,
  ): Promise<ActiveSession | null> {
    const token = await callJwt(readParams({ token: claims, session: undefined }))
    if (token === null) return null
    const hasChanged = jwt !== undefined && JSON.stringify(token) !== text
    if (!renew || !(isDue || hasChanged)) return activeSession(token, expires)
    return renewedSession(token, await issue(token))
  }

  function renewedSession(
    token: JWT,
    renewal: IssuedSession,
    update?: { readonly changes: unknown },
  ): ActiveSession {
    return activeSession(token, renewal.expires.toISOString(), renewal, update)
  }

  function activeSession(
    token: JWT,
    expires: string,
    renewal: IssuedSession | null = null,
    update?: { readonly changes: unknown },
  ): ActiveSession {
    const { name, email, picture: image } = token
    const shown = shownSession({ name, email, image, expires })
    if (!isWatched) return unwatched(shown, renewal)
    const params = update
      ? { session: shown, token, newSession: update.changes, trigger: 'update' }
      : { session: shown, token }
    // The documented type joins what the two strategies give; each gives its own half.
    return { shown, params: params as unknown as SessionParams, token, renewal }
  }

  return {
    draft: () => null,
    async issue(identity) {
      const token = await callJwt(signInParams(identity))
      return token === null ? null : issue(token)
    },
    read(token, renew, asked = false) {
      const known = parts.memory?.recall(token)
      if (known && isOpen(known.ends)) return activate(known, renew, asked)
      const opened = parts.open(token)
      return isLater(opened)
        ? opened.then(later => readOpened(token, later, renew, asked))
        : readOpened(token, opened, renew, asked)
    },
    async update(token, changes) {
      const claims = await open(token)
      if (!claims) return null
      const changed = await callJwt(
        readParams({ token: claims, trigger: 'update', session: changes }),
      )
      return changed && renewedSession(changed, await issue(changed), { changes })
    },
    userIdOf: async token => (await open(token))?.sub ?? null,
    revoke: async token => ({ token: await open(token) }),
  }
}

/** How far the clocks of two servers may differ, in milliseconds. */
const CLOCK_TOLERANCE = 15_000

/** A session of which the application wants to know nothing more. */
function unwatched(shown: Session, renewal: IssuedSession | null): ActiveSession {
  return { shown, params: null, token: undefined, renewal }
}

function shownSession(facts: Pick<TokenFacts, 'name' | 'email' | 'image' | 'expires'>): Session {
  const { name, email, image, expires } = facts
  // Members that are undefined vanish on the way to the browser.
  return { user: { name, email, image } as NonNullable<Session['user']>, expires }
}

/**
 * When a token ends that does not say when it was issued depends on when one asks. And what is no
 * text could be changed by one request under the eyes of another.
 */
function mayBeKept({ iat, name, email, picture }: JWT): boolean {
  return (
    iat !== undefined && [name, email, picture].every(each => typeof each !== 'object' || !each)
  )
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
