import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** What packages ask for that work beside `@auth/core`, such as adapters. */
const ASKED = '>=0.35.0'

function folderWith(manifests: Readonly<Record<string, object>>): string {
  const root = mkdtempSync(join(tmpdir(), 'stand-in-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [folder, each] of Object.entries(manifests)) {
    mkdirSync(join(root, folder))
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ version: '1.0.0', ...each }))
  }
  return root
}

it.each([
  ['as an alias', {}],
  ['by overrides', { overrides: { '@auth/core': '$@auth/core' } }],
])('npm takes this package for @auth/core, %s', async (_, more) => {
  const { name, version, peerDependencies, peerDependenciesMeta } = manifest
  const root = folderWith({
    core: { name, version, peerDependencies, peerDependenciesMeta },
    adapter: { name: 'some-adapter', peerDependencies: { '@auth/core': ASKED } },
    application: {
      name: 'application',
      dependencies: { '@auth/core': 'file:../core', 'some-adapter': 'file:../adapter' },
      ...more,
    },
  })
  const options = ['--offline', '--install-links', '--no-audit', '--no-fund', '--loglevel=error']
  const settings = { cwd: join(root, 'application') }
  // A package whose version does not fit what another asks for ends this with ERESOLVE.
  await promisify(execFile)('npm', ['install', ...options], settings)
  const installed = join(settings.cwd, 'node_modules/@auth/core/package.json')
  expect(JSON.parse(readFileSync(installed, 'utf8'))).toMatchObject({ name, version })
})
