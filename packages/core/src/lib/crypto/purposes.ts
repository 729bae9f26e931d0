/**
 * The uses of an application's secrets, beside the cookies that are sealed for their own names. No two purposes may
 * be the same: a value made for one must be useless for another. They are part of stored data and of cookies that
 * browsers have: with another text, none of these would be accepted.
 */
export const PURPOSES = {
  // Purposes of sealed values.
  proxyState: 'encodedState',
  accountTokens: 'siteauth.account',
  logoutHint: 'siteauth.hint',
  logoutState: 'siteauth.logout',
  logoutTicket: 'siteauth.logout-ticket',
  // Purposes of derived bits.
  signUpMarker: 'siteauth sign-up',
  sessionAudience: 'siteauth session',
  sessionRotation: 'siteauth rotation',
  sessionReplaced: 'siteauth replaced',
  sessionHandle: 'siteauth session handle',
  sessionBinding: 'siteauth session binding',
  userHandle: 'webauthn-user-handle',
  decoys: 'webauthn-decoys',
  // Prefixes of texts that are hashed, some with a secret.
  limit: 'limit',
  account: 'account',
  emailCode: 'email code',
  emailLink: 'email link',
  challenge: 'webauthn-challenge',
  refreshToken: 'siteauth refresh token',
  passwordLink: 'password',
} as const

/** The salt of a `state` that a redirect proxy can read. */
export const STATE_PURPOSE: typeof PURPOSES.proxyState = PURPOSES.proxyState
