import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeRepository } from './fixture.ts'
import { listPackages, ROOT } from './workspace.mjs'

it('a release of changes for users is the next minor version of every package, and each needs the others at it', () => {
  const root = nextRelease()
  const [version, ...others] = new Set(listPackages(root).map(({ manifest }) => manifest.version))
  const [major, minor] = readVersion(ROOT).split('.').map(Number)
  expect([version, others]).toEqual([`${major}.${Number(minor) + 1}.0`, []])
  const ranges = listPackages(root).flatMap(({ manifest }) =>
    Object.entries({ ...manifest.dependencies }).filter(([name]) => name.startsWith('@siteauth/')),
  )
  expect(new Set(ranges.map(([, range]) => range))).toEqual(new Set([version]))
})

/** The packages as `changeset version` leaves them, in a repository with a change of each. */
function nextRelease(): string {
  const packages = listPackages()
  const change = packages.map(({ name }) => `'${name}': minor\n`).join('')
  const root = makeRepository({
    'package.json': readFileSync(join(ROOT, 'package.json'), 'utf8'),
    '.changeset/config.json': readFileSync(join(ROOT, '.changeset/config.json'), 'utf8'),
    '.changeset/change.md': `---\n${change}---\n\nA change.\n`,
  })
  for (const { folder, path } of packages) {
    cpSync(join(path, 'package.json'), join(root, 'packages', folder, 'package.json'))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  execFileSync('npx', ['changeset', 'version'], { cwd: root, stdio: 'pipe' })
  return root
}

function readVersion(root: string): string {
  return listPackages(root)[0]?.manifest.version
}
