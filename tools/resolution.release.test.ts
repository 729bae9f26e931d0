import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listPackages, ROOT } from './workspace.mjs'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
// It has dropped the oldest way to find declarations. The version before knows it, and takes ten times as long.
const OLD_TSC = join(ROOT, 'fixtures/next15/node_modules/typescript/bin/tsc')
const isBuilt = existsSync(join(ROOT, 'packages/next/dist/index.d.ts'))

/** Everything that can be imported of any of the packages, with two members of what is a pattern. */
function entryPoints(): string[] {
  return listPackages()
    .filter(({ manifest }) => manifest.exports && !manifest.private)
    .flatMap(({ manifest }) =>
      Object.keys(manifest.exports)
        .filter(key => key !== './package.json')
        .flatMap(key => ['github', 'credentials'].map(each => key.replace('*', each)))
        .map(key => manifest.name + key.slice(1)),
    )
    .filter((each, index, all) => all.indexOf(each) === index)
}

// No file of the application imports the modules that this one adds to.
const AUGMENTATIONS = `
declare module '@siteauth/next/jwt' { interface JWT { role: 'editor' } }
declare module '@siteauth/next' { interface Session { tenant: 'acme' } }
export {}
`

const USES = `
import { auth } from './auth.js'
export const tenant: Promise<'acme' | undefined> = auth().then(found => found?.tenant)
`

const AUTH = `
import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({
  providers: [],
  callbacks: {
    jwt({ token }) {
      const role: 'editor' = token.role
      return { ...token, role }
    },
    session: ({ session }) => session,
  },
})
`

/** What the compiler says about an application. */
async function compile(
  tsc: string,
  options: object,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'resolution-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const compilerOptions = {
    ...{ target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'] },
    ...{ strict: true, skipLibCheck: true, noEmit: true, ...options },
  }
  const all = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder])
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe.skipIf(!isBuilt)('What is published', () => {
  it.each([
    ['node10', OLD_TSC, { moduleResolution: 'node10', module: 'CommonJS' }],
    ['node16', TSC, { moduleResolution: 'node16', module: 'node16' }],
    ['nodenext', TSC, { moduleResolution: 'nodenext', module: 'nodenext' }],
    ['bundler', TSC, { moduleResolution: 'bundler', module: 'ESNext' }],
  ])('is found by the compiler, and can be added to, with %s', async (_, tsc, options) => {
    const imports = entryPoints().map((each, index) => `export * as m${index} from '${each}'`)
    expect(imports.length).toBeGreaterThan(30)
    const files = { 'all.ts': imports.join('\n'), 'added.ts': AUGMENTATIONS }
    expect(await compile(tsc, options, { ...files, 'auth.ts': AUTH, 'uses.ts': USES })).toBe('')
  })
})
