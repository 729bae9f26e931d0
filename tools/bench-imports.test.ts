import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const BENCH = join(ROOT, 'bench')

/** The scripts of the benchmarks, without the applications that they build. */
const SCRIPTS = ['.', 'lib', 'servers', 'before-after'].flatMap(folder =>
  readdirSync(join(BENCH, folder))
    .filter(name => name.endsWith('.mjs'))
    .map(name => join(BENCH, folder, name)),
)

/** What a script imports of this repository, as `{ names, file }`. */
function ownImports(script: string) {
  const text = readFileSync(script, 'utf8')
  const imports = text.matchAll(/^import\s+(?:\{([^}]*)\}\s+from\s+)?'(\.[^']+)'/gm)
  return [...imports].map(([, names = '', path = '']) => ({
    names: names.split(',').flatMap(name => name.trim().split(' as ')[0] || []),
    // What is measured is built, and may not be built here.
    file: join(dirname(script), path).replace(/\/dist\/(.*)\.js$/, '/src/$1.ts'),
  }))
}

it('the benchmarks import what exists', () => {
  const faults = SCRIPTS.flatMap(script =>
    ownImports(script).flatMap(({ names, file }) => {
      const where = `${relative(ROOT, script)} imports`
      if (!existsSync(file)) return [`${where} ${relative(ROOT, file)}, which does not exist`]
      const source = readFileSync(file, 'utf8')
      const isExported = (name: string) =>
        new RegExp(`^export .*\\b${name}\\b|^export \\{[^}]*\\b${name}\\b`, 'm').test(source)
      return names
        .filter(name => !isExported(name))
        .map(name => `${where} ${name}, which ${file} lacks`)
    }),
  )
  expect(faults).toEqual([])
})

it('the benchmarks bundle sources that exist', () => {
  const sources = join(ROOT, 'packages/core/src/lib')
  const named = SCRIPTS.flatMap(script =>
    [...readFileSync(script, 'utf8').matchAll(/'(\.[^']+\.ts)'/g)].map(([, path = '']) => path),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(path => !existsSync(join(sources, path)))).toEqual([])
})

it('each benchmark is in the list of what is measured', () => {
  const readme = readFileSync(join(BENCH, 'README.md'), 'utf8')
  const names = readdirSync(BENCH)
    .filter(name => name.endsWith('.mjs') && name !== 'run.mjs')
    .map(name => name.replace('.mjs', ''))
  expect(names.filter(name => !readme.includes(`| ${name} |`))).toEqual([])
})
