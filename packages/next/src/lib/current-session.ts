import { type CheckedSession, type SetCookie, sessionsOf } from '@siteauth/core/integration'
import { addressedBy } from './addressed.ts'
import { type CurrentRequest, currentRequest } from './next-runtime.ts'
import type { SessionReader } from './session-reader.ts'
import type { Settings } from './settings.ts'

/**
 * The session of the request that is being answered. Renewed in actions and route handlers; while a
 * page is rendered, no cookie can be set, so there a session is only read.
 */
export async function currentSession(
  settings: Settings,
  reader: SessionReader,
): Promise<CheckedSession['session']> {
  const current = await currentRequest()
  const config = await sessionsOf(await settings.of(current.headers))
  const { session } = await reader.read(config, {
    key: current.headers,
    sent: addressedBy(current.headers),
    cookies: name => cookieHeader(current, each => each.startsWith(name)),
    renew: current.writable,
    ...(current.writable && { store: cookies => storeCookies(current, cookies) }),
  })
  return session
}

/** The cookies of a request, with what this very request has set. */
export function cookieHeader(
  { jar }: Pick<CurrentRequest, 'jar'>,
  isWanted: (name: string) => boolean = () => true,
): string {
  return jar
    .getAll()
    .filter(({ name, value }) => value !== '' && isWanted(name))
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
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
