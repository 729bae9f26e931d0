import { join } from 'node:path'
import { leadsOutside } from '../project/contained.ts'
import { listCode } from '../project/files.ts'
import { readAliases } from './aliases.ts'
import { resolveModule } from './resolve-module.ts'
import { parseSource, readCode, type Source } from './source.ts'

/** The code of a project, read and parsed when it is asked for. */
export interface Sources {
  readonly files: readonly string[]
  /** Takes far less time than to parse it. */
  text(file: string): string | null
  get(file: string): Source | null
  /** The file of the project that a module names, as seen from a file; null if it is of a package. */
  resolve(from: string, module: string): Source | null
}

/** @param followsLinks whether files count that are links out of the project: they are not the project's */
export function readSources(
  folder: string,
  { followsLinks = true }: { readonly followsLinks?: boolean } = {},
): Sources {
  const files = listCode(folder).filter(file => followsLinks || !leadsOutside(folder, file))
  const names = new Set(files)
  const texts = new Map<string, string | null>()
  const parsed = new Map<string, Source | null>()
  const aliases = readAliases(folder)

  function text(file: string): string | null {
    if (!texts.has(file)) texts.set(file, names.has(file) ? readCode(join(folder, file)) : null)
    return texts.get(file) ?? null
  }

  function get(file: string): Source | null {
    if (!parsed.has(file)) {
      const code = text(file)
      parsed.set(file, code === null ? null : parseSource(file, code))
    }
    return parsed.get(file) ?? null
  }

  function resolve(from: string, module: string): Source | null {
    const file = resolveModule(from, module, aliases, each => names.has(each))
    return file === null ? null : get(file)
  }

  return { files, text, get, resolve }
}
