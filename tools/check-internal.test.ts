import { expect, it } from 'vitest'
import { checkInternal } from './check-internal.mjs'
import { makeWorkspace } from './fixture.ts'

it('accepts exact versions, and internal names that another package imports or passes on', () => {
  const host = `
    import { loadConfig } from '@siteauth/core/internal'
    import type { Reader } from '@siteauth/core/internal'
    export { customFetch } from '@siteauth/core/internal'`
  expect(check({ internal: ['loadConfig', 'type Reader', 'customFetch'], host })).toEqual([])
})

it('reports an internal name that no package imports', () => {
  expect(check({ internal: ['loadConfig'], host: '' })).toEqual([
    '@siteauth/core/internal exports loadConfig, which no package imports',
  ])
})

it('reports a version that another release would satisfy', () => {
  expect(check({ range: '^1.2.3' })).toEqual([
    'packages/hono/package.json: @siteauth/core must be 1.2.3, is ^1.2.3',
  ])
})

function check({ internal = [] as string[], host = '', range = '1.2.3' }) {
  const entry = { types: './dist/internal.d.ts', default: './dist/internal.js' }
  const root = makeWorkspace({
    'core/package.json': {
      name: '@siteauth/core',
      version: '1.2.3',
      exports: { './internal': entry },
    },
    'core/src/internal.ts': `export { ${internal.join(', ')} } from './lib/all.ts'`,
    'hono/package.json': {
      name: '@siteauth/hono',
      version: '1.2.3',
      dependencies: { '@siteauth/core': range },
    },
    'hono/src/index.ts': host,
  })
  return checkInternal(root)
}
