import nextCache from 'next/cache.js'
import { cookies, headers } from 'next/headers.js'

// The one file that runs code of Next. The names end in `.js` because Next has no map of exports:
// Node itself finds only files.

type Jar = Awaited<ReturnType<typeof cookies>>

/** The request that is being answered, as Next shows it to components, actions and handlers. */
export interface CurrentRequest {
  /** The same object for as long as the request lasts. */
  readonly headers: Headers
  readonly jar: Jar
  /** Whether cookies can be set: not while a page is rendered. */
  readonly writable: boolean
}

// From Next 16 on. Where it is missing, nothing minds that the clock is read.
const { io } = nextCache as Partial<Pick<typeof nextCache, 'io'>>

/**
 * Rejects outside requests, and stops prerendering, in Next's own words. What follows may read the
 * clock: a link that is prefetched has cookies, but must not depend on when that was.
 */
export async function currentRequest(): Promise<CurrentRequest> {
  const [jar, given] = await Promise.all([cookies(), headers()])
  if (io) await io()
  // A jar that is sealed has one function in place of all that would change it.
  return { headers: given, jar, writable: jar.set !== (jar.delete as unknown) }
}

/** The object that {@link currentRequest} would name the headers by; null outside requests. */
export async function currentHeaders(): Promise<Headers | null> {
  try {
    return await headers()
  } catch {
    return null
  }
}

/**
 * What is thrown to end an action, a route handler or a render: the visitor goes elsewhere. Next knows
 * it by its digest, as it knows what its own `redirect` throws. That one cannot be loaded both in
 * Node, where its name has to end in `.js`, and in every bundle, where it must not.
 */
export function redirection({ writable }: CurrentRequest, url: string): Error {
  // After a form 303, or browsers would send it once more, to wherever they go.
  const [kind, status] = writable ? ['push', 303] : ['replace', 307]
  const digest = `NEXT_REDIRECT;${kind};${url};${status};`
  return Object.assign(new Error('NEXT_REDIRECT'), { digest })
}
