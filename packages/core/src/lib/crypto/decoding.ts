const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 bytes as text. Throws where they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return strictDecoder.decode(bytes)
}

/** Base64url without padding as bytes. Null for anything that is not exactly that. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!isBase64Url(text)) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

const alphabet = /^[A-Za-z0-9_-]*$/

/** Whether a text is base64url without padding, of a possible length. */
export function isBase64Url(text: string): boolean {
  return text.length % 4 !== 1 && alphabet.test(text)
}
