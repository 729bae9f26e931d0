/**
 * Whether a URL is at an origin of a list. In an entry, a `*` stands for one or more characters of
 * one label: `https://*.example.com` lists `https://a.example.com`, and not `https://a.b.example.com`.
 */
export function isListedOrigin(url: string, list: readonly string[]): boolean {
  const origin = originOf(url)
  if (!origin) return false
  return list.some(entry => {
    const [scheme, labels] = partsOf(originOf(entry) ?? '')
    const [foundScheme, found] = partsOf(origin)
    return (
      scheme === foundScheme &&
      labels.length === found.length &&
      labels.every((label, at) => fits(label, found[at] ?? ''))
    )
  })
}

/** Whether a text can stand in such a list: an origin, with at most one `*` in a label. */
export function isOriginPattern(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:\/\/[^/?#@\\\s]+$/i.test(text)) return false
  const [, labels] = partsOf(originOf(text) ?? '')
  // One in the last label would list half of the web.
  return (
    labels.length > 0 &&
    labels.every((label, at) => label.split('*').length <= (at < labels.length - 1 ? 2 : 1))
  )
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** The scheme, and the labels of the host; a port is part of the last one. */
function partsOf(origin: string): readonly [scheme: string, labels: readonly string[]] {
  const [scheme = '', host] = origin.split('://')
  return [scheme, host ? host.split('.') : []]
}

function fits(pattern: string, label: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return pattern === label
  return label.length > start.length + end.length && label.startsWith(start) && label.endsWith(end)
}
