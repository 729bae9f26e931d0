import type { RevocationEntry } from '@siteauth/core/adapters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenStore, OUR_STORES } from '../stores.ts'

const COUNT = 7001
const until = new Date(Date.now() + 400 * 86_400_000)
const KEYS = Array.from({ length: COUNT }, (_, n) => `s:${n.toString(16)}`)

describe.each(OUR_STORES.filter(({ name, isThere }) => isThere && name !== 'memory'))(
  'a log of several pages in $name',
  ({ open }) => {
    let store: OpenStore
    beforeAll(async () => {
      store = await open()
      const { revocations } = store.adapter
      for (let from = 0; from < COUNT; from += 500) {
        await revocations.end(KEYS.slice(from, from + 500).map(key => ({ key, until })))
      }
    })
    afterAll(() => store.close())

    it('is read page by page: each entry, and none of the pages is long', async () => {
      const { revocations } = store.adapter
      const keys = new Set<string>()
      let cursor: string | null = null
      do {
        const page: { revocations: readonly RevocationEntry[]; next: string | null } | undefined =
          await revocations.page?.(cursor)
        if (!page) throw new Error('the log has no pages')
        expect(page.revocations.length).toBeLessThanOrEqual(2500)
        for (const { key } of page.revocations) keys.add(key)
        cursor = page.next
      } while (cursor !== null)
      expect([...keys].toSorted()).toEqual(KEYS.toSorted())
    })
  },
)
