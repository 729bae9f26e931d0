/**
 * The value of a cookie that the server sets again whenever someone signs in or out, or a session
 * is updated. It is random and says nothing: only that it is another one matters. Servers that do
 * not set it are followed by other means. Other sites of the domain may set one as well, which must not hide ours: all of
 * them count.
 */
export function readMarker(document: Pick<Document, 'cookie'> | undefined): string | undefined {
  return document?.cookie.match(/siteauth\.changed=\w*/g)?.join()
}
