import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkApi } from './api-report.mjs'
import { makeWorkspace } from './fixture.ts'

const FILES = {
  'core/dist/index.d.ts': `
    export { createAuth, type AuthConfig as Config } from './lib/auth.js';
    export type { AuthError } from './lib/errors.js';
    export type { Client } from 'oauth4webapi';
    export * from './lib/model.js';`,
  'core/dist/providers/github.d.ts': `export default function github(): import('../lib/model.js').User;`,
  'core/dist/lib/auth.d.ts': `
    import type { User } from './model.js';
    /** Not part of the report. */
    interface Shared { user: User /* nor this */; site: 'https://example.com' }
    export interface AuthConfig extends Shared { unused: string }
    export interface unused { secret: never }
    export declare function createAuth(unused: AuthConfig): void;
    export declare function createAuth(config: AuthConfig, more: string): void;`,
  'core/dist/lib/errors.d.ts': `export declare class AuthError extends Error {}`,
  'core/dist/lib/model.d.ts': `
    export interface User { id: string }
    declare module '@siteauth/core/jwt' { interface JWT { id: string } }`,
}

it('shows every public name and the declarations it leads to, once and without comments', () => {
  const root = workspace()
  expect(checkApi(root, { update: true })).toEqual([])
  expect(readReport(root)).toMatchInlineSnapshot(`
    "# Public API of @siteauth/core

    Written by \`npm run api\` from the declarations. Review its diff; do not edit it.

    ## Entries

    ### @siteauth/core

    - AuthError: class AuthError in lib/errors, as a type only
    - Client: Client from oauth4webapi, as a type only
    - Config: interface AuthConfig in lib/auth
    - User: interface User in lib/model
    - createAuth: function createAuth in lib/auth

    ## Declarations

    ### lib/auth

    \`\`\`ts
    export interface AuthConfig extends Shared { unused: string }

    interface Shared { user: User ; site: 'https://example.com' }

    export declare function createAuth(unused: AuthConfig): void;

    export declare function createAuth(config: AuthConfig, more: string): void;
    \`\`\`

    ### lib/errors

    \`\`\`ts
    export declare class AuthError extends Error {}
    \`\`\`

    ### lib/model

    \`\`\`ts
    export interface User { id: string }

    declare module '@siteauth/core/jwt' { interface JWT { id: string } }
    \`\`\`
    "
  `)
})

it('has a report of the providers, which says nothing twice', () => {
  const root = workspace()
  checkApi(root, { update: true })
  expect(readReport(root, 'providers.api.md')).toMatchInlineSnapshot(`
    "# Providers of @siteauth/core

    Written by \`npm run api\` from the declarations. Review its diff; do not edit it.

    ## Entries

    ### @siteauth/core/providers/github

    - default: function github in providers/github

    ## Declarations

    ### providers/github

    \`\`\`ts
    export default function github(): import('../lib/model.js').User;
    \`\`\`
    "
  `)
})

it('is silent while nothing public changes', () => {
  const root = workspace()
  checkApi(root, { update: true })
  edit(root, 'lib/auth.d.ts', 'secret: never', 'secret: unknown')
  expect(checkApi(root)).toEqual([])
})

it('shows the difference and the cure when a public type changes', () => {
  const root = workspace()
  checkApi(root, { update: true })
  edit(root, 'lib/model.d.ts', 'id: string }', 'id: number }')
  const [problem] = checkApi(root)
  expect(problem).toContain('packages/core/core.api.md is out of date. Cure: npm run api')
  expect(problem).toContain('\n-export interface User { id: string }')
  expect(problem).toContain('\n+export interface User { id: number }')
})

it('asks for a build when there is none', () => {
  const root = makeWorkspace({ 'core/package.json': MANIFEST })
  expect(checkApi(root)).toEqual(['packages/core/dist/index.d.ts is missing. Cure: npm run build'])
})

const MANIFEST = {
  name: '@siteauth/core',
  exports: {
    '.': { types: './dist/index.d.ts' },
    './providers/*': { types: './dist/providers/*.d.ts' },
  },
}

function workspace() {
  return makeWorkspace({ 'core/package.json': MANIFEST, ...FILES })
}

function readReport(root: string, file = 'core.api.md') {
  return readFileSync(join(root, 'packages/core', file), 'utf8')
}

function edit(root: string, file: string, from: string, to: string) {
  const path = join(root, 'packages/core/dist', file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}
