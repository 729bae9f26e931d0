/** What can go wrong with a sign-in, and what a sound application makes of it: it refuses. */
export const FAILURES = {
  denied: 'The person says no, or the provider does.',
  unavailable: 'The provider cannot sign people in now, and says so.',
  'wrong-state': 'The answer belongs to another sign-in.',
  'wrong-response-issuer': 'The answer names another provider (RFC 9207).',
  'invalid-grant': 'The code, or the refresh token, is not accepted.',
  'no-id-token': 'There is an access token, and no id_token.',
  'bad-signature': 'The id_token was changed after it was signed.',
  unsigned: 'The id_token says that it needs no signature.',
  'wrong-nonce': 'The id_token was made for another sign-in.',
  'wrong-issuer': 'The id_token is of another provider.',
  'wrong-audience': 'The id_token is for another application.',
  expired: 'The id_token has ended an hour ago.',
  'other-subject': 'The userinfo endpoint tells of somebody else.',
} as const

/** The name of something that can go wrong: see {@link FAILURES}. */
export type SignInFailure = keyof typeof FAILURES

/** The endpoints of a fake provider. */
export type ProviderEndpoint =
  | 'discovery'
  | 'jwks'
  | 'authorize'
  | 'token'
  | 'userinfo'
  | 'revoke'
  | 'logout'

/** An endpoint that is in trouble. */
export interface EndpointFailure {
  /** Which one. All of them, if none is named. */
  readonly endpoint?: ProviderEndpoint | undefined
  /** Answers with this status and nothing else. */
  readonly status?: number | undefined
  /** Answers after so many milliseconds. `Infinity`: never, until the caller gives up. */
  readonly delayMilliseconds?: number | undefined
}

/** What goes wrong at a fake provider. */
export type ProviderFailure = SignInFailure | EndpointFailure

/** Whether a text, such as one from a form, is the name of a failure. */
export function isSignInFailure(text: unknown): text is SignInFailure {
  return typeof text === 'string' && Object.hasOwn(FAILURES, text)
}

/** Waits as an endpoint that is slow does, for as long as somebody listens. */
export function delayed(
  milliseconds: number,
  signal: AbortSignal | null | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal?.reason)
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    if (milliseconds !== Infinity) setTimeout(resolve, milliseconds)
  })
}
