import { expect, it } from 'vitest'
import { createSite } from './site.ts'

/** A store that answers every query with one row, as the one in an application's own tests may do. */
async function begin(row: { readonly sessionToken?: string }) {
  const site = await createSite('database')
  const deleted: string[] = []
  const auth = site.node({
    store: {
      ...site.store,
      async getSessionAndUser() {
        const user = await site.store.getUser('ann')
        const expires = new Date(site.clock.now + 3_600_000)
        return user && { session: { sessionToken: '', userId: user.id, expires, ...row }, user }
      },
      async deleteSession(token: string) {
        deleted.push(token)
        return null
      },
    },
  })
  return { visitor: await site.signedIn({}, auth), site, deleted }
}

it.each([{}, { sessionToken: 'row-1' }])(
  'ends the session that signs out, and no other: %o',
  async row => {
    const { visitor, deleted } = await begin(row)
    deleted.length = 0
    await visitor.post('/signout')
    expect(deleted.length).toBeGreaterThan(0)
    expect(deleted).not.toContain('row-1')
  },
)

it.each([{}, { sessionToken: 'row-1' }])('signs in over the session: %o', async row => {
  const { visitor, site, deleted } = await begin(row)
  deleted.length = 0
  const response = await site.ways.password(visitor)
  expect(response.status).toBe(302)
  expect(deleted).not.toContain('row-1')
})
