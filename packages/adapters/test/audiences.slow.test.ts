import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTenantOf, listOf, PERSON } from '../../core/test/revocation/shared-store.ts'
import { type OpenStore, OUR_STORES } from './stores.ts'

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`tenants with one log and one list in ${name}`, () => {
    let store: OpenStore

    beforeEach(async () => {
      store = await open()
    })

    afterEach(async () => {
      await store.close()
    })

    it('neither list nor end sessions of people of others with the same id', async () => {
      const [a, b] = [createTenantOf(store.adapter, 'a'), createTenantOf(store.adapter, 'b')]
      const [first, second, other] = [await a.signIn(), await a.signIn(), await b.signIn()]
      expect(await listOf(first)).toHaveLength(2)
      expect(await listOf(other)).toHaveLength(1)
      await first.postJson('/sessions/end', { others: true })
      expect(await second.session()).toBeNull()
      expect(await other.session()).not.toBeNull()
      await a.auth.users.endSessions(PERSON)
      expect(await first.session()).toBeNull()
      expect(await other.session()).not.toBeNull()
      expect(await listOf(other)).toHaveLength(1)
      const next = await a.signIn()
      expect(await next.session()).not.toBeNull()
      expect(await listOf(next)).toHaveLength(1)
    })

    it('honour what is stored for all audiences, as earlier versions do', async () => {
      const a = createTenantOf(store.adapter, 'a')
      const visitor = await a.signIn()
      expect(await visitor.session()).not.toBeNull()
      const until = new Date(Date.now() + 3_600_000)
      await store.adapter.revocations.end([{ key: `u:${PERSON}`, until, isGeneration: true }])
      expect(await (await visitor.postJson('/session', { data: {} })).json()).toBeNull()
      expect(await (await a.signIn()).session()).not.toBeNull()
    })
  })
}
