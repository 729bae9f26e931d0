import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages } from './packed.mjs'
import { ROOT } from './workspace.mjs'

const run = promisify(execFile)

/** The runtimes that are installed, and how each runs a program: npm run test:runtimes installs all of them. */
const RUNTIMES = [
  { title: 'Node', program: process.execPath, args: [] },
  { title: 'Bun', program: findProgram('bun'), args: ['run'] },
  { title: 'Deno', program: findProgram('deno'), args: ['run', '-A', '--node-modules-dir=manual'] },
].flatMap(({ program, ...rest }) => (program === undefined ? [] : [{ program, ...rest }]))

function findProgram(name: string): string | undefined {
  const installed = join(ROOT, 'conformance/runtimes/node_modules/.bin')
  return [installed, ...(process.env['PATH'] ?? '').split(delimiter)]
    .map(folder => join(folder, name))
    .find(file => existsSync(file))
}

// The short form of `npm run test:runtimes`, which puts a server through the whole suite on each.
describe('the packages as they are published sign in, read the session and sign out', () => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runtimes-'))
    cpSync(join(ROOT, 'conformance/aliases'), folder, { recursive: true })
    const packed = packPackages()
    await unpack(packed.get('@siteauth/core'), '@siteauth/core')
    await unpack(packed.get('@siteauth/core'), '@auth/core')
    await unpack(packed.get('@siteauth/testing'), '@siteauth/testing')
    const dependency = 'node_modules/oauth4webapi'
    symlinkSync(join(ROOT, dependency), join(folder, dependency))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function unpack(archive: string | undefined, name: string): Promise<void> {
    const place = join(folder, 'node_modules', name)
    mkdirSync(place, { recursive: true })
    await run('tar', ['-xzf', archive ?? '', '--strip-components=1', '-C', place])
  }

  for (const { title, program, args } of RUNTIMES) {
    it(`on ${title}`, async () => {
      const { stderr } = await run(program, [...args, 'auth-core.mjs'], { cwd: folder })
      expect(stderr).toBe('')
    })
  }
})
