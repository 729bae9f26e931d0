import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Checks out a commit of this repository into a folder of its own, and builds it with the packages that are installed here. */
export function checkOut(root, commit) {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-before-'))
  const remove = () => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    run('git', ['worktree', 'add', '--force', '--detach', folder, commit], root)
    linkModules(root, folder)
    run(process.execPath, [join(folder, 'tools/build.mjs')], folder)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Everything that is installed, but for our own packages, which are those of the commit. */
function linkModules(root, folder) {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@siteauth'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!['@siteauth', 'siteauth', '.cache'].includes(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    const own = join(folder, 'packages', name)
    const { name: published } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
    symlinkSync(own, join(modules, published))
    const nested = join(root, 'packages', name, 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(own, 'node_modules'))
  }
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
}
