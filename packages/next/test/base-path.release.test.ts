import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../core/test/browser/chromium.ts'
import { CACHE_ROUTES, READING_ROUTES, SIGN_IN_ROUTES, TOKEN_ROUTES } from './app-routes.ts'
import { liveSuite } from './live-suite.ts'
import { createApp, type NextApp, type RunningApp } from './next-app.ts'
import { createVisitor } from './visitor.ts'

describe('below a base path of Next', () => {
  let app: NextApp
  let running: RunningApp

  beforeAll(async () => {
    app = createApp(16, 'base-path', {
      without: [...SIGN_IN_ROUTES, ...TOKEN_ROUTES, ...CACHE_ROUTES, ...READING_ROUTES],
    })
    await app.build({ FIXTURE_BASE_PATH: '/shop' })
    running = await app.start({ FIXTURE_BASE_PATH: '/shop' })
  }, 600_000)

  afterAll(async () => {
    await running?.stop()
    app.remove()
  })

  const nobody = () => createVisitor(running.origin, '/shop')

  it.each(['/api/auth', '/lazy-auth'])(
    'has endpoints at %s whose links lead to them',
    async path => {
      const { who } = await nobody().get(`/shop${path}/providers`)
      expect(who).toMatchObject({
        credentials: { callbackUrl: `${running.origin}/shop${path}/callback/credentials` },
      })
    },
  )

  it('sends people to sign in and back', async () => {
    const { status, location } = await nobody().get('/shop/private?a=1')
    expect(status).toBe(307)
    const to = new URL(location ?? '', running.origin)
    expect(to.pathname).toBe('/shop/login')
    expect(to.searchParams.get('callbackUrl')).toBe(`${running.origin}/shop/private?a=1`)
    expect((await nobody().get('/shop/login')).status).toBe(200)
  })

  it('signs in and out by server actions', async () => {
    const visitor = nobody()
    const fields = { name: 'Ann', password: 'sesame' }
    const { location } = await visitor.submit('/shop/login?callbackUrl=/private', fields)
    expect(new URL(location ?? '', running.origin).pathname).toBe('/shop/private')
    expect((await visitor.get('/shop/private')).who).toMatchObject({ name: 'Ann' })
    const left = await visitor.submit('/shop/actions', {}, 2)
    expect(new URL(left.location ?? '', running.origin).pathname).toBe('/shop/actions')
    expect((await visitor.get('/shop/page')).who).toBeNull()
  })

  it('takes paths as the application writes them', async () => {
    const visitor = nobody()
    const call = { do: 'signIn', redirect: false }
    expect(await visitor.act({ ...call, redirectTo: '/page' })).toEqual({
      answer: `${running.origin}/shop/login?callbackUrl=%2Fshop%2Fpage`,
    })
    expect(await visitor.act({ ...call, redirectTo: '/shop/page' })).toEqual({
      answer: `${running.origin}/shop/login?callbackUrl=%2Fshop%2Fpage`,
    })
  })

  it('sends people from a page that is being rendered to sign in and back', async () => {
    const { location } = await nobody().get('/shop/rendered/sign-in')
    expect(location).toBe(`${running.origin}/shop/login?callbackUrl=%2Fshop%2Fpage`)
  })

  it('returns to the site, where nobody says to where', async () => {
    const visitor = nobody()
    const { csrfToken } = (await visitor.get('/shop/api/auth/csrf')).who as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, name: 'Ann', password: 'sesame' })
    const { location } = await visitor.post('/shop/api/auth/callback/credentials', body)
    expect(location).toBe(`${running.origin}/shop`)
  })

  liveSuite(findChromium(), 'signing in and out', () => `http://localhost:${running.port}/shop`)

  it.each(['/wrapped/answer', '/wrapped/rewrite', '/composed', '/old', '/api/old', '/api/edge'])(
    'knows at %s who is signed in',
    async path => {
      const visitor = nobody()
      await visitor.signIn('Ann')
      expect((await visitor.get(`/shop${path}`)).who).toMatchObject({ name: 'Ann' })
    },
  )
})
