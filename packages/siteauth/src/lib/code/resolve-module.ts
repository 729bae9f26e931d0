import { posix } from 'node:path'
import type { Aliases } from './aliases.ts'

const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts']

/** The file of a project that a module names, as seen from another; null if it is of a package. */
export function resolveModule(
  from: string,
  module: string,
  aliases: Aliases,
  has: (file: string) => boolean,
): string | null {
  const bases = module.startsWith('.') ? [posix.join(posix.dirname(from), module)] : aliases(module)
  const candidates = bases
    // TypeScript may be imported under the name of the JavaScript it becomes.
    .flatMap(base => [base, base.replace(/\.([cm]?)js$/, '.$1ts'), `${base}/index`])
    .flatMap(stem => EXTENSIONS.map(extension => stem + extension))
  return candidates.find(has) ?? null
}
