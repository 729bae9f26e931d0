import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const core = fileURLToPath(new URL('../..', import.meta.url))
const isBuilt = existsSync(join(core, 'dist/index.js'))

const application = `
  import { createAuth } from '@siteauth/core'
  import Passkey from '@siteauth/core/providers/passkey'

  const adapter = new Proxy({}, { get: () => () => null })
  const { handle } = createAuth({
    secret: 'a test secret that is long enough!',
    trustHost: true,
    adapter,
    session: { strategy: 'jwt' },
    providers: [Passkey],
    experimental: { enableWebAuthn: true },
    logger: { warn() {}, error: error => console.log(error.type, '-', error.message) },
  })
  const page = await handle(new Request('http://localhost/auth/session'))
  console.log(page.status)
  const options = await handle(new Request('http://localhost/auth/webauthn-options/passkey'))
  console.log(options.status, options.headers.get('location'))
`

// What is published is tested, so there must be a build: npm test makes one.
describe.skipIf(!isBuilt)('an application without the packages for passkeys', () => {
  it('runs, and says which two to install when somebody uses a passkey', async () => {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'without-packages-'))
    try {
      install(folder)
      writeFileSync(join(folder, 'application.mjs'), application)
      const run = promisify(execFile)(process.execPath, ['application.mjs'], { cwd: folder })
      expect((await run).stdout.trim().split('\n')).toEqual([
        '200',
        'InvalidConfiguration - Passkeys need the @simplewebauthn/server package on the server, and ' +
          '@simplewebauthn/browser for your own pages: ' +
          'npm install @simplewebauthn/server@14 @simplewebauthn/browser@14',
        '302 http://localhost/auth/error?error=Configuration',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Our package and what it depends on, as npm installs them: without the optional peers. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules')
  const { resolve } = createRequire(join(core, 'package.json'))
  const own = join(modules, '@siteauth/core')
  mkdirSync(own, { recursive: true })
  for (const part of ['package.json', 'dist']) {
    cpSync(join(core, part), join(own, part), { recursive: true })
  }
  for (const name of ['cookie', 'oauth4webapi']) {
    const entry = resolve(name)
    const root = entry.slice(0, entry.lastIndexOf(join('node_modules', name)))
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  }
}
