import type { AuthConfig } from '@siteauth/core'
import { createTestAuth, type Recorded } from '../visitor.ts'
import type { Answer } from './serve.ts'

/** A small web application, all of whose pages say who is signed in. */
export interface Application extends Recorded {
  readonly answer: Answer
}

export function createApplication(config: Partial<AuthConfig>): Application {
  const { handle, getSession, ...recorded } = createTestAuth({ trustHost: true, ...config })
  return {
    ...recorded,
    async answer(request) {
      const { pathname, search } = new URL(request.url)
      if (pathname.startsWith('/auth/')) return handle(request)
      const session = await getSession(request)
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      const text = pageOf(pathname + search, session?.user?.name ?? null)
      return new Response(inPieces(text), { headers })
    },
  }
}

function pageOf(here: string, who: string | null): string {
  const back = encodeURIComponent(here)
  const whether = who === null ? 'Nobody is signed in.' : `${escapeHtml(who)} is signed in.`
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Application</title>
<link rel="icon" href="data:,"></head><body><h1>${escapeHtml(here)}</h1><p role="status">${whether}</p>
<p><a href="/auth/signin?callbackUrl=${back}">Sign in</a>
<a href="/auth/signout?callbackUrl=${back}">Sign out</a></p></body></html>`
}

/** As a framework sends it that renders while it sends. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const middle = Math.floor(text.length / 2)
  const pieces = [text.slice(0, middle), text.slice(middle)]
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
