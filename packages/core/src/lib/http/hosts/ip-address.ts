const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** The four numbers of an IPv4 address in its usual form; null for any other text. */
export function ipv4Bytes(text: string): readonly number[] | null {
  return IPV4.test(text) ? text.split('.').map(Number) : null
}

/** The eight groups of an IPv6 address, as the URL parser reads it; null for any other text. */
export function ipv6Groups(text: string): readonly number[] | null {
  const url = `http://[${text}]`
  // Nothing that would end the brackets.
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return null
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')]
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function groupsIn(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map(each => Number.parseInt(each, 16))
}

/** The IPv4 address in two groups of an IPv6 address. */
export function bytesIn(groups: readonly number[]): readonly number[] {
  return groups.flatMap(each => [each >> 8, each & 0xff])
}
