import { lstatSync } from 'node:fs'
import { posix } from 'node:path'
import { listCode } from '../project/files.ts'
import { readAliases } from './aliases.ts'
import { isComponent, parseComponent } from './component.ts'
import { resolveModule } from './resolve-module.ts'
import { parseSource, readCode, type Source } from './source.ts'

/** The code of a project while it is being changed: nothing is written before all of it is known. */
export interface Workspace {
  files(): readonly string[]
  has(file: string): boolean
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

export function openWorkspace(
  folder: string,
  { components = false }: { readonly components?: boolean } = {},
): Workspace {
  // What a link leads to is changed where it is, if it is of this project.
  const editable = new Set(
    listCode(folder, { components }).filter(
      file => !lstatSync(posix.join(folder, file)).isSymbolicLink(),
    ),
  )
  const aliases = readAliases(folder)
  const originals = new Map<string, string | null>()
  const changed = new Map<string, string | null>()
  const parsed = new Map<string, { readonly text: string; readonly source: Source | null }>()

  function original(file: string): string | null {
    if (!originals.has(file)) originals.set(file, readCode(posix.join(folder, file)))
    return originals.get(file) ?? null
  }

  function read(file: string): string | null {
    const text = changed.get(file)
    return text === undefined ? original(file) : text
  }

  function has(file: string): boolean {
    return changed.has(file) ? changed.get(file) !== null : editable.has(file)
  }

  return {
    files: () => [...new Set([...editable, ...changed.keys()])].filter(has).filter(isCode).sort(),
    has,
    read,
    source(file) {
      const text = read(file)
      if (text === null) return null
      const found = parsed.get(file)
      if (found?.text === text) return found.source
      const source = isComponent(file) ? parseComponent(file, text) : parseSource(file, text)
      parsed.set(file, { text, source })
      return source
    },
    write(file, text) {
      const inStyle = withLineBreaksOf(original(file) ?? text, text)
      if (read(file) !== inStyle) changed.set(file, inStyle)
    },
    remove: file => void changed.set(file, null),
    resolve: (from, module) => resolveModule(from, module, aliases, has),
    changes: () =>
      [...changed]
        .map(([file, after]) => ({ file, before: original(file), after }))
        .filter(({ before, after }) => before !== after),
  }
}

/** A file from Windows stays one: what was added has the line ends of the rest. */
function withLineBreaksOf(model: string, text: string): string {
  const isOfWindows = model.includes('\r\n') && (model === text || !/[^\r]\n/.test(model))
  return isOfWindows ? text.replaceAll(/\r?\n/g, '\r\n') : text
}

function isCode(file: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file) || isComponent(file)
}

/** How a file is imported from another, without its extension. */
export function relativeModule(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.[cm]?[jt]sx?$/, '')
  return path.startsWith('.') ? path : `./${path}`
}
