import { MissingCSRF } from '../base/errors.ts'
import { isListedOrigin } from '../http/hosts/listed-origin.ts'
import type { SentHeaders } from '../http/request.ts'

/**
 * Whether the browser itself states that a page of another origin made the request. Without such a header (an old
 * browser, a program) this returns false, and the token decides alone.
 */
export function isForeignRequest(
  headers: Pick<SentHeaders, 'get'>,
  origin: string,
  trustedOrigins: readonly string[],
): boolean {
  const sender = headers.get('origin')
  if (sender && (sender === origin || isTrusted(sender, trustedOrigins))) return false
  const site = headers.get('sec-fetch-site')
  // `none`: the person did it, not a page. A trusted proxy may hide the true origin from us, but
  // not from the browser, whose word counts more than our own guess.
  if (site) return site !== 'same-origin' && site !== 'none'
  // Pages with a strict referrer policy send `null`, which means neither.
  return sender !== null && sender !== 'null'
}

/** Applications have origins of other schemes, such as `capacitor://localhost`, which are only compared. */
function isTrusted(sender: string, trustedOrigins: readonly string[]): boolean {
  return trustedOrigins.includes(sender) || isListedOrigin(sender, trustedOrigins)
}

/**
 * The same for a call of the application itself, which has no token to decide: a sender that hides is
 * foreign unless the browser vouches for it. `Origin: null` is what a page in a sandbox sends, and a
 * page whose policy is `no-referrer`; only `Sec-Fetch-Site` tells the two apart.
 */
export function isForeignCall(
  headers: Pick<SentHeaders, 'get'>,
  origin: string,
  trustedOrigins: readonly string[],
): boolean {
  // Not by `none` either: a person who types an address sends no `Origin` with it.
  const isHidden =
    headers.get('origin') === 'null' && headers.get('sec-fetch-site') !== 'same-origin'
  return isHidden || isForeignRequest(headers, origin, trustedOrigins)
}

/** The message for such a call. */
export function foreignCall(headers: Pick<SentHeaders, 'get'>, origin: string): MissingCSRF {
  const sender = headers.get('origin')
  if (sender === 'null') {
    return new MissingCSRF(
      'The page that sent the form hides its origin (Origin: null). If it is yours, give it the ' +
        'header "Referrer-Policy: same-origin".',
    )
  }
  return new MissingCSRF(
    sender === null
      ? `A page on another site led here, not one on ${origin}. Use a form, whose origin can be ` +
          'listed in trustedOrigins, or send people to the sign-in page: signIn without a provider.'
      : `The form was sent by a page on ${sender}, not ${origin}. If that page is yours, list its ` +
          'origin in trustedOrigins.',
  )
}
