import { resolve } from 'node:path'
import type { World } from '../world.ts'
import { readText, writeText } from './files.ts'

/** What became of a file that was to be written. */
export type Written = 'written' | 'unchanged' | 'kept'

/** Writes a file, unless another is in its place and nobody says that it may be replaced. */
export async function writeNew(
  { cwd, asker }: World,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Written> {
  const existing = readText(resolve(cwd, path))
  if (existing === text) return 'unchanged'
  if (existing !== null && existing.trim() !== '') {
    const isWanted = await asker?.confirm(`${path} exists. Replace it?`)
    if (!isWanted) return 'kept'
  }
  writeText(resolve(cwd, path), text)
  return 'written'
}
