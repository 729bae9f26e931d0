import type { Sealer } from '../crypto/jwe.ts'
import type { CookieJar } from '../http/cookies.ts'
import type { Ceremony } from './decide-ceremony.ts'

/** One request to a browser to use or make a passkey: what must be known when it answers. */
export interface Challenge {
  /** In base64url, as browsers repeat it. */
  readonly challenge: string
  readonly action: Ceremony
  /** The id of the provider. */
  readonly provider: string
  /** Tells the browser that asked from others; null if nothing does. */
  readonly browser: string | null
  /** The user who was signed in; null if the visitor was not signed in. */
  readonly userId: string | null
  /** Digests of the keys that may answer; null for any. */
  readonly allowed: readonly string[] | null
  /** The user who signs up, if any. */
  readonly signUp: SignUpRequest | null
}

/** Someone who wants to sign up. */
export interface SignUpRequest {
  readonly email: string
  readonly name: string | null
  /** 1 where the application knows the person already. A number, so that no length tells. */
  readonly exists: 0 | 1
}

/** How long a person may take, in seconds. */
export const CHALLENGE_MAX_AGE = 300

const ID_LENGTH = 12

/** A sealed challenge, ready to be set as a cookie. */
export interface ChallengeCookie {
  readonly name: string
  readonly value: string
}

/** Seals a challenge into a cookie of its own, so that several tabs can wait for an answer. */
export async function sealChallenge(
  challenge: Challenge,
  context: {
    readonly cookieName: string
    readonly sealer: Sealer
    readonly now: number
  },
): Promise<ChallengeCookie> {
  const { cookieName, sealer, now } = context
  return {
    name: nameFor(cookieName, challenge.challenge),
    value: await sealer.seal({ ...challenge, createdAt: now }, CHALLENGE_MAX_AGE, now),
  }
}

/** Whether an answer belongs to a challenge of this browser. Either way, its cookie is consumed. */
export type OpenedChallenge =
  | { readonly ok: true; readonly challenge: Challenge; readonly cookieName: string }
  | { readonly ok: false; readonly reason: string; readonly cookieName: string | null }

/** Finds the challenge that a browser answers. */
export async function openChallenge(
  response: { readonly challenge: string; readonly action: Ceremony; readonly provider: string },
  context: {
    readonly cookieName: string
    readonly cookies: CookieJar
    readonly sealer: Sealer
    readonly now: number
  },
): Promise<OpenedChallenge> {
  const name = nameFor(context.cookieName, response.challenge)
  const sealed = context.cookies[name]
  if (!sealed) {
    const reason =
      'There is no challenge: it has already been answered, has expired, or was made for another browser.'
    return { ok: false, reason, cookieName: null }
  }
  const opened = await context.sealer.open(sealed, context.now)
  if (typeof opened === 'string') {
    return { ok: false, reason: `The challenge cannot be opened: ${opened}.`, cookieName: name }
  }
  const challenge = opened.claims as unknown as Challenge // sealed by sealChallenge, for this cookie alone
  for (const member of ['challenge', 'action', 'provider'] as const) {
    if (challenge[member] !== response[member]) {
      return { ok: false, reason: `The challenge has another ${member}.`, cookieName: name }
    }
  }
  return { ok: true, challenge, cookieName: name }
}

function nameFor(cookieName: string, challenge: string): string {
  return `${cookieName}.${challenge.slice(0, ID_LENGTH)}`
}
