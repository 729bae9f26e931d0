import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killSuite } from './kill-suite.ts'
import { killedPage, type Row } from './killed-page.ts'
import { MORTAL_STORES, type StoreName } from './stores.ts'

/** Written by this test: `npx vitest run --project release packages/adapters/test/killed -u`, with all servers. */
const PAGE = join(import.meta.dirname, '../../../../docs/guide/killed-processes.md')

const rows: Row[] = []
// Sound: the names of what it has.
const names = Object.keys(MORTAL_STORES) as StoreName[]
for (const name of names) killSuite(name, ['database', 'jwt'], row => rows.push(row))

it.skipIf(names.some(name => !MORTAL_STORES[name].isThere))('is what the guide says', async () => {
  await expect(killedPage(rows)).toMatchFileSnapshot(PAGE)
})
