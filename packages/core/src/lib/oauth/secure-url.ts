/**
 * Whether a URL may be asked or sent to: over TLS, or on this very machine, or where the
 * application said aloud that it accepts the risk.
 */
export function isSecureUrl(
  url: URL,
  { allowInsecure }: { readonly allowInsecure: boolean },
): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (allowInsecure || isLoopback(url.hostname))
}

/** RFC 6761 §6.3 and RFC 1122 §3.2.1.3: names and addresses that never leave the machine. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}

/** A URL without its query, for messages: queries may hold codes and secrets. */
export function withoutQuery(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

/** A text as a URL; null if it is not one. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Whether two texts are URLs of one origin. */
export function isSameOrigin(left: string, right: string): boolean {
  return parseUrl(left)?.origin === parseUrl(right)?.origin
}
