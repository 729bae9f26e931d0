import { describe, expect, it } from 'vitest'
import { compareNames, namesInReports } from './public-names.mjs'

const report = (entries: Record<string, readonly string[]>) =>
  `# Public API\n\n## Entries\n\n${Object.entries(entries)
    .map(([entry, lines]) => `### ${entry}\n\n${lines.map(line => `- ${line}`).join('\n')}\n`)
    .join('\n')}\n## Declarations\n\n### lib/a\n\n- Not: an export\n`

describe('the number of public names', () => {
  it('counts what an entry exports, and what it passes on', () => {
    const names = namesInReports([
      report({ '@siteauth/vue': ['everything from @siteauth/client', 'useA: function useA in a'] }),
      report({
        '@siteauth/client': ['a: const a in lib/a', 'B: B from @siteauth/core, as a type only'],
      }),
    ])
    expect(names.get('@siteauth/vue')).toEqual(new Set(['a', 'B', 'useA']))
    expect([...names.keys()]).toEqual(['@siteauth/vue', '@siteauth/client'])
  })

  it('lists entries that changed, with those that are new or gone, and all of core', () => {
    const before = new Map([
      ['@siteauth/core', new Set(['a'])],
      ['@siteauth/next', new Set(['a'])],
      ['@siteauth/vue', new Set(['a'])],
      ['@siteauth/nuxt/h3', new Set(['a'])],
    ])
    const now = new Map([
      ['@siteauth/core', new Set(['b'])],
      ['@siteauth/next', new Set(['a', 'b'])],
      ['@siteauth/vue', new Set(['b'])],
      ['@siteauth/nuxt/server', new Set(['a'])],
    ])
    expect(compareNames(before, now)).toEqual([
      { entry: '@siteauth/core', before: 1, now: 1 },
      { entry: '@siteauth/next', before: 1, now: 2 },
      { entry: '@siteauth/nuxt/h3', before: 1, now: 0 },
      { entry: '@siteauth/nuxt/server', before: 0, now: 1 },
    ])
  })
})
