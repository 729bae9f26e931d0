const UNTIL_CLOSED = 'until the browser closes'

/** What each cookie is for, in the order of the page. Their attributes are compared with the browser's by the test. */
const cookies = [
  {
    matches: /^authjs\.session-token$/,
    purpose: 'Your session. Just the key of a row in SQLite: delete the row, and it is worthless.',
    lifetime: '30 days after your last visit',
  },
  {
    matches: /^demo\.session-in-cookie(\.\d+)?$/,
    purpose: 'Your whole session, encrypted. The server stores nothing and queries no database.',
    lifetime: '30 days after your last visit',
  },
  {
    matches: /^authjs\.csrf-token$/,
    purpose: 'Forms repeat it, so no other site can send them in your name.',
    lifetime: UNTIL_CLOSED,
  },
  {
    matches: /^authjs\.callback-url$/,
    purpose: 'Where to take you after signing in.',
    lifetime: UNTIL_CLOSED,
  },
  {
    matches: /^authjs\.email-request$/,
    purpose:
      'You asked for an email link in this browser: opening it here signs you in without another question.',
    lifetime: '24 hours',
  },
  {
    matches: /^authjs\.state/,
    purpose:
      'You are on your way to a provider. Sealed: state, PKCE verifier and nonce. One for each tab.',
    lifetime: '15 minutes',
  },
  {
    matches: /^authjs\.challenge/,
    purpose: 'What a passkey has to sign, once.',
    lifetime: '15 minutes',
  },
  {
    matches: /^siteauth\.known$/,
    purpose:
      'You have signed in with this browser before, so whoever guesses passwords elsewhere cannot make you wait.',
    lifetime: '30 days',
  },
  {
    matches: /^authjs\.sign-in-form$/,
    purpose: 'The address you typed, sealed, until you have chosen how to go on.',
    lifetime: '10 minutes',
  },
  {
    matches: /^siteauth\.last-provider$/,
    purpose:
      'How you signed in last, so that the sign-in page can mark it. It does not say who you are.',
    lifetime: '180 days',
  },
  {
    matches: /^siteauth\.changed$/,
    purpose:
      'A random value that changes whenever someone signs in or out. Open pages notice and ask again who is signed in. It is the only one scripts can read.',
    lifetime: UNTIL_CLOSED,
  },
  {
    matches: /^demo\.sessions$/,
    purpose: 'The switch on this page. It belongs to the demo.',
    lifetime: UNTIL_CLOSED,
  },
]

/**
 * The cookies of a request, each with what it is for. All of them are `SameSite=Lax` and for every
 * path, and all but `siteauth.changed` are `HttpOnly`; with HTTPS they are also `Secure`, under names
 * that browsers guard.
 *
 * @param {string} header
 */
export function cookiesInWords(header) {
  return header
    .split(/; */)
    .filter(Boolean)
    .map(pair => {
      const name = pair.slice(0, pair.indexOf('='))
      const rank = cookies.findIndex(({ matches }) => matches.test(name))
      return { name, bytes: pair.length, rank, ...cookies[rank] }
    })
    .sort((a, b) => a.rank - b.rank)
}
