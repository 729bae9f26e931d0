import type { SessionLimits } from './lifetime.ts'
import { FORMAT_ENTRIES, LIMIT_FORMATS } from './limit-formats.ts'

/**
 * The name of a row, with the limits of its session at its end. So they need no column, and an attacker who changes
 * them in a cookie has named another row, which does not exist.
 */
export function nameWith(random: string, limits: SessionLimits): string {
  const texts = FORMAT_ENTRIES.flatMap(([name, { toText }]) =>
    limits[name] === undefined ? [] : toText(limits[name]),
  )
  return [random, ...texts].join('~')
}

/** The limits at the end of a name. */
export const LIMITS: RegExp = new RegExp(
  `${FORMAT_ENTRIES.map(([, { pattern }]) => `(?:~(${pattern}))?`).join('')}$`,
)

/** The limits that the name of a row ends with. */
export function parseSessionLimits(name: string): SessionLimits {
  const limits: { -readonly [Name in keyof SessionLimits]: unknown } = {}
  // Most names have none, and every request with a session in a database brings one.
  if (!name.includes('~')) return limits as SessionLimits
  // Some columns fill a name up with blanks.
  const texts = LIMITS.exec(name.trimEnd())
  FORMAT_ENTRIES.forEach(([limit, { fromText }], index) => {
    const text = texts?.[index + 1]
    if (text !== undefined) limits[limit] = fromText(text)
  })
  return limits as SessionLimits // each as its format reads it
}

/** The keys of a session's provider, at the end of its name. */
export const PROVIDER_KEYS: RegExp = new RegExp(`~${LIMIT_FORMATS.rk.pattern}$`)

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
