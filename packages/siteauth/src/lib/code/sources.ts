import { listCode } from '../project/files.ts'
import { resolveModule } from './resolve-module.ts'
import { readSource, type Source } from './source.ts'

/** The code of a project, parsed when it is asked for. */
export interface Sources {
  readonly files: readonly string[]
  get(file: string): Source | null
  /** The file of the project that a module names, as seen from a file; null if it is of a package. */
  resolve(from: string, module: string): Source | null
}

export function readSources(folder: string): Sources {
  const files = listCode(folder)
  const known = new Set(files)
  const parsed = new Map<string, Source | null>()

  function get(file: string): Source | null {
    if (!parsed.has(file)) parsed.set(file, known.has(file) ? readSource(folder, file) : null)
    return parsed.get(file) ?? null
  }

  function resolve(from: string, module: string): Source | null {
    const file = resolveModule(from, module, each => known.has(each))
    return file === null ? null : get(file)
  }

  return { files, get, resolve }
}
