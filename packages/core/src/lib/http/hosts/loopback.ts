import { ipv4Bytes } from './ip-address.ts'

/**
 * Whether a host, as a request or a URL names it, is this machine itself. The URL parser decides what it is: `127.1` and
 * `LOCALHOST` are, `localhost.`, `0.0.0.0` and names below another domain are not.
 */
export function isLoopbackHost(host: string): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || ipv4Bytes(hostname)?.[0] === 127
}

/** Whether an address of a connection is of this machine. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || ipv4Bytes(plain)?.[0] === 127
}
