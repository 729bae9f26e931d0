import Password from '@siteauth/core/providers/password'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

// A revocation is kept for as long as anything works that was issued before it, however short sessions are.

const DAY = 86_400_000
const ADA = 'ada@example.com'

afterEach(() => void vi.useRealTimers())

describe.each(['jwt', 'database'] as const)('sessions of strategy %s', strategy => {
  it.each([1, 60])('no link of %d days outlives a revocation', async days => {
    const began = Date.now()
    vi.useFakeTimers({ now: began, toFake: ['Date'] })
    const adapter = MemoryAdapter()
    const links: URL[] = []
    const maxAge = (days * DAY) / 1000
    /** A process that has just been started. */
    const start = () =>
      createTestAuth({
        adapter: { ...adapter, revocations: { ...adapter.revocations } },
        trustHost: true,
        session: { strategy, maxAge: 60, updateAge: 30 },
        providers: [
          {
            id: 'mail',
            name: 'Mail',
            type: 'email',
            maxAge,
            sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
          },
          Password({ maxAge, mail: ({ url }) => void (url && links.push(new URL(url))) }),
        ],
      })
    const { id } = await adapter.createUser({ id: 'ada', email: ADA, emailVerified: new Date() })
    const { users, handle } = start()
    const visitor = new Visitor(handle)
    await visitor.post('/signin/mail', { email: ADA })
    await visitor.post('/password/forgot', { email: ADA })
    await users.endSessions(id)

    vi.setSystemTime(began + days * DAY - 60_000)
    await adapter.deleteExpired()
    // A log removes what has expired whenever it is written to.
    await adapter.revocations.end([{ key: 's:other', until: new Date(began + days * DAY) }])
    const password = 'purple monkeys rarely dishwash'
    const later = new Visitor(start().handle)
    for (const { origin, pathname, searchParams } of links) {
      const fields = { ...Object.fromEntries(searchParams), password }
      const { headers } = await later.post(origin + pathname, fields)
      expect(headers.get('location')).toMatch(/error=(InvalidCheck|Verification)/)
    }
    expect(links).toHaveLength(2)
    expect(await later.session()).toBeNull()
    expect(await adapter.passwords.get(id)).toBeNull()
  })
})
