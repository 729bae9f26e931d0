import { appNameOf } from '../../branding/theme.ts'
import type { PageConfig } from '../../config/resolved-config.ts'
import { resolveOrigin } from '../../http/origin.ts'
import type { SentHeaders, SentRequest } from '../../http/request.ts'
import { webHeaders } from '../../http/request.ts'
import type { PageSetting } from '../../pages/shared/layout.ts'
import { findLanguage, type Language } from '../../translations/languages.ts'

/** The visitor, as far as a page needs to know. */
export interface Asker {
  readonly url: string | URL
  readonly headers: SentHeaders
}

/** The facts that every built-in page receives. */
export async function settingOf(
  config: PageConfig,
  origin: string,
  asker: Asker,
): Promise<PageSetting> {
  const appName = appNameOf(config.theme)
  return {
    theme: config.theme,
    language: await languageFor(config, asker),
    site: origin,
    appName,
    host: appName ?? new URL(origin).host,
    // One slash: browsers take two, or one that leans back, for the start of another host.
    assets: `${config.paths.public.replace(/^[/\\]+/, '/')}/assets`,
  }
}

/** The language to speak to a visitor. */
export function languageFor(
  { language, translations }: PageConfig,
  asker: Asker,
): Promise<Language> {
  const { headers } = asker
  const fixed =
    typeof language === 'function'
      ? language({ url: String(asker.url), headers: webHeaders(headers) })
      : language
  return findLanguage({ fixed: fixed || undefined, translations }, headers.get('accept-language'))
}

/** How many seconds a visitor has to wait, from a query that anyone can write. */
export function readRetryAfter(text: string | undefined): number {
  return /^\d{1,5}$/.test(text ?? '') ? Number(text) : 60
}

/** Links on a page that reports a fault lead where the visitor already is. */
export function pageOrigin(config: PageConfig, request: SentRequest): string {
  const { protocol, host, origin } = new URL(request.url)
  const header = (name: string) => request.headers.get(name)
  return resolveOrigin(config.origin, config.trustHost, { header, protocol, host }).origin ?? origin
}
