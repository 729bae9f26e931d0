import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkProviderDocs } from './provider-docs.mjs'
import { ROOT } from './workspace.mjs'

const folder = join(ROOT, 'docs/providers')

it('has one page per provider, and each says what the provider does', async () => {
  expect(await checkProviderDocs()).toEqual([])
}, 60_000)

it('leads from the index to every page', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  const pages = readdirSync(folder).filter(file => file.endsWith('.md') && file !== 'README.md')
  expect(pages.length).toBeGreaterThan(100)
  for (const page of pages) expect(index).toContain(`](${page})`)
})
