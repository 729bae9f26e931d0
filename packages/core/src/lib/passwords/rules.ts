import type { PasswordRules } from '../providers/password.ts'
import { lengthOf, normalizePassword } from './normalize.ts'
import { completeRules } from './password-defaults.ts'

/** Why a password is refused. `too_common`: too many know it, or would guess it. */
export type PasswordProblem = 'too_short' | 'too_long' | 'too_common'

/** The owner of a password. */
export interface PasswordContext {
  /** The user's name for themselves: the address. */
  readonly names: readonly string[]
  /** Told when the blocklist cannot be asked: the password is then accepted. */
  readonly onUnknown: (error: unknown) => void
}

/**
 * The problem with a password that a user has chosen; null if there is none. No rule requires kinds of characters.
 */
export async function findPasswordProblem(
  password: string,
  rules: PasswordRules,
  { names, onUnknown }: PasswordContext,
): Promise<PasswordProblem | null> {
  const { minLength, maxLength, forbiddenWords = [], blocklist } = completeRules(rules)
  const length = lengthOf(password)
  if (length < minLength) return 'too_short'
  if (length > maxLength) return 'too_long'
  if (isMostly([...forbiddenWords, ...names], password) || isOnePattern(password))
    return 'too_common'
  try {
    return (await blocklist?.(normalizePassword(password))) ? 'too_common' : null
  } catch (error) {
    onUnknown(error)
    return null
  }
}

/** Whether little is left of a password once the words that everybody tries are taken out. */
function isMostly(words: readonly string[], password: string): boolean {
  let rest = normalizePassword(password).toLowerCase()
  const pieces = words.flatMap(word => [word, ...word.split(/[@.\s_+-]/)])
  const tried = pieces.map(piece => normalizePassword(piece).toLowerCase())
  for (const piece of tried.filter(each => each.length >= 4)) rest = rest.replaceAll(piece, '')
  return lengthOf(rest) < 5
}

/** One short piece again and again, or characters that follow each other. */
function isOnePattern(password: string): boolean {
  if (/^(.{1,4}?)\1+$/su.test(password)) return true
  const codes = [...password].map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return Math.abs(steps[0] ?? 0) === 1 && steps.every(step => step === steps[0])
}
