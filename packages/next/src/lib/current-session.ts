import {
  type CheckedSession,
  type SetCookie,
  sessionsOf,
  siteFrameOf,
} from '@siteauth/core/integration'
import { addressedBy } from './addressed-by.ts'
import { BEHIND } from './is-route.ts'
import { type CurrentRequest, currentRequest } from './next-runtime.ts'
import { rememberedFor } from './remembered-for.ts'
import type { SessionReader } from './session-reader.ts'
import type { Settings } from './settings.ts'

/**
 * The session of the current request. Only read, never renewed: a page cannot set cookies while it
 * is being rendered, and in a route handler nothing here could keep the response out of caches.
 */
export async function currentSession(
  settings: Settings,
  reader: SessionReader,
): Promise<CheckedSession['session']> {
  const current = await currentRequest()
  const setup = await settings.of(current.headers)
  const config = await sessionsOf(setup)
  const { session } = await reader.read(config, {
    key: rememberedFor(current.headers, config.now()),
    sent: addressedBy(current.headers, siteFrameOf(setup.basis)),
    cookies: name => cookieHeader(current, each => each.startsWith(name)),
    renew: false,
    context: BEHIND,
  })
  return session
}

/**
 * The cookies of a request, with what this very request has set. They are those of its header, because
 * the proxy and the endpoints read that: of two cookies with one name the first counts there, and Next's
 * jar has the last.
 *
 * @param isChange of which cookies a change matters
 */
export function cookieHeader(
  { headers, jar }: Pick<CurrentRequest, 'headers' | 'jar'>,
  isChange: (name: string) => boolean = () => true,
): string {
  const arrived = headers.get('cookie') ?? ''
  const before = jarOf(arrived)
  const changed = jar
    .getAll()
    .filter(({ name, value }) => isChange(name) && before.get(name) !== value)
  if (changed.length === 0) return arrived
  const names = new Set(changed.map(({ name }) => name))
  const kept = arrived.split(/; */).filter(pair => pair && !names.has(nameOf(pair)))
  const set = changed
    .filter(({ value }) => value !== '') // that is how Next deletes one
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return [...kept, ...set].join('; ')
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

function nameOf(pair: string): string {
  return (pair.split('=', 1)[0] ?? '').trim()
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
