// The compiler can write the declarations of all packages at once without checking them, in two seconds. A build,
// which they would come from otherwise, takes ten.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { passProvidersOn } from './build.mjs'
import { listPackages, passesProvidersOn, ROOT, TSC_OPTIONS } from './workspace.mjs'

/**
 * Calls `use` with a folder that has the declarations of all packages, each in a folder of its own as after a
 * build, and answers what that does: a list of faults. Those of the compiler come instead.
 */
export function withDeclarations(use) {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // One for each caller, because the checks run beside the tests.
  const folder = mkdtempSync(join(cache, 'declarations-'))
  try {
    const faults = declare(folder)
    return faults.length > 0 ? faults : use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function declare(folder) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...['-p', 'tsconfig.declarations.json', '--outDir', folder, ...TSC_OPTIONS],
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) return [`${stdout}${stderr}`]
  for (const pkg of listPackages()) {
    const dist = join(folder, pkg.folder, 'dist')
    renameSync(join(folder, pkg.folder, 'src'), dist)
    if (passesProvidersOn(pkg)) passProvidersOn(dist, ROOT)
  }
  return []
}
