import { posix } from 'node:path'
import { listCode } from '../project/files.ts'
import { readSource, type Source } from './source.ts'

/** The code of a project, parsed when it is asked for. */
export interface Sources {
  readonly files: readonly string[]
  get(file: string): Source | null
  /** The file of the project that a module names, as seen from a file; null if it is of a package. */
  resolve(from: string, module: string): Source | null
}

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

export function readSources(folder: string): Sources {
  const files = listCode(folder)
  const known = new Set(files)
  const parsed = new Map<string, Source | null>()

  function get(file: string): Source | null {
    if (!parsed.has(file)) parsed.set(file, known.has(file) ? readSource(folder, file) : null)
    return parsed.get(file) ?? null
  }

  function resolve(from: string, module: string): Source | null {
    const bases = module.startsWith('.')
      ? [posix.join(posix.dirname(from), module)]
      : // What create-next-app sets up, and most of its users keep.
        /^[@~]\//.test(module)
        ? [module.slice(2), `src/${module.slice(2)}`]
        : []
    for (const base of bases) {
      // TypeScript may be imported under the name of the JavaScript it becomes.
      const stems = [base, base.replace(/\.([cm]?)js$/, '.$1ts'), `${base}/index`]
      const found = stems
        .flatMap(stem => ENDINGS.map(ending => stem + ending))
        .find(file => known.has(file))
      if (found) return get(found)
    }
    return null
  }

  return { files, get, resolve }
}
