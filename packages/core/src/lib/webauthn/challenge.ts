import { fromHex, toHex } from '../crypto/encoding.ts'
import type { Sealer } from '../crypto/jwe.ts'
import type { SentCookie } from '../http/read-cookies.ts'
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
    /** The cookies of challenges, decoded. Several can have one name. */
    readonly sent: readonly SentCookie[]
    readonly sealer: Sealer
    readonly now: number
  },
): Promise<OpenedChallenge> {
  const cookieName = nameFor(context.cookieName, response.challenge)
  let failure: OpenedChallenge = { ok: false, reason: ABSENT, cookieName: null }
  const sent = context.sent.filter(({ name }) => name === cookieName)
  for (const { value } of sent.reverse().slice(0, MAX_OPENED)) {
    const opened = await context.sealer.open(value, context.now)
    if (typeof opened === 'string') {
      failure = { ok: false, reason: `The challenge cannot be opened: ${opened}.`, cookieName }
      continue
    }
    const challenge = opened.claims as unknown as Challenge // sealed by sealChallenge, for this cookie alone
    // Names repeat: the cookie is that of another tab, which goes on.
    if (challenge.challenge !== response.challenge) continue
    for (const member of ['action', 'provider'] as const) {
      if (challenge[member] !== response[member]) {
        return { ok: false, reason: `The challenge has another ${member}.`, cookieName }
      }
    }
    return { ok: true, challenge, cookieName }
  }
  return failure
}

const ABSENT =
  'There is no challenge: it has already been answered, has expired, was made for another browser, or pages that were opened later have taken its place.'
/** Another host can plant some of one name. */
const MAX_OPENED = 16

/** The bytes of a challenge whose cookie has a certain id, 12 characters: 23 of the 32 are random. */
export function newChallenge(
  slot: string,
  randomHex: (bytes: number) => string,
): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(slot), character => character.charCodeAt(0))
  return fromHex(toHex(bytes) + randomHex(23))
}

function nameFor(cookieName: string, challenge: string): string {
  return `${cookieName}.${challenge.slice(0, ID_LENGTH)}`
}
