import { chooseLanguage } from './choose-language.ts'
import { messages as english } from './en.ts'
import type { Messages, Translation } from './messages.ts'

/** A language, ready to be written in. */
export interface Language {
  /** As in `<html lang>`. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
}

/** The language options of an application. */
export interface LanguageOptions {
  /** The language to use, whatever the browser asks for. */
  readonly fixed: string | undefined
  /** Words of the application's own, by language. */
  readonly translations: Readonly<Record<string, Translation>>
}

// Each in a file of its own, which is read when the first visitor asks for it.
const BUILT_IN: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>> = {
  en: async () => ({ messages: english }),
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  hi: () => import('./hi.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  'zh-Hans': () => import('./zh-hans.ts'),
  'zh-Hant': () => import('./zh-hant.ts'),
}

const builtInTags = Object.keys(BUILT_IN)

const made = new WeakMap<LanguageOptions['translations'], Map<string, Language>>()

/** The language for a visitor: the application's choice, otherwise the browser's, otherwise English. */
export async function findLanguage(
  { fixed, translations }: LanguageOptions,
  acceptLanguage: string | null,
): Promise<Language> {
  const own = Object.keys(translations)
  const available = own.length > 0 ? [...own, ...builtInTags] : builtInTags
  // A configured language need not be among those with texts: the nearest is used.
  const tag = chooseLanguage(fixed ?? acceptLanguage, available) ?? 'en'
  // There are as many as there are languages, and the words of an application do not change.
  const byTag = made.get(translations) ?? new Map<string, Language>()
  made.set(translations, byTag)
  const language = byTag.get(tag) ?? (await makeLanguage(tag, translations))
  byTag.set(tag, language)
  return language
}

async function makeLanguage(
  tag: string,
  translations: LanguageOptions['translations'],
): Promise<Language> {
  const base = chooseLanguage(tag, builtInTags) ?? 'en'
  const builtIn = await BUILT_IN[base]?.()
  return {
    tag,
    direction: RIGHT_TO_LEFT.test(tag) ? 'rtl' : 'ltr',
    messages: { ...(builtIn?.messages ?? english), ...translations[base], ...translations[tag] },
  }
}

const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|ps|sd|ug|ur|yi)\b/i
