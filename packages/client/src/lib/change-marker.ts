/**
 * The value of a cookie that the server sets again whenever someone signs in or out, or a session
 * is updated. It is random and says nothing: only that it is another one matters. Servers that do
 * not set it are followed by other means.
 */
export function readMarker(document: Pick<Document, 'cookie'> | undefined): string | undefined {
  return /siteauth\.changed=(\w*)/.exec(`${document?.cookie}`)?.[1]
}
