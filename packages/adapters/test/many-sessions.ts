import { expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../../core/test/visitor.ts'
import { inChunks } from '../src/lib/in-chunks.ts'
import type { CompleteAdapter } from '../src/memory.ts'
import type { OUR_STORES } from './stores.ts'

const ORIGIN = 'https://app.example.com'
const EXPIRES = new Date(Date.now() + 86_400_000)

/** Stores that many sessions of a user. Returns the name of the first. */
type Fill = (adapter: CompleteAdapter, userId: string, count: number) => Promise<string>

const FILL: Readonly<Record<'database' | 'jwt', Fill>> = {
  async database(adapter, userId, count) {
    const tokens = Array.from({ length: count }, () => crypto.randomUUID())
    await inChunks(tokens, async sessionToken =>
      adapter.createSession({ sessionToken, userId, expires: EXPIRES }),
    )
    return tokens[0] ?? ''
  },
  async jwt({ trackedSessions }, userId, count) {
    const ids = Array.from({ length: count }, () => `s:${crypto.randomUUID().replaceAll('-', '')}`)
    await inChunks(ids, async id => trackedSessions.add({ id, userId, expires: EXPIRES }))
    return ids[0] ?? ''
  },
}

/** What a user with that many sessions does. */
export function manySessionsSuite(
  { name, isThere, open }: (typeof OUR_STORES)[number],
  count: number,
): void {
  it.skipIf(!isThere).each(['database', 'jwt'] as const)(
    `a user with ${count} sessions ends all others, all, and is deleted, in ${name}, strategy %s`,
    async strategy => {
      const { adapter, close } = await open()
      const { id } = await adapter.createUser({
        id: 'ann',
        email: 'ann@example.com',
        emailVerified: null,
      })
      const auth = createTestAuth({
        adapter,
        // Read again each time: not every store notifies its watchers.
        session: { strategy, track: true, revocation: { pollSeconds: 0.001 } },
        providers: [
          {
            id: 'key',
            name: 'Key',
            type: 'credentials',
            credentials: {},
            authorize: () => adapter.getUser(id),
          },
        ],
      })
      const signIn = async () => {
        const visitor = new Visitor(auth.handle)
        await visitor.post('/callback/key', {})
        return visitor
      }
      const requestOf = (visitor: Visitor) => ({
        headers: {
          cookie: visitor.cookieHeader(),
          origin: ORIGIN,
          'sec-fetch-site': 'same-origin',
        },
        url: `${ORIGIN}/devices`,
      })
      const isIn = async (visitor: Visitor) => (await auth.getSession(requestOf(visitor))) !== null
      const countListed = async () =>
        strategy === 'database'
          ? (await adapter.listSessions(id)).length
          : (await adapter.trackedSessions.list(id, count + 10)).length
      const fill = () => FILL[strategy](adapter, id, count)

      const first = await signIn()
      const other = await signIn()
      await fill()
      expect(await auth.sessions.endOthers(requestOf(first))).toBe(true)
      expect([await isIn(first), await isIn(other)]).toEqual([true, false])
      expect(await countListed()).toBe(1)

      const name = await fill()
      await auth.users.endSessions(id)
      expect(await isIn(first)).toBe(false)
      if (strategy === 'database') expect(await adapter.getSessionAndUser(name)).toBeNull()
      const next = await signIn()
      expect(await isIn(next)).toBe(true)

      await fill()
      await adapter.deleteUser(id)
      expect(await isIn(next)).toBe(false)
      expect(await countListed()).toBe(0)
      expect(auth.errors).toEqual([])
      await close()
    },
    600_000,
  )
}
