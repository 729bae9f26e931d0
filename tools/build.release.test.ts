import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { build } from './build.mjs'
import { makeWorkspace } from './fixture.ts'

it('names compiled modules in declarations too, and only there', () => {
  const dist = built({
    'model.ts': `/** A visitor’s café ☕ name. */\nexport type Name = string`,
    'index.ts': [
      `/** Import it from './mine.ts'. ☕ */`,
      `export type { Name } from './model.ts'`,
      `export const other: import('./model.ts').Name = 'é'`,
    ].join('\n'),
  })
  const declarations = readFileSync(join(dist, 'index.d.ts'), 'utf8')
  expect(declarations).toContain(`Import it from './mine.ts'. ☕`)
  expect(declarations).toContain(`export type { Name } from './model.js';`)
  expect(declarations).toContain(`other: import('./model.js').Name`)
})

it('removes what no source makes any more', () => {
  const dist = built({ 'index.ts': `export const one = 1`, '../dist/old.js': '' })
  expect(existsSync(join(dist, 'old.js'))).toBe(false)
  expect(existsSync(join(dist, 'index.js'))).toBe(true)
})

it('leaves dist alone when the sources do not compile', () => {
  const root = workspace({ 'index.ts': `export const one = 1` })
  expect(build(root)).toEqual([])
  writeFileSync(join(root, 'packages/core/src/index.ts'), `export const one: string = 1`)
  expect(build(root)).toEqual([expect.stringContaining('src/index.ts(1,14): error TS2322')])
  expect(readFileSync(join(root, 'packages/core/dist/index.js'), 'utf8')).toContain('one = 1')
})

it('adds the page that errors point to, without links that would lead nowhere', () => {
  const root = workspace({ 'index.ts': `export const one = 1` })
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'docs/errors.md'), 'See [this](#x) and [that](guide/y.md#z).\n')
  expect(build(root)).toEqual([])
  const page = readFileSync(join(root, 'packages/core/dist/errors.md'), 'utf8')
  expect(page).toBe('See [this](#x) and that.\n')
})

it('gives a package that passes providers on a module for each of them', () => {
  const root = workspace({ 'providers/github.ts': 'export default 1' })
  const path = join(root, 'packages/next')
  mkdirSync(join(path, 'src'), { recursive: true })
  const manifest = {
    name: '@siteauth/next',
    type: 'module',
    exports: { './providers/*': {} },
    dependencies: { '@siteauth/core': '1' },
  }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(path, 'src/index.ts'), 'export {}')
  copyFileSync(join(root, 'packages/core/tsconfig.build.json'), join(path, 'tsconfig.build.json'))
  expect(build(root)).toEqual([])
  expect(build(root)).toEqual([])
  expect(readFileSync(join(path, 'dist/providers/github.js'), 'utf8')).toBe(
    [
      `export * from '@siteauth/core/providers/github'`,
      `export { default } from '@siteauth/core/providers/github'`,
      '',
    ].join('\n'),
  )
})

it('compiles a package after those that it uses', () => {
  const root = workspace({ 'index.ts': `export const one = 1` })
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  const core = { name: '@siteauth/core', type: 'module', exports }
  const dependencies = { '@siteauth/core': '1' }
  const adapters = { name: '@siteauth/adapters', type: 'module', dependencies }
  const path = join(root, 'packages/adapters')
  mkdirSync(join(path, 'src'), { recursive: true })
  mkdirSync(join(root, 'node_modules/@siteauth'), { recursive: true })
  symlinkSync(join(root, 'packages/core'), join(root, 'node_modules/@siteauth/core'))
  writeFileSync(join(root, 'packages/core/package.json'), JSON.stringify(core))
  writeFileSync(join(path, 'package.json'), JSON.stringify(adapters))
  writeFileSync(join(path, 'src/index.ts'), `export { one as uno } from '@siteauth/core'`)
  copyFileSync(join(root, 'packages/core/tsconfig.build.json'), join(path, 'tsconfig.build.json'))
  expect(build(root)).toEqual([])
})

function built(sources: Record<string, string>) {
  const root = workspace(sources)
  expect(build(root)).toEqual([])
  return join(root, 'packages/core/dist')
}

function workspace(sources: Record<string, string>) {
  const files = Object.entries(sources).map(([file, text]) => [`core/src/${file}`, text])
  return makeWorkspace({
    'core/package.json': { name: '@siteauth/core', type: 'module' },
    'core/tsconfig.build.json': {
      compilerOptions: {
        module: 'NodeNext',
        rewriteRelativeImportExtensions: true,
        declaration: true,
        rootDir: 'src',
        outDir: 'dist',
        types: [],
        // Or most of the time goes into what browsers have.
        lib: ['ES2022'],
        skipLibCheck: true,
      },
      include: ['src'],
    },
    ...Object.fromEntries(files),
  })
}

it('joins what is loaded together, and leaves what is loaded later on its own', async () => {
  const root = workspace({
    'index.ts': `export { one } from './lib/one.ts'\nexport const later = () => import('./lib/later.ts')`,
    'lib/one.ts': `import { two } from './lib-two.ts'\nexport const one = two - 1`,
    'lib/lib-two.ts': `export const two: number = 2`,
    'lib/later.ts': `import { two } from './lib-two.ts'\nexport const four: number = two * 2`,
  })
  const path = join(root, 'packages/core')
  const manifest = { name: '@siteauth/core', type: 'module', exports: { '.': './dist/index.js' } }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  expect(build(root)).toEqual([])
  const joined = readdirSync(join(path, 'dist/lib')).filter(file => file.endsWith('.js'))
  expect(joined.sort()).toEqual(['index-parts.js', 'later.js'])
  const made = await import(join(path, 'dist/index.js'))
  expect(made.one).toBe(1)
  expect((await made.later()).four).toBe(4)
})
