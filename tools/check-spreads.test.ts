import { expect, it } from 'vitest'
import { checkSpreads } from './check-spreads.mjs'
import { makeWorkspace } from './fixture.ts'

it.each([
  ['a call', 'export const most = (list: number[]) => Math.max(0, ...list)', 'list'],
  ['a method', 'export const add = (all: string[], more: string[]) => all.push(...more)', 'more'],
  ['a constructor', 'export const made = (parts: string[]) => new Set(...parts)', 'parts'],
  ['an optional call', 'export const call = (f: any, all: any[]) => f?.(...all)', 'all'],
])('a list that is spread into the arguments of %s is reported', (_, text, list) => {
  expect(check(text)).toEqual([
    expect.stringContaining(`packages/core/src/lib/a.ts:2: ...${list} `),
  ])
})

it.each([
  ['a list that becomes another list', 'export const copy = (list: string[]) => [...list]'],
  ['arguments that are passed on', 'export const pass = (...given: any[]) => call(...given)'],
  [
    'arguments that an inner function passes on',
    'export const pass = (...given: any[]) => () => call(...given)',
  ],
])('%s is accepted', (_, text) => {
  expect(check(text)).toEqual([])
})

it('a list that is known to be short is accepted, and a reason that nothing needs is reported', () => {
  const text = 'export const most = (list: number[]) => Math.max(0, ...list)'
  expect(check(text, { list: 'two numbers' })).toEqual([])
  expect(check(text, { list: 'two numbers', gone: 'none' })).toEqual([
    'tools/check-spreads.mjs: nothing spreads core/src/lib/a.ts: gone',
  ])
})

function check(text: string, short: Record<string, string> = {}) {
  const root = makeWorkspace({
    'core/package.json': { name: '@siteauth/core' },
    'core/src/lib/a.ts': `declare function call(...all: any[]): void\n${text}\n`,
  })
  return checkSpreads(root, { 'core/src/lib/a.ts': short })
}
