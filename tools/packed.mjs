// `npm pack` takes seconds, and more than one check wants what it makes: this keeps it until something was built.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPackages, ROOT } from './workspace.mjs'

/**
 * Packs what would be published, as `npm publish` does, and answers the archives by the names of their packages.
 * Packs anew only when something was built since; those that ask at the same time may share the work.
 *
 * @returns {ReadonlyMap<string, string>}
 */
export function packPackages() {
  const packages = listPackages().filter(({ manifest }) => !manifest.private)
  const place = join(ROOT, 'node_modules/.cache/packed', stateOf(packages.map(({ path }) => path)))
  if (!existsSync(place)) pack(packages, place)
  return new Map(
    packages.map(({ name, manifest }) => {
      const file = `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
      return [name, join(place, file)]
    }),
  )
}

function pack(packages, place) {
  mkdirSync(dirname(place), { recursive: true })
  const made = mkdtempSync(`${place}-`)
  const workspaces = packages.flatMap(({ path }) => ['-w', path])
  execFileSync('npm', ['pack', '--silent', '--pack-destination', made, ...workspaces], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    renameSync(made, place)
  } catch (error) {
    rmSync(made, { recursive: true })
    // Another was first.
    if (!existsSync(place)) throw error
  }
}

/** Another text whenever what would be packed is another. */
function stateOf(folders) {
  const hash = createHash('sha256')
  for (const folder of folders) {
    if (!existsSync(join(folder, 'dist'))) throw new Error(`${folder} is not built: npm run build`)
    const built = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    for (const file of [...built, join(folder, 'package.json'), join(folder, 'README.md')].sort()) {
      const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
      hash.update(`${file} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packPackages()
