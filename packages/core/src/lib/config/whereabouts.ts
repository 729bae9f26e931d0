import type { AuthConfig, PagesOptions } from './options.ts'
import { pathsOf } from './paths.ts'
import type { Whereabouts } from './resolved.ts'
import { areTexts } from './session-config.ts'
import type { ConfigSources } from './sources.ts'

/** Finds out where an application and its pages are. */
export function whereaboutsOf(sources: ConfigSources): Whereabouts {
  const { options, said, trustHost } = sources
  return {
    pages: pagesThatExist(options.pages),
    paths: pathsOf(sources),
    origin: said.url?.origin,
    // Also where it is at fault, pages say so.
    trustHost: trustHost === true || areTexts(trustHost) ? trustHost : false,
  }
}

/** The pages that there are, even if others are at fault: the fault itself has to be shown somewhere. */
function pagesThatExist(pages: AuthConfig['pages']): Partial<PagesOptions> {
  return Object.fromEntries(Object.entries(pages ?? {}).filter(([, page]) => isPage(page)))
}

/** Whether a page can be where someone says it is. */
export function isPage(page: unknown): boolean {
  if (typeof page !== 'string') return false
  return (page.startsWith('/') && !page.startsWith('//')) || isHttpUrl(page)
}

/** Whether a text is the URL of something that browsers can go to. Nobody's password is part of it. */
export function isHttpUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text)
    return ['https:', 'http:'].includes(protocol) && !username && !password
  } catch {
    return false
  }
}
