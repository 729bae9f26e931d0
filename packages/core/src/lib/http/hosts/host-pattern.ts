/**
 * Whether a host is one that an entry of a list names; both are in lower case. In an entry, a `*` replaces one label, or
 * a part of one: `*.example.com` names `a.example.com`, and neither `example.com` nor `a.b.example.com`.
 */
export function fitsHost(entry: string, host: string): boolean {
  if (!entry.includes('*')) return entry === host
  const patterns = entry.split('.')
  const labels = host.split('.')
  return (
    patterns.length === labels.length &&
    patterns.every((pattern, at) => fitsLabel(pattern, labels[at] ?? ''))
  )
}

function fitsLabel(pattern: string, label: string): boolean {
  const [start = '', end, more] = pattern.split('*')
  if (end === undefined) return pattern === label
  return (
    more === undefined &&
    label.length > start.length + end.length &&
    label.startsWith(start) &&
    label.endsWith(end)
  )
}
