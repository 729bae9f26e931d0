const encoder = new TextEncoder()

/** Text as UTF-8 bytes. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  // In slices, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Whether base64url ends as an encoder would end it: the bits of the last character that carry
 * nothing must be zero, or else several texts would stand for the same bytes.
 */
export function isCanonicalEnd(text: string): boolean {
  const last = text.charAt(text.length - 1)
  switch (text.length % 4) {
    case 0:
      return true
    case 2:
      return 'AQgw'.includes(last)
    case 3:
      return 'AEIMQUYcgkosw048'.includes(last)
    default:
      return false
  }
}
