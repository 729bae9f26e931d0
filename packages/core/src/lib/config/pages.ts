import type { AuthConfig, PagesOptions } from './options.ts'

/** The pages that there are, even if others are at fault: the fault itself has to be shown somewhere. */
export function usablePages(pages: AuthConfig['pages']): Partial<PagesOptions> {
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
