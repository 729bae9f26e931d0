import type { BrowserResponse } from '../../webauthn/browser-response.ts'
import type { Challenge } from '../../webauthn/challenge.ts'
import type { SignInAttempt } from '../sign-in/sign-in-attempt.ts'

/** The response of a device to a challenge of ours, and the sign-in that it is part of. */
export interface PasskeyResponse {
  readonly attempt: SignInAttempt
  readonly response: BrowserResponse
  readonly challenge: Challenge
}
