import { fitsHost } from './host-pattern.ts'

/** Whether a URL is at an origin of a list, whose entries may have a `*` as in {@link fitsHost}. */
export function isListedOrigin(url: string, list: readonly string[]): boolean {
  const found = parseOrigin(url)
  if (!found) return false
  return list.some(entry => {
    const origin = parseOrigin(entry)
    return origin?.scheme === found.scheme && fitsHost(origin.host, found.host)
  })
}

/** The host of an entry of such a list, with its port; null if the text is not an origin. */
export function hostOfOrigin(entry: unknown): string | null {
  if (typeof entry !== 'string' || !/^https?:\/\/[^/?#@\\\s]+$/i.test(entry)) return null
  return parseOrigin(entry)?.host ?? null
}

/** URLs of other schemes have no origin that could be compared. */
function parseOrigin(url: string): { readonly scheme: string; readonly host: string } | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? { scheme: protocol, host } : null
}
