import type { ServerResponse } from 'node:http'

/** Whether it is too late to answer: somebody else did, or nobody listens any more. */
export function isOver(res: ServerResponse): boolean {
  return res.headersSent || res.writableEnded || res.destroyed
}

/** Writes an answer. Headers that others have set stay, but for those that the answer has too. */
export async function writeResponse(res: ServerResponse, response: Response): Promise<void> {
  const body = response.body ? await response.text() : undefined
  if (isOver(res)) return
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') res.setHeader(name, value)
  }
  addCookies(res, response.headers.getSetCookie())
  res.statusCode = response.status
  res.end(body)
}

/** Adds `Set-Cookie` headers to those that are there. */
export function addCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0 || isOver(res)) return
  const before = res.getHeader('set-cookie') ?? []
  res.setHeader('set-cookie', [...(Array.isArray(before) ? before : [String(before)]), ...lines])
}

/** Sends the visitor elsewhere. */
export function writeRedirect(res: ServerResponse, to: string): void {
  if (isOver(res)) return
  res.statusCode = 302
  res.setHeader('location', to)
  res.setHeader('cache-control', 'private, no-cache, no-store')
  res.end()
}
