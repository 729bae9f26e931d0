import type { Terms } from './lifetime.ts'
import { FORMAT_ENTRIES, TERM_FORMATS } from './term-formats.ts'

/**
 * The name of a row, with the terms of its session at its end. So they need no column, and an attacker who changes
 * them in a cookie has named another row, which does not exist.
 */
export function nameWith(random: string, terms: Terms): string {
  const texts = FORMAT_ENTRIES.flatMap(([name, { toText }]) =>
    terms[name] === undefined ? [] : toText(terms[name]),
  )
  return [random, ...texts].join('~')
}

/** The terms at the end of a name. */
export const TERMS: RegExp = new RegExp(
  `${FORMAT_ENTRIES.map(([, { pattern }]) => `(?:~(${pattern}))?`).join('')}$`,
)

/** The terms that the name of a row ends with. */
export function termsIn(name: string): Terms {
  const terms: { -readonly [Name in keyof Terms]: unknown } = {}
  // Most names have none, and every request with a session in a database brings one.
  if (!name.includes('~')) return terms as Terms
  // Some columns fill a name up with blanks.
  const texts = TERMS.exec(name.trimEnd())
  FORMAT_ENTRIES.forEach(([term, { fromText }], index) => {
    const text = texts?.[index + 1]
    if (text !== undefined) terms[term] = fromText(text)
  })
  return terms as Terms // each as its format reads it
}

/** The keys of a session's provider, at the end of its name. */
export const PROVIDER_KEYS: RegExp = new RegExp(`~${TERM_FORMATS.rk.pattern}$`)

/** The name of a session without the keys of its provider. */
export function nameWithoutProvider(name: string): string {
  return name.replace(PROVIDER_KEYS, '')
}

/** Whether a store might take one name for the other, because it ignores case, accents or blanks. */
export function isMistakable(name: string, other: string): boolean {
  return name !== other && folded(name) === folded(other)
}

/** Whether a row that a store returned is the one of a name. Some columns write a UUID in capitals, or pad it with blanks. */
export function isSameName(stored: string | undefined, name: string): boolean {
  return stored === name || (stored !== undefined && isMistakable(stored, name))
}

function folded(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd()
}
