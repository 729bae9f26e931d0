import { afterEach, describe, expect, it } from 'vitest'
import { createTenant, personOf, signIn } from '../../core/test/accounts/tenants.ts'
import type { CompleteAdapter } from '../src/memory.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'
import { OUR_STORES } from './stores.ts'

const A = 'https://a.test'
const B = 'https://b.test'
const KEY = { provider: 'op', providerAccountId: '7' } as const

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function storeOwner(adapter: CompleteAdapter, issuer?: string): Promise<void> {
  const owner = { id: crypto.randomUUID(), name: 'The owner', email: 'owner@a.test' }
  const { id: userId } = await adapter.createUser({ ...owner, emailVerified: new Date() })
  await adapter.linkAccount({ ...KEY, type: 'oidc', userId, ...(issuer && { issuer }) })
}

const issuerIn = async (adapter: CompleteAdapter) =>
  (await adapter.getAccount(KEY.providerAccountId, KEY.provider))?.issuer

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere).each(['jwt', 'database'] as const)(`${name}, %s sessions`, strategy => {
    async function openAdapter() {
      const { adapter, close } = await open()
      closing.push(close)
      return adapter
    }

    it('an account without an issuer is bound at the next sign-in, and is no account of another', async () => {
      const adapter = await openAdapter()
      await storeOwner(adapter)
      const a = await createTenant(A, adapter, { session: { strategy } })
      expect(await personOf(await signIn(a))).toBe('The owner')
      expect(await issuerIn(adapter)).toBe(A)
      const b = await createTenant(B, adapter, { session: { strategy } })
      expect(await personOf(await signIn(b))).toBeNull()
      expect(await issuerIn(adapter)).toBe(A)
      expect(await personOf(await signIn(a))).toBe('The owner')
    })

    it('an account without an issuer is nobody’s if two are configured', async () => {
      const adapter = await openAdapter()
      await storeOwner(adapter)
      const config = { session: { strategy } }
      for (const tenant of [
        await createTenant(A, adapter, config),
        await createTenant(B, adapter, config),
      ].reverse()) {
        expect(await personOf(await signIn(tenant))).toBeNull()
      }
      expect(await issuerIn(adapter)).toBeUndefined()
    })
  })
}

describe.skipIf(!POSTGRES_URL)('a database of an earlier version, without the column', () => {
  it('signs people in as before, beside servers of that version, and binds accounts once it has it', async () => {
    const url = await createPostgresDatabase()
    const adapter = PostgresAdapter({ url })
    closing.push(() => adapter.close())
    await adapter.migrations.apply()
    await storeOwner(adapter)
    await dropColumn(url)
    const before = PostgresAdapter({ url })
    closing.push(() => before.close())
    expect(await personOf(await signIn(await createTenant(A, before)))).toBe('The owner')
    expect(await issuerIn(before)).toBeUndefined()
    const plan = await before.migrations.apply()
    expect(plan.map(step => step.description)).toEqual(['add column issuer to accounts'])
    expect(await personOf(await signIn(await createTenant(A, before)))).toBe('The owner')
    expect(await issuerIn(before)).toBe(A)
  })
})

async function dropColumn(url: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('alter table accounts drop column issuer')
  await client.end()
}
