import type { Frame } from '../config/resolved.ts'
import { type SentHeaders, webHeaders } from '../http/incoming.ts'
import { appNameOf } from '../look/theme.ts'
import { findLanguage, type Language } from '../look/words/languages.ts'
import type { PageSetting } from '../pages/layout.ts'

/** Who asks, as far as a page has to know. */
export interface Asker {
  readonly url: string | URL
  readonly headers: SentHeaders
}

/** What every built-in page is told, whatever it is about. */
export async function settingOf(frame: Frame, origin: string, asker: Asker): Promise<PageSetting> {
  const appName = appNameOf(frame.theme)
  return {
    theme: frame.theme,
    language: await languageFor(frame, asker),
    site: origin,
    appName,
    host: appName ?? new URL(origin).host,
    // One slash: browsers take two, or one that leans back, for the start of another host.
    assets: `${frame.paths.public.replace(/^[/\\]+/, '/')}/assets`,
  }
}

/** The language to speak to a visitor. */
export function languageFor({ language, translations }: Frame, asker: Asker): Promise<Language> {
  const { headers } = asker
  const told =
    typeof language === 'function'
      ? language({ url: String(asker.url), headers: webHeaders(headers) })
      : language
  return findLanguage({ fixed: told || undefined, translations }, headers.get('accept-language'))
}
