import { join } from 'node:path'
import { isPublishedSecret } from '@siteauth/core/internal/config'
import type { World } from '../environment.ts'
import { filesWith, readVariables, removeVariable, setVariable } from './env-files.ts'
import { readText } from './files.ts'
import { readProject } from './project.ts'

/** The variables that secrets are in, the oldest first, as the library reads them. */
export const SECRET_VARIABLES = [
  'AUTH_SECRET',
  'AUTH_SECRET_1',
  'AUTH_SECRET_2',
  'AUTH_SECRET_3',
] as const

/** 256 random bits, in letters that need no quotes anywhere. */
export function newSecret({ randomBytes }: Pick<World, 'randomBytes'>): string {
  return Buffer.from(randomBytes(32)).toString('base64url')
}

/** All variables that a secret may be in, with that of v4. */
const ALL_VARIABLES = [...SECRET_VARIABLES, 'NEXTAUTH_SECRET']

/** The file that has the secrets of a project; null if there are none yet. */
export function fileWithSecret(folder: string): string | null {
  return filesWith(folder, ALL_VARIABLES, isOwnSecret)[0] ?? null
}

/** The files that have a placeholder in place of a secret. */
export function filesWithPlaceholder(folder: string): readonly string[] {
  return filesWith(folder, ALL_VARIABLES, isPlaceholder)
}

/** Whether the text of a file has a secret that is not a placeholder. */
export function hasOwnSecret(text: string): boolean {
  const variables = readVariables(text)
  return ALL_VARIABLES.some(name => isOwnSecret(variables[name] ?? ''))
}

function isOwnSecret(value: string): boolean {
  return value !== '' && !isPlaceholder(value)
}

/** The text of a file without its placeholders, and with a new secret if it has no other. */
export function replacePlaceholders(text: string, secret: string): string {
  const variables = readVariables(text)
  const names = ALL_VARIABLES.filter(name => isPlaceholder(variables[name] ?? ''))
  if (names.length === 0) return text
  if (hasOwnSecret(text)) return names.reduce(removeVariable, text)
  const others = names.filter(name => name !== 'AUTH_SECRET')
  return setVariable(others.reduce(removeVariable, text), 'AUTH_SECRET', secret)
}

/** Whether a value is one that documentation prints for readers to replace: nothing else would be lost with it. */
export function isPlaceholder(value: string): boolean {
  if (isPublishedSecret(value)) return true
  const words = value.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  const isUsual = (word: string) =>
    TELLING.has(word) || FILLERS.has(word) || /^\d{1,3}$/.test(word) || COUNTED.includes(word)
  return words.some(word => TELLING.has(word)) && words.every(isUsual)
}

const COUNTED = '01234567890123456789'

const TELLING: ReadonlySet<string> = new Set(
  'change changeme changethis example placeholder random replace replaceme secret todo your'.split(
    ' ',
  ),
)

const FILLERS: ReadonlySet<string> = new Set(
  'a an and at auth be by characters development for generate generated here in it key least long me must my of one only or own please production sign string super test text the this to value very with'.split(
    ' ',
  ),
)

/** The file that new variables of a project go to. */
export function variablesFile(folder: string): string {
  const { framework } = readProject(folder)
  const hasLocal = readText(join(folder, '.env.local')) !== null
  return framework === 'next' || hasLocal ? '.env.local' : '.env'
}
