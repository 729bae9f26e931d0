/** How often one request may be sent elsewhere: as often as browsers let it. */
const MAX_REDIRECTS = 20

/** The last response, and whether its server may have the token. */
export interface Followed {
  readonly response: Response
  readonly hadToken: boolean
}

/**
 * Sends a request with a token, and follows where it is redirected to: beyond the origin without the token, and
 * for good. `fetch` is to do the same, but not every runtime's does, and none makes a new proof for a new URL.
 */
export async function followRedirects(
  first: URL,
  init: RequestInit,
  send: (
    url: URL,
    init: RequestInit,
    options: { readonly withToken: boolean },
  ) => Promise<Response>,
): Promise<Followed> {
  const { redirect = 'follow' } = init
  let url = first
  let request: RequestInit = { ...init, redirect: redirect === 'follow' ? 'manual' : redirect }
  let withToken = true
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await send(url, request, { withToken })
    const target = redirect === 'follow' ? targetOf(response, url) : null
    if (!target) return { response, hadToken: withToken }
    await response.body?.cancel()
    request = redirected(request, response.status)
    if (target.origin !== url.origin) {
      withToken = false
      request.headers = withoutSecrets(request.headers)
    }
    url = target
  }
  throw new TypeError(`${first.origin} answered with more than ${MAX_REDIRECTS} redirects`)
}

/** Whether a body is gone once it was sent. */
export function isUsedUp(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return body instanceof ReadableStream || Symbol.asyncIterator in body
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

function targetOf({ status, headers }: Response, from: URL): URL | null {
  const location = REDIRECTS.includes(status) ? headers.get('location') : null
  if (location === null || !URL.canParse(location, from)) return null
  const target = new URL(location, from)
  return target.protocol === 'https:' || target.protocol === 'http:' ? target : null
}

/** RFC 9110 §15.4: some redirects ask for something to be read, others for the same to be sent again. */
function redirected({ method = 'GET', headers, body, ...rest }: RequestInit, status: number) {
  const isPost = method.toUpperCase() === 'POST'
  const isRead = status === 303 ? !/^(get|head)$/i.test(method) : status < 303 && isPost
  if (!isRead) {
    if (isUsedUp(body)) throw new TypeError('a body that can be sent once was redirected')
    return { ...rest, method, ...(headers && { headers }), ...(body != null && { body }) }
  }
  const remaining = new Headers(headers)
  const ofBody = ['content-encoding', 'content-language', 'content-location', 'content-type']
  for (const name of [...ofBody, 'content-length']) remaining.delete(name)
  return { ...rest, method: 'GET', headers: remaining }
}

function withoutSecrets(headers: RequestInit['headers']): Headers {
  const remaining = new Headers(headers)
  for (const name of ['authorization', 'proxy-authorization', 'cookie', 'dpop'])
    remaining.delete(name)
  return remaining
}
