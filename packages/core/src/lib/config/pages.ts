import type { AuthConfig, PagesOptions } from './options.ts'

/** The pages that there are, even if others are at fault: the fault itself has to be shown somewhere. */
export function usablePages(pages: AuthConfig['pages']): Partial<PagesOptions> {
  return Object.fromEntries(Object.entries(pages ?? {}).filter(([, page]) => isPage(page)))
}

/** Whether a page can be where somebody says it is. */
export function isPage(page: unknown): boolean {
  if (typeof page !== 'string') return false
  return (page.startsWith('/') && !page.startsWith('//')) || isHttpUrl(page)
}

/** Whether a text is the URL of something that browsers can go to. */
export function isHttpUrl(text: string): boolean {
  try {
    return ['https:', 'http:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
