import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const packages = ['core', 'adapters', 'express', 'client', 'react', 'next'].map(name =>
  join(root, 'packages', name),
)

/** Compiles the packages of this repository where that is not done. From npm they come compiled. */
export function compilePackages() {
  if (packages.every(isCompiled)) return
  console.log('  Compiling the packages; this takes a few seconds.')
  const { status } = spawnSync(process.execPath, [join(root, 'tools/build.mjs')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

function isCompiled(path) {
  return existsSync(join(path, 'dist')) && newest(join(path, 'src')) < newest(join(path, 'dist'))
}

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { recursive: true }).map(file => statSync(join(folder, file)).mtimeMs),
  )
}
