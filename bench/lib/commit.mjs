import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Which commit was measured, for a table. */
export function commitText() {
  const git = (...words) =>
    spawnSync('git', words, { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' })
  const { stdout } = git('rev-parse', '--short=8', 'HEAD')
  const { status } = git('diff', '--quiet', 'HEAD', '--', '../../packages')
  return `Commit ${stdout.trim()}${status === 0 ? '' : ', with changes in packages/ that are not committed'}.`
}
