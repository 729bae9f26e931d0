import {
  readCookies,
  resolveOrigin,
  type SetCookie,
  type SiteAddress,
} from '@siteauth/core/internal'
import nextCache from 'next/cache.js'
import { cookies, headers } from 'next/headers.js'
import type { RequestAddress } from './request-url.ts'

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

const LOCAL = /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/

/**
 * Where a request was sent to by its headers alone. The host that is believed decides about the scheme: a
 * visitor may name another one beside it.
 */
export function currentAddress(
  { headers: sent }: Pick<CurrentRequest, 'headers'>,
  { trustHost }: Pick<SiteAddress, 'trustHost'>,
): RequestAddress {
  const host = sent.get('host') ?? ''
  const address = { header: (name: string) => sent.get(name), protocol: 'https:', host }
  const { origin = `https://${host}` } = resolveOrigin(undefined, trustHost, address)
  return LOCAL.test(origin) ? { ...address, protocol: 'http:' } : address
}

/**
 * The cookies of a request, with what this very request has set. They are those of its header, because
 * the proxy and the endpoints read that: of two cookies with one name the first counts there, and Next's
 * jar has the last.
 *
 * @param isChange of which cookies a change matters
 */
export function cookieHeader(
  { headers: sent, jar }: Pick<CurrentRequest, 'headers' | 'jar'>,
  isChange: (name: string) => boolean = () => true,
): string {
  const received = sent.get('cookie') ?? ''
  const before = jarOf(received)
  const changed = jar
    .getAll()
    .filter(({ name, value }) => isChange(name) && before.get(name) !== value)
  if (changed.length === 0) return received
  const names = new Set(changed.map(({ name }) => name))
  const remaining = received
    .split(/; */)
    .filter(pair => pair && !names.has(readCookies(pair)[0]?.name ?? ''))
  const set = changed
    .filter(({ value }) => value !== '') // that is how Next deletes one
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return [...remaining, ...set].join('; ')
}

/** What Next's jar has before anything is set: read exactly as Next does, or a difference would look set. */
function jarOf(header: string): ReadonlyMap<string, string> {
  const jar = new Map<string, string>()
  for (const pair of header.split(/; */)) {
    const equals = pair.indexOf('=')
    try {
      if (equals === -1) jar.set(pair, 'true')
      else jar.set(pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1)))
    } catch {
      // Next leaves a cookie out that it cannot decode.
    }
  }
  return jar
}

/** Sets cookies, in the words of Next. */
export function storeCookies(
  { jar }: Pick<CurrentRequest, 'jar'>,
  cookies: readonly SetCookie[],
): void {
  for (const { name, value, options } of cookies) {
    const { encode: _, ...attributes } = options
    jar.set(name, value, attributes)
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

// Next writes this when it builds. Only this spelling is replaced.
declare const process: {
  readonly env: { readonly __NEXT_EXPERIMENTAL_AUTH_INTERRUPTS?: string | boolean }
}

/**
 * What is thrown to answer with 403 and the page `forbidden.tsx`, as by Next's own `forbidden`. Undefined unless the
 * application has enabled `experimental.authInterrupts`: Next would answer with an error.
 */
export function forbidden(): Error | undefined {
  if (!process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS) return undefined
  const digest = 'NEXT_HTTP_ERROR_FALLBACK;403'
  return Object.assign(new Error(digest), { digest })
}
