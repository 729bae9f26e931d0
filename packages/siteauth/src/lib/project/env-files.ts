import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { leadsOutside } from './contained.ts'
import { readText } from './files.ts'

/** Whether a project is looked at as it runs on a developer's machine, or for the public. */
export type Mode = 'development' | 'production'

/** A file of variables. */
export interface EnvFile {
  /** Relative to the project. */
  readonly name: string
  readonly variables: Readonly<Record<string, string>>
}

/**
 * The files of variables that there are, those that win first, in the order of Next. A link that leads out of the project is
 * not followed: what it leads to is not the project's, and a URL of the project could carry it away.
 */
export function readEnvFiles(folder: string, mode: Mode): readonly EnvFile[] {
  return envFileNames(mode).flatMap(name => {
    if (leadsOutside(folder, name)) return []
    const text = readText(join(folder, name))
    return text === null ? [] : [{ name, variables: readVariables(text) }]
  })
}

/** The files of variables that are links out of the project. */
export function linkedEnvFiles(folder: string, mode: Mode): readonly string[] {
  return envFileNames(mode).filter(name => leadsOutside(folder, name))
}

function envFileNames(mode: Mode): readonly string[] {
  return [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']
}

/** The variables of a file. */
export function readVariables(text: string): Readonly<Record<string, string>> {
  const variables = parseEnv(text.replace(/^\uFEFF/, ''))
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

/** A file that gives a variable a value, in any mode; null if none does. */
export function fileWith(folder: string, names: readonly string[]): string | null {
  return filesWith(folder, names, value => value !== '')[0] ?? null
}

/** The files that give a variable such a value, in any mode. */
export function filesWith(
  folder: string,
  names: readonly string[],
  isWanted: (value: string) => boolean,
): readonly string[] {
  const files = (['development', 'production'] as const).flatMap(mode => readEnvFiles(folder, mode))
  const found = files.filter(({ variables }) => names.some(name => isWanted(variables[name] ?? '')))
  return [...new Set(found.map(({ name }) => name))]
}

/** What a program of the project finds in its environment. */
export function projectEnv(
  files: readonly EnvFile[],
  mode: Mode,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const fromFiles = Object.assign({}, ...files.map(({ variables }) => variables).reverse())
  return { ...fromFiles, ...env, NODE_ENV: mode }
}

/** The text of a file of variables with one of them set: where it was, or at the end. */
export function setVariable(text: string, name: string, value: string): string {
  return setWritten(text, name, quoted(value))
}

/** The same for a value as another variable of the file has it, with its quotes. */
export function copyVariable(text: string, from: string, to: string, target: string): string {
  return setWritten(target, to, lastOf(text, from)?.written ?? '')
}

/** The text without any line that sets a variable. */
export function removeVariable(text: string, name: string): string {
  return text.replaceAll(
    new RegExp(`${ASSIGNMENT.source}[^\\r\\n]*(?:\\r?\\n)?`, 'gm'),
    (line, each) => (each === name ? '' : line),
  )
}

function setWritten(text: string, name: string, written: string): string {
  const existing = lastOf(text, name)
  if (existing) {
    const after = text.slice(existing.end)
    // What stands behind it is a comment only with a space in front.
    const space = after.startsWith('#') ? ' ' : ''
    return `${text.slice(0, existing.start)}${written}${space}${after}`
  }
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text === '' || text.endsWith('\n') ? '' : lineBreak
  return `${text}${before}${name}=${written}${lineBreak}`
}

/** A value as it is written, and where. */
interface WrittenValue {
  readonly written: string
  readonly start: number
  readonly end: number
}

// A value in quotes may go on for lines, which are no variables of their own.
const ASSIGNMENT =
  /^[\uFEFF \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*('[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|[^#\r\n]*)/gm

/** The assignment that counts: of several, it is the last. */
function lastOf(text: string, name: string): WrittenValue | null {
  const found = [...text.matchAll(ASSIGNMENT)].findLast(([, each]) => each === name)
  if (!found) return null
  const [whole, , value = ''] = found
  const start = found.index + whole.length - value.length
  const written = value.trimEnd()
  return { written, start, end: start + written.length }
}

// A hash sign would begin a comment.
function quoted(value: string): string {
  return /^[\w./:@+=-]*$/.test(value) ? value : `'${value}'`
}
