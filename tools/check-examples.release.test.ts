import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkExamples, examplesIn } from './check-examples.mjs'
import { makeRepository } from './fixture.ts'
import { ROOT } from './workspace.mjs'

/** A repository that has the compiler of this one. */
function repository(files: Record<string, string>): string {
  const root = makeRepository(files)
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  copyFileSync(join(ROOT, 'tsconfig.base.json'), join(root, 'tsconfig.base.json'))
  return root
}

const block = (code: string, info = 'ts') => [`\`\`\`${info}`, code, '```', ''].join('\n')

it('finds a block that does not compile, in documents and in comments', () => {
  const root = repository({
    'docs/guide/x.md': `# X\n\n${block('export const one: string = 1')}`,
    'packages/core/src/x.ts': ' * ```ts\n * missing()\n * ```\n',
  })
  const { count, faults } = checkExamples(root)
  expect(count).toBe(2)
  expect(faults.join()).toContain('docs_guide_x_md/line_3.ts(1,14): error TS2322')
  expect(faults.join()).toContain('packages_core_src_x_ts/line_1.ts(1,1): error TS2304')
})

it('lets the blocks of a page import each other by the names of their files', () => {
  const page = block('export const one = 1', 'ts [lib/[one].ts]')
  const other = block(
    "import { one } from './lib/[one]'\nexport const two: string = one",
    'ts [two.ts]',
  )
  expect(checkExamples(repository({ 'README.md': page + other })).faults).toEqual([
    expect.stringMatching(/^README_md\/two\.ts\(2,14\): error TS2322/),
  ])
})

it('takes blocks of both kinds, and only those', () => {
  const text = [block('a'), block('b', 'tsx'), block('c', 'js'), block('d', 'ts [d.ts]')].join('')
  expect(examplesIn(text, true).map(({ code, language, name }) => [code, language, name])).toEqual([
    ['a', 'ts', undefined],
    ['b', 'tsx', undefined],
    ['d', 'ts', 'd.ts'],
  ])
})
