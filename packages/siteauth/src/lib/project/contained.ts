import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { CommandError } from '../environment.ts'

/** A file that a command writes or removes. */
export interface PathInProject {
  /** The project. */
  readonly folder: string
  /** Relative to the project. */
  readonly file: string
  /** The person who started the command named the file, which may therefore be anywhere. */
  readonly isNamed?: boolean
}

/**
 * Where a file really is, with every link on the way followed. A project from elsewhere can have links to any
 * file of this machine, so the answer is within the project, or this fails.
 */
export function pathWithin({ folder, file, isNamed = false }: PathInProject): string {
  const path = resolve(folder, file)
  const isOutside = !isWithin(resolve(folder), path)
  if (isOutside && !isNamed) throw new CommandError(`${file} is not in this project.`)
  const root = isOutside ? dirname(path) : folder
  const real = realPath(path)
  if (isWithin(realPath(root), real)) return real
  throw new CommandError(
    `${file} was left as it is: a link leads out of the project, to ${real}. ` +
      'Replace the link by a file, or name a folder that has both with --cwd.',
  )
}

/** Whether a link on the way to a file leads out of the project. */
export function leadsOutside(folder: string, file: string): boolean {
  return !isWithin(realPath(folder), realPath(resolve(folder, file)))
}

/** Whether a path is that of a folder, or of something in it. */
function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path)
  // On another drive of Windows, there is no relative path.
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}

// As many as Linux follows.
const MAX_LINKS = 40

/** A path with all links followed, also of something that does not exist yet. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const { code } = Object(error) as { code?: unknown } // anything can be thrown
    if (code !== 'ENOENT' || dirname(path) === path || links > MAX_LINKS) throw error
  }
  const place = join(realPath(dirname(path), links), basename(path))
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (!found?.isSymbolicLink()) return place
  return realPath(resolve(dirname(place), readlinkSync(place)), links + 1)
}
