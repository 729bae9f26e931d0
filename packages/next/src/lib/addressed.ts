/** What says where a request was sent to, in whichever form it came. */
export interface Addressed {
  header(name: string): string | null | undefined
  /** The scheme, for where no proxy says it. Next's own server always does. */
  readonly protocol: string
  readonly host: string
}

/** Where a request was sent to, whose URL is known. */
export function addressedRequest(request: Request): Addressed {
  const { protocol, host } = new URL(request.url)
  return { header: name => request.headers.get(name), protocol, host }
}
