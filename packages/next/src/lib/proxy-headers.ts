// A middleware of Next controls the request by headers on its response, which Next removes. `NextResponse` writes the
// same; writing them here works on any response.
/** Lets a request pass. */
export const NEXT_HEADER = 'x-middleware-next'

/** Lets a request pass to the page behind the proxy. */
export function letPass(headers?: Readonly<Record<string, string>>): Response {
  return new Response(null, { headers: { [NEXT_HEADER]: '1', ...headers } })
}

/** The request header by which a proxy proves to the page behind it that the `jwt` callback was asked. */
export const RECEIPT_HEADER = 'x-siteauth-asked'

/**
 * The request header in which Next's script names the page that a visitor comes from. By it, Next shows an intercepting
 * route in place of the one at the address.
 */
export const ORIGIN_PAGE_HEADER = 'next-url'
