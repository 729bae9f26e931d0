import { fitsHost } from './host-pattern.ts'

/** Whether a URL is at an origin of a list, whose entries may have a `*` as in {@link fitsHost}. */
export function isListedOrigin(url: string, list: readonly string[]): boolean {
  const found = partsOf(url)
  if (!found) return false
  return list.some(entry => {
    const parts = partsOf(entry)
    return parts?.scheme === found.scheme && fitsHost(parts.host, found.host)
  })
}

/** The host of an entry of such a list, with its port; null if the text is not an origin. */
export function hostOfOrigin(entry: unknown): string | null {
  if (typeof entry !== 'string' || !/^https?:\/\/[^/?#@\\\s]+$/i.test(entry)) return null
  return partsOf(entry)?.host ?? null
}

/** URLs of other schemes have no origin that could be compared. */
function partsOf(url: string): { readonly scheme: string; readonly host: string } | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? { scheme: protocol, host } : null
}
