import { expect, it } from 'vitest'
import { checkLayers } from './check-layers.mjs'
import { makeWorkspace } from './fixture.ts'

it('accepts imports that point down or stay in their folder', () => {
  const root = workspace({
    'core/src/index.ts': `export { handle } from './lib/endpoints/handle-request.ts'`,
    'core/src/lib/endpoints/handle-request.ts': `import { seal } from '../crypto/seal.ts'\nexport const handle = seal`,
    'core/src/lib/crypto/seal.ts': `export { open as seal } from './open.ts'`,
    'core/src/lib/crypto/open.ts': `import type { User } from '../base/model.ts'\nexport let open: User`,
    'core/src/lib/base/model.ts': `export interface User { id: string }`,
    'next/src/index.ts': `export { handle } from '@siteauth/core'`,
  })
  expect(checkLayers(root)).toEqual([])
})

it.each([
  ['an import of a value', `import { handle } from '../endpoints/handle-request.ts'`],
  ['an import of a type', `import type { handle } from '../endpoints/handle-request.ts'`],
  [
    'a type named in place',
    `export type Handle = typeof import('../endpoints/handle-request.ts').handle`,
  ],
  ['a re-export', `export * from '../endpoints/handle-request.ts'`],
  ['a dynamic import', `export const load = () => import('../endpoints/handle-request.ts')`],
])('refuses %s that points up', (_, code) => {
  const root = workspace({
    'core/src/lib/session/store.ts': code,
    'core/src/lib/endpoints/handle-request.ts': `export const handle = 1`,
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/session/store.ts: imports lib/endpoints/handle-request.ts, which is above it (layer 4 → 9)',
  ])
})

it('refuses an import between two capabilities', () => {
  const root = workspace({
    'core/src/lib/oauth/provider/server.ts': `import '../../session/store.ts'`,
    'core/src/lib/session/store.ts': ``,
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/oauth/provider/server.ts: imports lib/session/store.ts, but src/lib/oauth/provider and src/lib/session know nothing of each other',
  ])
})

it('refuses a folder with more than 20 files, tests and tables of data apart', () => {
  const files = (folder: string, count: number, end = '.ts') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/file-${at}${end}`, '']))
  const root = workspace({
    ...files('core/src/lib/session', 21),
    ...files('core/src/lib/crypto', 20),
    ...files('core/src/lib/crypto', 20, '.test.ts'),
    ...files('core/src/lib/translations', 30),
    ...files('next/src/lib', 22),
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/session: 21 files; split it, 20 are the most',
    'packages/next/src/lib: 22 files; split it, 20 are the most',
  ])
})

it.each([
  ['the store of sessions in cookies', 'lib/session/jwt/jwt-store.ts'],
  ['what chooses the store', 'lib/config/scheme.ts'],
  ['the state of credentials', 'lib/principal/credentials-state.ts'],
  ['what finds the session cookie', 'lib/http/find-session-cookie.ts'],
])('refuses a flow that imports %s', (_, module) => {
  const flow = 'core/src/lib/flows/account/list.ts'
  const root = workspace({
    [flow]: `import '../../${module.slice(4)}'`,
    [`core/src/${module}`]: ``,
  })
  expect(checkLayers(root)).toEqual([
    expect.stringMatching(`^packages/${flow}: imports ${module}, which only .+ may import\\.`),
  ])
})

it('keeps the parts of a feature in order', () => {
  const root = workspace({
    'core/src/lib/flows/cookies/hint.ts': `import '../sign-in/complete.ts'`,
    'core/src/lib/flows/sign-in/complete.ts': `import '../request/incoming.ts'\nimport '../sign-out/end.ts'`,
    'core/src/lib/flows/sign-out/end.ts': ``,
    'core/src/lib/flows/request/incoming.ts': ``,
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/flows/cookies/hint.ts: imports lib/flows/sign-in/complete.ts, which is above it in lib/flows/request',
    'packages/core/src/lib/flows/sign-in/complete.ts: imports lib/flows/sign-out/end.ts, but src/lib/flows/sign-in and src/lib/flows/sign-out know nothing of each other',
  ])
})

it('lets a provider see lib/providers and the two lowest layers', () => {
  const root = workspace({
    'core/src/providers/github.ts': `import '../lib/providers/define.ts'\nimport '../lib/http/cookies.ts'`,
    'core/src/lib/providers/define.ts': ``,
    'core/src/lib/http/cookies.ts': ``,
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/providers/github.ts: imports lib/http/cookies.ts, but a provider imports only lib/providers, lib/branding and lib/base',
  ])
})

it('refuses a cycle, also one made of types', () => {
  const root = workspace({
    'core/src/lib/http/a.ts': `import type { B } from './b.ts'\nexport type A = B`,
    'core/src/lib/http/b.ts': `import type { A } from './a.ts'\nexport type B = A`,
  })
  expect(checkLayers(root)).toEqual([
    'cycle: packages/core/src/lib/http/a.ts → packages/core/src/lib/http/b.ts → packages/core/src/lib/http/a.ts',
  ])
})

it('follows a "#" import to the file of every runtime', () => {
  const root = workspace({
    'core/src/lib/http/origin.ts': `import '#crypto'`,
    'core/src/lib/crypto/web.ts': ``,
  })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/http/origin.ts: imports lib/crypto/web.ts, but src/lib/http and src/lib/crypto know nothing of each other',
  ])
})

it('asks for a layer when a file is in a new place', () => {
  const root = workspace({ 'core/src/lib/utils/misc.ts': `` })
  expect(checkLayers(root)).toEqual([
    'packages/core/src/lib/utils/misc.ts: this place has no layer; add it to LAYERS in tools/layers.mjs',
  ])
})

it('keeps other packages to the public entries of core', () => {
  const root = workspace({
    'core/src/index.ts': ``,
    'core/src/lib/base/model.ts': ``,
    'next/src/index.ts': `import '@siteauth/core'\nimport '@siteauth/core/lib/model'\nimport '../../core/src/index.ts'`,
  })
  expect(checkLayers(root)).toEqual([
    `packages/next/src/index.ts: imports @siteauth/core/lib/model, which is not in @siteauth/core's exports`,
    `packages/next/src/index.ts: imports ../../core/src/index.ts, which is no file under its package's src`,
  ])
})

function workspace(files: Record<string, string>) {
  return makeWorkspace({
    'core/package.json': {
      name: '@siteauth/core',
      imports: {
        '#crypto': { node: './dist/lib/crypto/node.js', default: './dist/lib/crypto/web.js' },
      },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    },
    'next/package.json': { name: '@siteauth/next' },
    ...files,
  })
}
