import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { createLogoutWorld, type LogoutWorld } from './logout-world.ts'

const ISSUER = 'https://op.test'

function worldOf(config: Parameters<typeof createLogoutWorld>[0] = {}): Promise<LogoutWorld> {
  return createLogoutWorld(config, { backChannelLogout: false, frontChannelLogout: true })
}

/** What a frame on a page of the provider sends: no cookie of ours comes along. */
function inFrame({ auth }: LogoutWorld, query: Record<string, string>, method = 'GET') {
  const url = `https://app.example.com/auth/frontchannel-logout/op?${new URLSearchParams(query)}`
  return auth.handle(new Request(url, { method }))
}

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

describe('a frame on a page of the provider', () => {
  it.each(['jwt', 'database'] as const)(
    'ends the session that it names, without a cookie (%s)',
    async strategy => {
      const world = await worldOf({ session: { strategy } })
      const [desk, phone] = [await world.signIn('ada', 'desk'), await world.signIn('ada', 'phone')]
      expect((await inFrame(world, { iss: ISSUER, sid: 'desk' })).status).toBe(200)
      expect([await isIn(desk), await isIn(phone)]).toEqual([false, true])
    },
  )

  it('may be shown there and nowhere else, and is kept by no cache', async () => {
    const { headers } = await inFrame(await worldOf(), { iss: ISSUER, sid: 'desk' })
    const policy = headers.get('content-security-policy')
    expect(policy).toBe(`default-src 'none'; frame-ancestors ${ISSUER}`)
    expect(headers.has('x-frame-options')).toBe(false)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.getSetCookie()).toEqual([])
  })

  it.each([
    ['without a session', { iss: ISSUER }],
    ['without an issuer', { sid: 'desk' }],
    ['of another issuer', { iss: 'https://evil.test', sid: 'desk' }],
    ['with too much', { iss: ISSUER, sid: 'd'.repeat(2000) }],
  ] as const)('ends nothing %s', async (_how, query) => {
    const world = await worldOf()
    const desk = await world.signIn('ada', 'desk')
    expect((await inFrame(world, query)).status).toBe(400)
    expect(await isIn(desk)).toBe(true)
  })

  it.each(['HEAD', 'POST'])('ends nothing by %s', async method => {
    const world = await worldOf()
    const desk = await world.signIn('ada', 'desk')
    expect((await inFrame(world, { iss: ISSUER, sid: 'desk' }, method)).status).toBe(405)
    expect(await isIn(desk)).toBe(true)
  })

  it('ends nothing where the application has not asked for it', async () => {
    const world = await createLogoutWorld()
    const desk = await world.signIn('ada', 'desk')
    expect((await inFrame(world, { iss: ISSUER, sid: 'desk' })).status).toBe(404)
    expect(await isIn(desk)).toBe(true)
  })

  it('leaves who signs in again later in peace', async () => {
    const world = await worldOf()
    await inFrame(world, { iss: ISSUER, sid: 'desk' })
    world.clock.now += 60_000
    expect(await isIn(await world.signIn('ada', 'desk'))).toBe(true)
  })

  it('does not fill the store: a hundred are taken in a minute', async () => {
    const adapter = MemoryAdapter()
    const world = await worldOf({ adapter })
    const answers: number[] = []
    for (let index = 0; index < 105; index++) {
      answers.push((await inFrame(world, { iss: ISSUER, sid: `made up ${index}` })).status)
    }
    expect(answers.filter(status => status === 200)).toHaveLength(100)
    expect(answers.at(-1)).toBe(429)
    const { revocations } = await adapter.revocations.since(null)
    expect(revocations).toHaveLength(100)
    world.clock.now += 60_000
    expect((await inFrame(world, { iss: ISSUER, sid: 'desk' })).status).toBe(200)
  })

  it('is told if the store does not take it', async () => {
    const adapter = MemoryAdapter()
    const end = () => Promise.reject(new Error('the store is down'))
    const revocations = { ...adapter.revocations, end }
    const world = await worldOf({ adapter: { ...adapter, revocations } })
    expect((await inFrame(world, { iss: ISSUER, sid: 'desk' })).status).toBe(503)
    expect(world.auth.errors.map(each => each.name)).toEqual(['SignOutError'])
  })
})
