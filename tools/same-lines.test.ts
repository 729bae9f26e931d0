import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeRepository } from './fixture.ts'
import { checkSameLines } from './same-lines.mjs'
import { ROOT } from './workspace.mjs'

const PAGE = 'docs/every-framework.md'
const SOURCE = 'docs/eight-lines/hono.ts'

/** A copy of the sources, the page and the start pages, with one file changed. */
function withChange(file: string, change: (text: string) => string): string {
  const root = makeRepository({})
  for (const path of ['docs/eight-lines', 'docs/start', PAGE]) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  }
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return root
}

describe('the page with the same lines in every framework', () => {
  it('is out of date if a source has changed', () => {
    const root = withChange(SOURCE, text => text.replace("'github'", "'gitlab'"))
    expect(checkSameLines(root)).toEqual([
      `${PAGE} is out of date. Cure: node tools/same-lines.mjs`,
    ])
    expect(checkSameLines(root, { update: true })).toEqual([])
    const page = readFileSync(join(root, PAGE), 'utf8')
    expect(page.match(/'gitlab'/g)).toHaveLength(2)
    expect(page).not.toContain('#region')
  })

  it('lacks a line if a source does', () => {
    const root = withChange(SOURCE, text => text.replace('#region guard', '#region guarded'))
    expect(checkSameLines(root)).toEqual([
      `${SOURCE} lacks the region guard`,
      `${SOURCE} has an unknown region guarded`,
    ])
  })

  it('has every framework that has a start page', () => {
    const root = withChange('docs/start/hono.md', text => text)
    writeFileSync(join(root, 'docs/start/koa.md'), '# Koa\n')
    expect(checkSameLines(root)).toEqual([
      `${PAGE} leaves out koa: add it to tools/same-lines.mjs and to docs/eight-lines`,
    ])
  })

  it('shows members of classes without the indentation of the class', () => {
    const page = readFileSync(join(ROOT, PAGE), 'utf8')
    expect(page).toContain("// NestJS\n@Get('account')\n@RequireSession()\n")
  })
})
