import { resolve } from 'node:path'
import type { World } from '../environment.ts'
import { readText, writeText } from './files.ts'

/** What became of a file that was to be written. */
export type Written = 'written' | 'unchanged' | 'kept'

/** A file that a command would like to write. */
interface NewFile {
  readonly path: string
  readonly text: string
  /** The person who started the command named the path. */
  readonly isNamed?: boolean
}

/** Writes a file, unless another is in its place and nobody says that it may be replaced. */
export async function writeNew(
  { cwd, asker }: World,
  { path, text, isNamed }: NewFile,
): Promise<Written> {
  const existing = readText(resolve(cwd, path))
  if (existing === text) return 'unchanged'
  if (existing !== null && existing.trim() !== '') {
    const isWanted = await asker?.confirm(`${path} exists. Replace it?`)
    if (!isWanted) return 'kept'
  }
  writeText({ folder: cwd, file: path, text, ...(isNamed && { isNamed }) })
  return 'written'
}
