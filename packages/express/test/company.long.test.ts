import { ServerAuth } from '@siteauth/express'
import compression from 'compression'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import { configure, serve, versions, visit, visitAsAnn } from './server.ts'

for (const { name, express } of versions) {
  describe(name, () => {
    it('works beside helmet, whose headers stay', async () => {
      const app = express().use(helmet()).use('/auth', ServerAuth(configure()))
      const visitor = await visitAsAnn(`${await serve(app)}/auth`)
      const answer = await visitor.get('/session')
      expect(await answer.json()).toMatchObject({ user: { name: 'Ann' } })
      expect(answer.headers.get('strict-transport-security')).toContain('max-age')
    })

    it('shows pages under their own policy, and only that, beside helmet', async () => {
      const app = express().use(helmet()).use('/auth', ServerAuth(configure()))
      const answer = await visit(`${await serve(app)}/auth`).get('/signin')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('https:') // of helmet
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
    })

    it('works behind compression', async () => {
      const app = express()
      app.use(compression({ threshold: 0 })).use('/auth', ServerAuth(configure()))
      const visitor = await visitAsAnn(`${await serve(app)}/auth`)
      const page = await visitor.get('/signin', { 'accept-encoding': 'gzip' })
      expect(page.headers.get('content-encoding')).toBe('gzip')
      expect(await page.text()).toContain('</html>')
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it.each([['one=1'], [['one=1', 'two=2']]])('keeps the cookies %j of others', async own => {
      const app = express()
      app.use((_req, res, next) => {
        res.setHeader('Set-Cookie', own)
        res.setHeader('Cache-Control', 'public')
        next()
      })
      app.use('/auth', ServerAuth(configure()))
      const answer = await fetch(`${await serve(app)}/auth/csrf`)
      const names = answer.headers.getSetCookie().map(line => line.split('=')[0])
      const expected = [own].flat().map(line => line.split('=')[0])
      expect(names).toEqual([...expected, 'authjs.csrf-token'])
      expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
    })

    it('leaves a response alone that was sent already, and hands on', async () => {
      const passed: string[] = []
      const app = express()
      app.use((_req, res, next) => {
        res.send('mine')
        next()
      })
      app.use('/auth', ServerAuth(configure()))
      app.use(req => void passed.push(req.originalUrl))
      const answer = await fetch(`${await serve(app)}/auth/session`)
      expect(await answer.text()).toBe('mine')
      expect(passed).toEqual(['/auth/session'])
    })

    it('leaves a response alone that is sent while it works', async () => {
      const config = configure({
        callbacks: {
          signIn: async () => {
            await new Promise(resolve => setTimeout(resolve, 100))
            return true
          },
        },
      })
      const app = express()
      app.use((req, res, next) => {
        if (req.method === 'POST') setTimeout(() => res.status(503).end('timeout'), 30)
        next()
      })
      app.use('/auth', ServerAuth(config))
      const visitor = visit(`${await serve(app)}/auth`)
      const answer = await visitor.post('/callback/credentials', { password: 'right' })
      expect([answer.status, await answer.text()]).toEqual([503, 'timeout'])
      await new Promise(resolve => setTimeout(resolve, 150))
      expect(await visitor.session()).toBeNull()
    })

    it('answers HEAD without a body, and other methods with 405', async () => {
      const base = `${await serve(express().use('/auth', ServerAuth(configure())))}/auth`
      const head = await fetch(`${base}/session`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect((await fetch(`${base}/session`, { method: 'DELETE' })).status).toBe(405)
    })

    it('says what is wrong with the configuration when it is first used, not before', async () => {
      const config = configure({ secret: '', trustHost: false })
      const base = `${await serve(express().use('/auth', ServerAuth(config)))}/auth`
      expect(config.errors).toEqual([])
      expect((await fetch(`${base}/session`)).status).toBe(500)
      expect(config.errors.length).toBeGreaterThan(0)
    })
  })
}
