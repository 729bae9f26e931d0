import { posix } from 'node:path'
import { resolveModule } from '../code/resolve-module.ts'
import { parseSource, type Source } from '../code/source.ts'
import { listCode, readText } from '../project/files.ts'

/** The code of a project while it is being changed: nothing is written before all of it is known. */
export interface Workspace {
  files(): readonly string[]
  read(file: string): string | null
  source(file: string): Source | null
  write(file: string, text: string): void
  remove(file: string): void
  /** The file that a module names, as seen from another file; null if it is of a package. */
  resolve(from: string, module: string): string | null
  changes(): readonly Change[]
}

/** What becomes of a file: null where there is none. */
export interface Change {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** Something that a person should look at. */
export interface Remark {
  readonly where: string
  readonly what: string
}

export function openWorkspace(folder: string): Workspace {
  const known = new Set(listCode(folder))
  const changed = new Map<string, string | null>()

  function read(file: string): string | null {
    const text = changed.get(file)
    return text === undefined ? readText(posix.join(folder, file)) : text
  }

  function has(file: string): boolean {
    return changed.has(file) ? changed.get(file) !== null : known.has(file)
  }

  return {
    files: () => [...new Set([...known, ...changed.keys()])].filter(has).filter(isCode).sort(),
    read,
    source(file) {
      const text = read(file)
      return text === null ? null : parseSource(file, text)
    },
    write(file, text) {
      if (read(file) !== text) changed.set(file, text)
    },
    remove: file => void changed.set(file, null),
    resolve: (from, module) => resolveModule(from, module, has),
    changes: () =>
      [...changed]
        .map(([file, after]) => ({ file, before: readText(posix.join(folder, file)), after }))
        .filter(({ before, after }) => before !== after),
  }
}

function isCode(file: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)
}

/** How a file is imported from another, without its ending. */
export function relativeModule(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.[cm]?[jt]sx?$/, '')
  return path.startsWith('.') ? path : `./${path}`
}
