import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeWorkspace } from './fixture.ts'
import { sourcesOf } from './sources.mjs'
import { listPackages } from './workspace.mjs'

it('finds the source of what a package exports, by name and by pattern', () => {
  const { find } = workspace()
  expect(find('@siteauth/core')).toEqual(['core/src/index.ts'])
  expect(find('@siteauth/core/providers/github')).toEqual(['core/src/providers/github.ts'])
})

it('finds the source that fits a runtime, or all of them', () => {
  const { find } = workspace()
  expect(find('#crypto')).toEqual(['core/src/lib/node.ts', 'core/src/lib/web.ts'])
  expect(find('#crypto', ['node'])[0]).toBe('core/src/lib/node.ts')
  expect(find('#crypto', ['edge-light'])).toEqual(['core/src/lib/web.ts'])
})

it('finds nothing where a package has no source of its own, or is somebody else’s', () => {
  const { find } = workspace()
  expect(find('@siteauth/core/providers/none')).toEqual([])
  expect(find('@siteauth/core/private')).toEqual([])
  expect(find('@siteauth/corepack')).toEqual([])
})

function workspace() {
  const root = makeWorkspace({
    'core/package.json': {
      name: '@siteauth/core',
      imports: { '#crypto': { node: './dist/lib/node.js', default: './dist/lib/web.js' } },
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './providers/*': { types: './dist/providers/*.d.ts', default: './dist/providers/*.js' },
      },
    },
    'core/src/index.ts': '',
    'core/src/private.ts': '',
    'core/src/lib/node.ts': '',
    'core/src/lib/web.ts': '',
    'core/src/providers/github.ts': '',
  })
  const packages = listPackages(root)
  const within = join(root, 'packages/')
  return {
    find: (specifier: string, conditions?: string[]): string[] =>
      sourcesOf(specifier, packages[0], packages, conditions).map((path: string) =>
        path.slice(within.length),
      ),
  }
}
