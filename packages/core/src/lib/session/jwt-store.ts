import type { JwtParams, SessionParams } from '../callbacks.ts'
import type { Opened, OpenFailure } from '../crypto/jwe.ts'
import { JWTSessionError } from '../errors.ts'
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

  async function open(token: string): Promise<Opened | null> {
    const opened = await parts.open(token)
    if (typeof opened !== 'string') return opened
    // That a session has run out is no event. That it cannot be opened may be a changed secret.
    if (opened === 'expired') logger.debug('the session has expired')
    else logger.error(new JWTSessionError(describeFailure(opened)))
    return null
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

  async function activate(
    opened: Opened,
    renew: boolean,
    update?: { readonly changes: unknown },
  ): Promise<ActiveSession | null> {
    const claims = opened.claims as JWT // our own claims: the token is authentic
    let expires = endsAt(claims, lifetime, now())
    const token = jwt
      ? await callJwt(
          // At a sign-in there is a user; when a session is read there is none, as documented.
          (update
            ? { token: claims, trigger: 'update', session: update.changes }
            : { token: claims, session: undefined }) as JwtParams,
        )
      : claims
    if (token === null) return null
    let renewal: IssuedSession | null = null
    if (
      update ||
      (renew &&
        (isDueForRenewal(expires, lifetime, now()) ||
          (jwt && JSON.stringify(token) !== opened.text)))
    ) {
      renewal = await issue(token)
      expires = renewal.expires.getTime()
    }
    const params = {
      session: {
        user: { name: token.name, email: token.email, image: token.picture },
        expires: new Date(expires).toISOString(),
      },
      token,
      ...(update && { newSession: update.changes, trigger: 'update' }),
    }
    // The documented type joins what the two strategies give; each gives its own half.
    return { params: params as unknown as SessionParams, token, renewal, expires }
  }

  return {
    async issue(identity) {
      const token = await callJwt(signInParams(identity))
      return token === null ? null : issue(token)
    },
    async read(token, renew) {
      const opened = await open(token)
      return opened && activate(opened, renew)
    },
    async update(token, changes) {
      const opened = await open(token)
      return opened && activate(opened, true, { changes })
    },
    async revoke(token) {
      const opened = await open(token)
      return { token: opened ? (opened.claims as JWT) : null } // authentic, as above
    },
  }
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

/** When a session ends, in milliseconds. A token without an end of its own ends by its age. */
function endsAt({ iat, exp }: JWT, lifetime: Lifetime, now: number): number {
  const issued = iat === undefined ? now : iat * 1000
  return exp === undefined ? nextExpiry(issued, lifetime) : exp * 1000
}
