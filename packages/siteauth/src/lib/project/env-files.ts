import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readText } from './files.ts'

/** Whether a project is looked at as it runs on a developer's machine, or for the public. */
export type Mode = 'development' | 'production'

/** A file of variables. */
export interface EnvFile {
  /** Relative to the project. */
  readonly name: string
  readonly variables: Readonly<Record<string, string>>
}

/** The files of variables that there are, those that win first, in the order of Next. */
export function readEnvFiles(folder: string, mode: Mode): readonly EnvFile[] {
  return [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env'].flatMap(name => {
    const text = readText(join(folder, name))
    return text === null ? [] : [{ name, variables: readVariables(text) }]
  })
}

/** The variables of a file. */
export function readVariables(text: string): Readonly<Record<string, string>> {
  const variables = parseEnv(text)
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
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
  const line = `${name}=${quoted(value)}`
  const existing = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm')
  // A function, because a value may have a dollar sign in it.
  if (existing.test(text)) return text.replace(existing, () => line)
  const lineBreak = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${lineBreak}${line}\n`
}

// A hash sign would begin a comment, and Next would put variables in for dollar signs.
function quoted(value: string): string {
  return /^[\w./:@+=-]*$/.test(value) ? value : `'${value}'`
}
