import { type AbsenceName, CONTESTED } from './absences.ts'
import type { Setting } from './world.ts'

/** Cells of the table in which a session that has ended is still read, and what documents it. */
export interface Exception {
  readonly rows: readonly string[]
  readonly absences: readonly AbsenceName[]
  /** What changes. Nothing, unless the session has not ended. Data is shown if this is missing. */
  readonly effects?: readonly string[]
  readonly appliesTo?: (setting: Setting) => boolean
  /** The option or sentence that allows it. */
  readonly documented: string
}

/** What only shows the session, as it is read. */
const READS = ['GET session', 'getSession', 'GET signin']
/** What changes the session, and returns it. */
const CHANGES = ['POST session', 'update', 'sessions.rotate']
const PROXY = 'a proxy of Next without an adapter'

const FIRST_COUNTS =
  'planted sessions: if sessions of two users come, the first counts, and adds no way to sign in'

export const EXCEPTIONS: readonly Exception[] = [
  {
    rows: [
      ...READS,
      ...CHANGES,
      'GET sessions',
      'sessions.list',
      'GET access-token/oauth',
      'accounts.getAccessToken',
      'accounts.fetch',
      'getToken',
      PROXY,
    ],
    absences: ["another's beside it"],
    documented: FIRST_COUNTS,
  },
  {
    rows: ['POST sessions/end', 'sessions.end', 'sessions.endOthers'],
    absences: ["another's beside it"],
    effects: ['other session'],
    documented: FIRST_COUNTS,
  },
  {
    rows: ['POST sessions/end', 'sessions.endOthers'],
    absences: ["another's in front of it"],
    effects: ['other session of the other user'],
    documented: FIRST_COUNTS,
  },
  {
    rows: [...READS, ...CHANGES],
    absences: ['replaced'],
    documented: 'sessions.rotate: the old token can be read for 30 seconds, and changes nothing',
  },
  {
    rows: [...READS, ...CHANGES],
    absences: ['no_user'],
    documented:
      'as in Auth.js, a token without `sub` is a session; it is a session of no stored user',
  },
  {
    rows: READS,
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced half a minute ago',
      'store down',
    ],
    appliesTo: ({ check }) => check === 'on-renewal',
    documented: 'session.revocation.check: on-renewal accepts a session until its token is due',
  },
  {
    rows: ['getToken'],
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced',
      'replaced half a minute ago',
      'declined',
      'hidden',
      'no_user',
      'store down',
    ],
    documented: 'getToken opens a token, and neither queries a store nor calls callbacks',
  },
  {
    rows: [PROXY],
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced',
      'replaced half a minute ago',
      'no_user',
      'store down',
    ],
    documented: 'a proxy without an adapter cannot know what was revoked: see the guide on Next',
  },
]

/** A cookie that a request sets for a visitor who is nobody, and what it is for. None of them is a session of Ann's. */
export interface NamedCookie {
  readonly name: string
  readonly rows: readonly string[]
  /** Every one if missing. */
  readonly absences?: readonly AbsenceName[]
  readonly purpose: string
}

/** Signing in takes no session: Bob and somebody new do, in the browser that was Ann's. */
const SIGN_INS = [
  'POST signin/password',
  'GET callback/email',
  'POST callback/email',
  'POST callback/credentials',
  'POST callback/password',
  'passwords.choose',
]
/** Mails with a link to whoever entered an address. */
const MAILS = ['POST signin/email', 'POST password/sign-up', 'POST password/forgot']
/** Requests that ask the user of a contested session to sign in again. */
const ASKING = ['GET webauthn-options/webauthn', 'GET password', 'POST password']

export const COOKIES: readonly NamedCookie[] = [
  {
    name: '__Secure-authjs.session-token',
    rows: SIGN_INS,
    purpose: 'the session of the user who has signed in',
  },
  {
    name: '__Secure-authjs.session-token',
    rows: CHANGES,
    absences: ['no_user'],
    purpose: 'the session of no stored user, which these calls continue',
  },
  { name: '__Host-siteauth.bound', rows: SIGN_INS, purpose: 'binds that session to its browser' },
  {
    name: '__Host-siteauth.last-provider',
    rows: SIGN_INS,
    purpose: 'the provider that the browser has used last',
  },
  {
    name: '__Secure-siteauth.changed',
    rows: [...SIGN_INS, 'POST session', 'update', 'POST signout', 'signOut'],
    purpose: 'a random value by which open pages notice that they have to ask again',
  },
  {
    name: '__Secure-siteauth.changed',
    rows: ['sessions.rotate'],
    absences: ['no_user'],
    purpose: 'the same',
  },
  {
    name: '__Host-authjs.state',
    rows: ['POST signin/oauth', 'signIn'],
    purpose: 'a sign-in that begins, of whoever signs in',
  },
  {
    name: '__Host-authjs.state-answer',
    rows: ['POST callback/oauth'],
    purpose: 'what a provider has posted, until the browser brings its cookies',
  },
  {
    name: '__Host-authjs.email-request',
    rows: [...MAILS, 'passwords.sendLink'],
    purpose: 'the address that a link was sent to',
  },
  {
    name: '__Secure-authjs.callback-url',
    rows: ['passwords.sendLink'],
    purpose: 'where the link leads to',
  },
  {
    name: '__Secure-authjs.callback-url',
    rows: ['GET password'],
    absences: CONTESTED,
    purpose: 'where the user continues after signing in again',
  },
  {
    name: '__Host-siteauth.reauthenticate',
    rows: [
      ...ASKING,
      'POST password/remove',
      'POST signin/oauth',
      'signIn',
      'passwords.change',
      'passwords.remove',
    ],
    absences: CONTESTED,
    purpose: 'marks a browser whose user was asked to sign in again',
  },
  {
    name: '__Host-authjs.sign-in-form',
    rows: ['POST password', 'POST password/remove', 'POST callback/webauthn'],
    absences: CONTESTED,
    purpose: 'what the page says about the form that failed, sealed',
  },
]
