import type { SentRequest } from '@siteauth/core/integration'
import { senderOf } from '@siteauth/core/internal'
import type { AstroContext } from './astro-context.ts'

export function requestOf(context: AstroContext): SentRequest {
  const { method, url, headers, body, bodyUsed } = context.request
  const sent = { method, url, body, bodyUsed, sender: () => senderBy(context) }
  if (!isIsland(context)) return { ...sent, headers }
  // A redirect would be followed, and the page to sign in shown in the midst of another.
  const asOfProgram = new Headers(headers)
  asOfProgram.set('accept', 'application/json')
  return { ...sent, headers: asOfProgram }
}

/** A request as if nobody were signed in. */
export function ofNobody({ headers, ...request }: SentRequest): SentRequest {
  const copy = new Headers([...headers])
  copy.delete('cookie')
  return { ...request, headers: copy }
}

/** Whether the script of a page asks for a part of it, which Astro calls a server island. */
function isIsland({ routePattern }: AstroContext): boolean {
  return routePattern.startsWith('/_server-islands/')
}

function senderBy(context: AstroContext): ReturnType<typeof senderOf> {
  const { headers } = context.request
  try {
    return senderOf({ peer: context.clientAddress, headers })
  } catch {
    // Some platforms do not know.
    return senderOf({ peer: undefined, headers })
  }
}
