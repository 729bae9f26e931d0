import { AuthError, SiteAuth, TooManyAttempts } from '@siteauth/express'
import { describe, expect, it } from 'vitest'
import { configure, serve, versions, visit } from './server.ts'

const rules = { credentials: { account: [], network: { burst: 2, refillSeconds: 60 } } }

for (const { name, express } of versions) {
  describe(name, () => {
    async function start(trustProxy: unknown, over: Parameters<typeof configure>[0] = {}) {
      const config = configure({ limits: { rules }, ...over })
      const app = express()
      if (trustProxy !== undefined) app.set('trust proxy', trustProxy)
      const auth = SiteAuth(config)
      app.use('/auth', auth.handler)
      app.post('/login', async (req, res) => {
        try {
          res.send(await auth.signIn(req, 'credentials', { password: 'wrong', redirect: false }))
        } catch (error) {
          if (error instanceof TooManyAttempts) res.status(429).send(`${error.retryAfter}`)
          else res.status(401).send(error instanceof AuthError ? error.type : '')
        }
      })
      return { config, origin: await serve(app) }
    }

    /** The statuses of three guesses, said to come from those addresses. */
    async function guess(origin: string, addresses: readonly (string | undefined)[]) {
      const statuses: number[] = []
      for (const address of addresses) {
        const headers = address === undefined ? undefined : { 'x-forwarded-for': address }
        const visitor = visit(`${origin}/auth`)
        const fields = { name: 'Ann', password: 'wrong' }
        statuses.push((await visitor.post('/callback/credentials', fields, headers)).status)
      }
      return statuses
    }

    it.each([1, 'loopback', ['127.0.0.1']])(
      'counts by the address that a proxy names which trust proxy %j covers',
      async trust => {
        const { origin } = await start(trust)
        const one = '6.6.6.1, 203.0.113.7'
        const same = ['6.6.6.2, 203.0.113.7', '6.6.6.3, 203.0.113.7']
        expect(await guess(origin, [one, ...same])).toEqual([302, 302, 429])
        expect(await guess(origin, ['203.0.113.8'])).toEqual([302])
      },
    )

    it.each([undefined, false, true])(
      'takes nobody’s word for an address with trust proxy %j',
      async trust => {
        const { origin, config } = await start(trust)
        expect(await guess(origin, Array(4).fill('203.0.113.7'))).toEqual([302, 302, 302, 302])
        expect(config.warnings).toContain('unknown-client-address')
      },
    )

    it('counts by who connects, whatever they say, where there is no proxy', async () => {
      const { origin } = await start(undefined, { clientAddress: { trustedProxies: 0 } })
      expect(await guess(origin, [undefined, '1.1.1.1', '2.2.2.2'])).toEqual([302, 302, 429])
    })

    it('throws to handlers what tells how long to wait', async () => {
      const { origin } = await start('loopback')
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      const login = () => fetch(`${origin}/login`, { method: 'POST', headers })
      expect((await login()).status).toBe(401)
      expect((await login()).status).toBe(401)
      const third = await login()
      expect(third.status).toBe(429)
      expect(Number(await third.text())).toBeGreaterThan(50)
    })
  })
}
