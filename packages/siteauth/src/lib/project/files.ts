import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The text of a file; null if there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = Object(error) as { code?: unknown } // anything can be thrown
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null
    throw error
  }
}

/** How a file is to be written. */
interface WriteOptions {
  /** Who may read it, if it is new. */
  readonly mode?: number
}

/** Writes a file as a whole or not at all: whoever interrupts it keeps the old one. */
export function writeText(path: string, text: string, { mode = 0o644 }: WriteOptions = {}): void {
  mkdirSync(dirname(path), { recursive: true })
  const kept = existsSync(path) ? statSync(path).mode & 0o777 : mode
  const beside = `${path}.${process.pid}.tmp`
  writeFileSync(beside, text, { mode: kept })
  renameSync(beside, path)
}

/** The contents of a JSON file as an object; null if there is none. */
export function readJson(path: string): Readonly<Record<string, unknown>> | null {
  const text = readText(path)
  if (text === null) return null
  try {
    // An empty object for anything that is no object.
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'generated', 'vendor'])
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/

/** The source files of a project, relative to its folder, in alphabetical order. */
export function listCode(folder: string, below = ''): readonly string[] {
  const entries = readdirSync(join(folder, below), { withFileTypes: true })
  return entries
    .flatMap(entry => {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (entry.isDirectory()) {
        return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : listCode(folder, path)
      }
      return CODE.test(entry.name) && !entry.name.includes('.min.') ? [path] : []
    })
    .sort()
}
