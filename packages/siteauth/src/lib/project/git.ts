import type { ProgramResult, World } from '../environment.ts'

type Place = Pick<World, 'start' | 'cwd'>

/** A repository from elsewhere may configure programs for Git to start, even if Git is only asked something. */
const START_NOTHING = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'safe.bareRepository=explicit'],
]

/** What a repository lacks could be fetched, by a program that it names as well. */
const FETCH_NOTHING = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' }

function askGit({ start, cwd }: Place, ...args: readonly string[]): Promise<ProgramResult> {
  return start(['git', ...START_NOTHING, ...args], cwd, FETCH_NOTHING)
}

/** Whether Git leaves a file out; null where there is no repository, or no Git. */
export async function isIgnoredByGit(world: Place, file: string): Promise<boolean | null> {
  const { status } = await askGit(world, 'check-ignore', '--quiet', file)
  return status === 0 ? true : status === 1 ? false : null
}

/** Whether a file is in the repository. */
export async function isTrackedByGit(world: Place, file: string): Promise<boolean> {
  const { status } = await askGit(world, 'ls-files', '--error-unmatch', file)
  return status === 0
}

/** Whether files differ from what was committed; false where there is no repository, or no Git. */
export async function hasUncommitted(world: Place): Promise<boolean> {
  const { status, output } = await askGit(world, 'status', '--porcelain', '--', '.')
  return status === 0 && output.trim() !== ''
}
