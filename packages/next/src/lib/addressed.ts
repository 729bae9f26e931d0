/** What says where a request was sent to, in whichever form it came. */
export interface Addressed {
  header(name: string): string | null | undefined
  /** The scheme, for where no proxy says it. Next's own server always does. */
  readonly protocol: string
  readonly host: string
}

/** Where a request was sent to by its headers alone. */
export function addressedBy(headers: Headers): Addressed {
  const host = headers.get('host') ?? ''
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host)
  return { header: name => headers.get(name), protocol: isLocal ? 'http:' : 'https:', host }
}

/** Where a request was sent to, whose URL is known. */
export function addressedRequest(request: Request): Addressed {
  const { protocol, host } = new URL(request.url)
  return { header: name => request.headers.get(name), protocol, host }
}
