import type { AstroContext } from './astro-context.ts'

const CURE = 'Set `export const prerender = false` on that page.'
const warned = new Set<string>()

/** Throws where a page is made once for everybody, and nobody asks for it yet. */
export function rejectPrerendered({ isPrerendered, routePattern }: AstroContext): void {
  if (!isPrerendered) return
  throw new Error(
    `${routePattern} is prerendered, so everybody would see it, and nobody can be kept out, signed in or signed ` +
      `out there. ${CURE}`,
  )
}

/** Logs once for each page why nobody is ever signed in there. */
export function warnPrerendered({ routePattern }: AstroContext): void {
  warnOnce(
    `The session was read on ${routePattern}, which is prerendered: it is null for everybody. ${CURE}`,
  )
}

/** The same if Astro's cache was set to store the page before anything on it read the session. */
export function warnOfCachedPage({ routePattern }: AstroContext): void {
  warnOnce(
    `A component of ${routePattern} read the session after Astro's cache had the page: it is null for everybody. ` +
      'Read it on the page itself, and the page is not cached.',
  )
}

function warnOnce(message: string): void {
  if (warned.has(message)) return
  warned.add(message)
  console.warn(`[siteauth] ${message}`)
}
