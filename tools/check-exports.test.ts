import { expect, it } from 'vitest'
import { checkExports } from './check-exports.mjs'
import { makeWorkspace } from './fixture.ts'

it('accepts a map that names every public file once', () => {
  const problems = check({
    exports: {
      '.': entry('index'),
      './jwt': entry('jwt'),
      './providers': entry('providers/index'),
      './providers/*': entry('providers/*'),
    },
    files: ['index.ts', 'jwt.ts', 'jwt.test.ts', 'providers/index.ts', 'providers/github.ts'],
  })
  expect(problems).toEqual([])
})

it('takes a command for a public file', () => {
  expect(check({ bin: { siteauth: './dist/main.js' }, files: ['main.ts'] })).toEqual([])
})

it('reports a public file that is not exported', () => {
  expect(check({ exports: { '.': entry('index') }, files: ['index.ts', 'jwt.ts'] })).toEqual([
    'src/jwt.ts is public but "./jwt" is not in exports; private code goes in src/lib',
  ])
})

it('reports an entry without a source', () => {
  const exports = { '.': entry('index'), './jwt': entry('jwt') }
  expect(check({ exports, files: ['index.ts'] })).toEqual(['"./jwt" has no source in src'])
})

it('takes two names for one file', () => {
  const exports = { '.': entry('index'), './jwt': entry('jwt'), './tokens': entry('jwt') }
  expect(check({ exports, files: ['index.ts', 'jwt.ts'] })).toEqual([])
})

it('reports an entry that leads to another file', () => {
  const exports = { '.': { ...entry('index'), types: './dist/types.d.ts' } }
  expect(check({ exports, files: ['index.ts'] })).toEqual([
    '"." types must be ./dist/index.d.ts, is ./dist/types.d.ts',
  ])
})

it('reports conditions that are missing or out of order', () => {
  const { default: code, ...rest } = entry('index')
  expect(check({ exports: { '.': { default: code, ...rest } }, files: ['index.ts'] })).toEqual([
    '"." must have types, default in that order, has default, types',
  ])
})

it('reports private code in the map', () => {
  const exports = { '.': entry('index'), './lib/*': entry('lib/*') }
  expect(check({ exports, files: ['index.ts', 'lib/model.ts'] })).toEqual([
    '"./lib/*" exports private code',
  ])
})

it('takes the providers that a package passes on as they are built', () => {
  const built = { types: './dist/providers/*.d.ts', default: './dist/providers/*.js' }
  const dependencies = { '@siteauth/core': '1' }
  const files = ['index.ts']
  const exports = { '.': entry('index'), './providers/*': built }
  expect(check({ exports, dependencies, files })).toEqual([])
  const wrong = { '.': entry('index'), './providers/*': { ...built, types: './dist/x.d.ts' } }
  expect(check({ exports: wrong, dependencies, files })).toEqual([
    `"./providers/*" must be ${JSON.stringify(built)}`,
  ])
})

function check({
  files,
  ...manifest
}: {
  files: string[]
  exports?: object
  bin?: object
  dependencies?: object
}) {
  const sources = files.map(file => [`core/src/${file}`, ''])
  const root = makeWorkspace({
    'core/package.json': { name: '@siteauth/core', ...manifest },
    ...Object.fromEntries(sources),
  })
  const where = 'packages/core/package.json: '
  return checkExports(root).map((problem: string) => problem.replace(where, ''))
}

function entry(path: string) {
  return {
    types: `./dist/${path}.d.ts`,
    default: `./dist/${path}.js`,
  }
}
