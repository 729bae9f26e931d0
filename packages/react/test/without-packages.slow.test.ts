import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const isBuilt = existsSync(join(folder, 'dist/webauthn.js'))

// What is published is tested, so there must be a build: npm test makes one.
describe.skipIf(!isBuilt)('a page without the package for passkeys', () => {
  it('is told which two to install', async () => {
    const project = mkdtempSync(join(realpathSync(tmpdir()), 'without-packages-'))
    try {
      for (const name of ['react', 'client']) {
        const own = join(project, 'node_modules/@siteauth', name)
        mkdirSync(own, { recursive: true })
        for (const part of ['package.json', 'dist']) {
          cpSync(join(folder, '..', name, part), join(own, part), { recursive: true })
        }
      }
      const code = `import { signIn } from '@siteauth/react/webauthn'
        signIn('passkey').catch(error => console.log(error.message))`
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
        cwd: project,
      })
      expect((await run).stdout.trim()).toBe(
        'Passkeys need two packages: npm install @simplewebauthn/browser@14 @simplewebauthn/server@14',
      )
    } finally {
      rmSync(project, { recursive: true })
    }
  })
})
