import { SiteAuth } from '@siteauth/express'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

for (const { name, express } of versions) {
  describe.each(['jwt', 'database'] as const)(`${name}, sessions by %s`, strategy => {
    it('a new token that can no longer be sent leaves the old one as it was', async () => {
      const clock = { now: Date.now() }
      const adapter = MemoryAdapter()
      await adapter.createUser({
        id: '1',
        name: 'Ann',
        email: 'ann@example.test',
        emailVerified: null,
      })
      const config = configure({
        adapter,
        ports: { now: () => clock.now },
        session: { strategy },
      })
      const auth = SiteAuth(config)
      const app = express().use('/auth', auth.handler)
      app.get('/stream', async (req, res) => {
        res.write('it has begun, ')
        await auth.sessions.rotate(req).catch(() => null)
        res.end('and ends')
      })
      const origin = await serve(app)
      const ann = await visitAsAnn(`${origin}/auth`)
      expect(await ann.session()).not.toBeNull()
      await (await ann.get(`${origin}/stream`)).text()
      clock.now += 31_000
      expect(await ann.session()).not.toBeNull()
    })
  })

  it(`${name}: a session that is renewed while somebody signs out stays ended`, async () => {
    let release = () => {}
    let hold: Promise<void> | undefined
    const config = configure({
      callbacks: {
        jwt: async ({ token }) => {
          await hold
          return { ...token, counted: Number(token['counted'] ?? 0) + 1 }
        },
      },
    })
    const auth = SiteAuth(config)
    const app = express().use('/auth', auth.handler)
    app.get('/leave', async (req, res) => {
      hold = new Promise(resolve => {
        release = resolve
      })
      const reading = auth.getSession(req)
      await auth.signOut(req, { redirect: false })
      release()
      await reading
      res.end('gone')
    })
    const origin = await serve(app)
    const ann = await visitAsAnn(`${origin}/auth`)
    await (await ann.get(`${origin}/leave`)).text()
    hold = undefined
    expect(await ann.session()).toBeNull()
  })
}
