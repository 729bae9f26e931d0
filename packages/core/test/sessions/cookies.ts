import type { CookiesOptions } from '@siteauth/core/types'
import type { FixedCookieName } from '../../src/lib/http/fixed-cookies.ts'

/** What a request does with a cookie that the browser has. */
export type Change = 'set' | 'removed' | 'left'

export type Application = 'with a store' | 'without a store'

interface Row {
  /** What the cookie is called where the origin is https. */
  readonly name: string
  /** What a sign-in does with it, and what a sign-out does. */
  readonly changes: readonly [signIn: Change, signOut: Change]
  /** The application that uses this cookie: tokens are in a cookie only without a store. */
  readonly where?: Application
}

/** Every cookie of the library. One that is added to the types needs a row here. */
export const COOKIES: Readonly<Record<keyof CookiesOptions | FixedCookieName, Row>> = {
  sessionToken: { name: '__Secure-authjs.session-token', changes: ['set', 'removed'] },
  sessionBinding: { name: '__Host-siteauth.bound', changes: ['set', 'removed'] },
  callbackUrl: { name: '__Secure-authjs.callback-url', changes: ['removed', 'left'] },
  csrfToken: { name: '__Host-authjs.csrf-token', changes: ['left', 'left'] },
  // Each belongs to one attempt, which ends by itself.
  state: { name: '__Host-authjs.state', changes: ['left', 'left'] },
  'state-answer': { name: '__Host-authjs.state-answer', changes: ['left', 'left'] },
  pkceCodeVerifier: { name: '__Secure-authjs.pkce.code_verifier', changes: ['left', 'left'] },
  nonce: { name: '__Secure-authjs.nonce', changes: ['left', 'left'] },
  webauthnChallenge: { name: '__Host-authjs.challenge', changes: ['left', 'left'] },
  emailRequest: { name: '__Host-authjs.email-request', changes: ['left', 'left'] },
  tokens: {
    name: '__Host-siteauth.tokens.op',
    changes: ['removed', 'removed'],
    where: 'without a store',
  },
  'siteauth.token-error': {
    name: '__Host-siteauth.token-error',
    changes: ['removed', 'removed'],
    where: 'without a store',
  },
  signInForm: { name: '__Host-authjs.sign-in-form', changes: ['removed', 'left'] },
  knownBrowser: { name: '__Host-siteauth.known', changes: ['set', 'left'] },
  lastProvider: { name: '__Host-siteauth.last-provider', changes: ['set', 'left'] },
  reauthentication: { name: '__Host-siteauth.reauthenticate', changes: ['removed', 'left'] },
  'siteauth.changed': { name: '__Secure-siteauth.changed', changes: ['set', 'set'] },
  'siteauth.hint': { name: '__Secure-siteauth.hint', changes: ['removed', 'removed'] },
  'siteauth.via': { name: '__Secure-siteauth.via', changes: ['removed', 'removed'] },
  // It belongs to one visit to the provider.
  'siteauth.logout': { name: '__Secure-siteauth.logout', changes: ['left', 'left'] },
}
