import type { SessionKind, Site } from './site.ts'

/** One sentence about every application, and how it is shown over HTTP. */
export interface IntegrationCase {
  readonly name: string
  /** Where it matters where sessions are kept: the kind that it is about. */
  readonly sessions?: SessionKind
  readonly run: (site: Site) => Promise<void>
}

/** The cookies that an answer sets, by name; those that it removes are empty. */
export function cookiesSetBy(response: Response): ReadonlyMap<string, string> {
  return new Map(
    response.headers.getSetCookie().map(line => {
      const [pair = ''] = line.split(';', 1)
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Where an answer leads, as a URL. */
export function locationOf(response: Response, origin: string): URL {
  return new URL(response.headers.get('location') ?? 'none:', origin)
}

/** What browsers send when somebody opens a page. */
export const PAGE = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
}

/** What programs send. */
export const DATA = { accept: 'application/json' }
