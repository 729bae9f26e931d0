import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const KEPT = join(ROOT, 'node_modules/.cache/next-builds')

/** What was built before from the same files and packages, in the same way: it would be the same again. */
export interface KeptBuild {
  /** Puts it into the folder. Answers whether there was one. */
  restore(): boolean
  /** Keeps what is in the folder now, in place of what the same application was before. */
  keep(): void
}

/** @param how whatever else decides what is built: the version of Next, variables, options */
export function keptBuild(folder: string, how: unknown): KeptBuild {
  const application = hashOf([folder, how, ...contentsOf(folder)])
  const packages = hashOf([
    process.version,
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
    ...['core', 'client', 'next', 'react', 'adapters'].flatMap(name =>
      contentsOf(join(ROOT, 'packages', name, 'dist')),
    ),
  ])
  const place = join(KEPT, application)
  const [output, kept, stamp] = [
    join(folder, '.next'),
    join(place, 'next'),
    join(place, 'packages'),
  ]
  return {
    restore() {
      if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== packages) return false
      cpSync(kept, output, { recursive: true })
      return true
    },
    keep() {
      rmSync(place, { recursive: true, force: true })
      mkdirSync(place, { recursive: true })
      cpSync(output, kept, { recursive: true, filter: path => path !== join(output, 'cache') })
      writeFileSync(stamp, packages) // the last: without it there is nothing
    },
  }
}

/** Names and texts of the sources below a folder. */
function contentsOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/[/\\]\.next([/\\]|$)/.test(entry.parentPath))
    .filter(({ name }) => name !== 'next-env.d.ts')
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .flatMap(path => [path, readFileSync(path, 'base64')])
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
