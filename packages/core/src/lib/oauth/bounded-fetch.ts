import { ProviderError } from './provider-error.ts'
import { isSecureUrl, withoutQuery } from './secure-url.ts'

/** The limits of a provider's responses. */
export interface FetchBounds {
  /** How long an answer may take, to its last byte. In milliseconds. */
  readonly timeout: number
  /** Allow `http:` beyond loopback. */
  readonly allowInsecure: boolean
  /** The largest answer that is read, in bytes. */
  readonly limit?: number
}

const ONE_MEGABYTE = 1_048_576

/** GitHub and Reddit refuse requests without it. */
export const USER_AGENT = 'SiteAuth'

/**
 * A `fetch` for requests to a provider: TLS, a time limit, a size limit, and no redirect is followed, since it would
 * send a token or a code to someone else. Responses are read to the end before they are returned.
 */
export function boundFetch(
  underlying: typeof globalThis.fetch,
  { timeout, allowInsecure, limit = ONE_MEGABYTE }: FetchBounds,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request ? request.url : String(input))
    if (!isSecureUrl(url, { allowInsecure })) {
      throw new ProviderError(`expected an https URL, found ${withoutQuery(url)}`)
    }
    const deadline = AbortSignal.timeout(timeout)
    const caller = init?.signal ?? request?.signal
    const signal = caller ? AbortSignal.any([caller, deadline]) : deadline
    const headers = new Headers(init?.headers ?? request?.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT)
    try {
      const response = await unlessAborted(
        underlying(input, {
          ...init,
          // A plain object, because that is what a custom fetch has always been given.
          headers: Object.fromEntries(headers),
          redirect: init?.redirect ?? 'manual',
          signal,
        }),
        signal,
      )
      rejectRedirect(response, url)
      return await unlessAborted(buffered(response, limit, url), signal)
    } catch (error) {
      if (error instanceof ProviderError) throw error
      if (deadline.aborted) {
        throw new ProviderError(`${withoutQuery(url)} did not respond within ${timeout} ms`)
      }
      throw new ProviderError(`the request to ${withoutQuery(url)} failed: ${reasonOf(error)}`)
    }
  }
}

/** However `fetch` treats its signal: when that is aborted, callers stop waiting. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function rejectRedirect(response: Response, url: URL): void {
  const isRedirect = response.status >= 300 && response.status < 400
  if (!isRedirect && response.type !== 'opaqueredirect') return
  discard(response)
  const status = response.status || 'opaque'
  throw new ProviderError(`expected a response from ${withoutQuery(url)}, found a redirect`, {
    status,
  })
}

async function buffered(response: Response, limit: number, url: URL): Promise<Response> {
  const tooLarge = () => {
    discard(response)
    return new ProviderError(`the response from ${withoutQuery(url)} is larger than ${limit} bytes`)
  }
  if (Number(response.headers.get('content-length')) > limit) throw tooLarge()
  const headers = new Headers(response.headers)
  headers.delete('content-encoding') // it is decoded by now
  headers.delete('content-length')
  const { status, statusText } = response
  if (!response.body) return new Response(null, { status, statusText, headers })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > limit) {
      reader.cancel().catch(() => {}) // what is left is of no interest
      throw tooLarge()
    }
    chunks.push(value)
  }
  const body = length === 0 ? null : await new Blob(chunks).arrayBuffer()
  return new Response(body, { status, statusText, headers })
}

function discard(response: Response): void {
  if (response.body && !response.body.locked) response.body.cancel().catch(() => {})
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `${error.message}${code}`
}
