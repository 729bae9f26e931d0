import { expect, it } from 'vitest'
import { apiPages } from './api-docs.mjs'
import { makeWorkspace } from './fixture.ts'

const exports = { '.': { types: './dist/index.d.ts' }, './more': { types: './dist/more.d.ts' } }

/** The pages of a package that has these declarations. */
function pages(index: string) {
  const root = makeWorkspace({
    'core/package.json': { name: '@siteauth/core', exports },
    'core/dist/index.d.ts': index,
    'core/dist/more.d.ts': `export * from '@siteauth/core'`,
  })
  const { pages, faults } = apiPages(root)
  return { texts: Object.fromEntries(pages.map(({ file, text }) => [file, text])), faults }
}

it('says of every export what its comment says, with its examples and what it is declared as', () => {
  const { texts, faults } = pages(`
    /**
     * Adds two numbers. Slowly.
     *
     * @deprecated Use \`sum\`.
     * @example
     * \`\`\`ts
     * add(1, 2)
     * \`\`\`
     */
    export declare function add(a: number, b: number): number;
    /** A pair, see {@link add}. */
    export interface Pair {
      /** The left one. */
      left: string;
    }`)
  expect(faults).toEqual([])
  expect(texts['core.md']).toContain('| [`add`](#add) | function | Adds two numbers. |')
  expect(texts['core.md']).toContain('> **Deprecated.** Use `sum`.')
  expect(texts['core.md']).toContain('function add(a: number, b: number): number;')
  expect(texts['core.md']).toContain('Example:\n\n```ts\nadd(1, 2)\n```')
  expect(texts['core.md']).toContain('A pair, see `add`.')
  expect(texts['core.md']).toContain('/** The left one. */')
})

it('leads to every entry, also to one that only passes others on', () => {
  const { texts } = pages('/** One. */\nexport declare const one = 1;')
  expect(texts['index.md']).toContain('[`@siteauth/core`](core.md)')
  expect(texts['index.md']).toContain('[`@siteauth/core/more`](core-more.md)')
  expect(texts['core-more.md']).toBe('# @siteauth/core/more\n\nEverything from `@siteauth/core`.\n')
})

it('finds an export that nobody could understand', () => {
  const { faults } = pages('export declare const silent = 1;')
  expect(faults).toEqual(['silent of @siteauth/core has no comment that says what it is'])
})
