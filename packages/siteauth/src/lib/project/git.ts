import type { World } from '../world.ts'

/** Whether Git leaves a file out; null where there is no repository, or no Git. */
export async function isIgnoredByGit(
  { start, cwd }: Pick<World, 'start' | 'cwd'>,
  file: string,
): Promise<boolean | null> {
  const { status } = await start(['git', 'check-ignore', '--quiet', file], cwd)
  return status === 0 ? true : status === 1 ? false : null
}

/** Whether a file is in the repository. */
export async function isTrackedByGit(
  { start, cwd }: Pick<World, 'start' | 'cwd'>,
  file: string,
): Promise<boolean> {
  const { status } = await start(['git', 'ls-files', '--error-unmatch', file], cwd)
  return status === 0
}

/** Whether files differ from what was committed; false where there is no repository, or no Git. */
export async function hasUncommitted({
  start,
  cwd,
}: Pick<World, 'start' | 'cwd'>): Promise<boolean> {
  const { status, output } = await start(['git', 'status', '--porcelain', '--', '.'], cwd)
  return status === 0 && output.trim() !== ''
}
