import { readCookies, readTrustedCookies } from '@siteauth/core/internal'
import { nameByKit } from './inner-cookies.ts'

/**
 * The `__Host-` cookies that SvelteKit would read otherwise than browsers, as a `Cookie` header for requests that the
 * application makes of its own host; empty if every one is read alike. SvelteKit writes the header of such requests again, and
 * trims names as JavaScript does: a cookie from a sibling host, with a no-break space in front of its name, would become one
 * with the prefix.
 *
 * @param header what the browser sent
 * @param isSet whether the application has set a cookie since, which SvelteKit knows
 */
export function hostCookies(header: string | null, isSet: (name: string) => boolean): string {
  if (!header?.includes(PREFIX)) return ''
  const trusted = new Map(
    readTrustedCookies(header, PREFIX).map(({ name, value }) => [name, value]),
  )
  const names = new Set(header.split(';').map(nameByKit))
  return [...names]
    .filter(name => name.startsWith(PREFIX) && !isSet(name))
    .filter(name => !isReadAlike(header, name))
    .map(name => `${name}=${trusted.get(name) ?? ''}`)
    .join('; ')
}

const PREFIX = '__Host-'

/** Whether all that SvelteKit takes for a cookie is one cookie to browsers as well. */
function isReadAlike(header: string, name: string): boolean {
  const taken = header.split(';').filter(pair => nameByKit(pair) === name)
  return taken.length === 1 && readCookies(header, PREFIX).some(cookie => cookie.name === name)
}
