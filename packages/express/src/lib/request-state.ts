import type { IncomingMessage } from 'node:http'
import type { Awaitable } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'

/** What is remembered of a request while it lasts. */
export interface RequestState {
  /** The newest read of its session. */
  lastRead: Read | undefined
  /** The cookies that the browser will send from now on, where those differ from what it sent. */
  cookieHeader: string | undefined
}

/** A read of a session for one request, and the one before it. */
interface Read {
  readonly config: object
  readonly renewed: boolean
  readonly session: Awaitable<Session | null>
  readonly before: Read | undefined
}

// On the request itself: a WeakMap does the same, but keeps the garbage collector busy.
const key = Symbol('siteauth')

export function stateOf(req: IncomingMessage): RequestState {
  const holder = req as { [key]?: RequestState } // no one else has this symbol
  const known = holder[key]
  if (known) return known
  const state = { lastRead: undefined, cookieHeader: undefined }
  holder[key] = state
  return state
}
