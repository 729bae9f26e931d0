import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, launchChromium } from '../../core/test/browser/chromium.ts'
import { type RealProvider, startRealProvider } from '../../core/test/oauth/real-provider.ts'
import { liveSuite } from './live-suite.ts'
import { createApp, type NextApp, type NextVersion, type RunningApp } from './next-app.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const BUILD = 600_000
const chromium = findChromium()

describe.each<NextVersion>([16, 15])('Next %i, built and started', version => {
  let app: NextApp
  let running: RunningApp

  beforeAll(async () => {
    app = createApp(version, 'forms')
    await app.build()
    running = await app.start()
  }, BUILD)

  afterAll(async () => {
    await running?.stop()
    app.remove()
  })

  async function ann(name = 'Ann'): Promise<Visitor> {
    const somebody = createVisitor(running.origin)
    await somebody.signIn(name)
    return somebody
  }

  const nobody = () => createVisitor(running.origin)

  describe('auth', () => {
    const readers: readonly (readonly [string, string])[] = [
      ['in a server component', '/page'],
      ['in a route handler', '/api/plain'],
      ['in a server component with a proxy that does nothing', '/untouched'],
      ['around a lazily configured route handler', '/api/lazy'],
      ['in getServerSideProps', '/old'],
      ['in an API route', '/api/old'],
      ['around an edge API route', '/api/edge'],
      ['around a proxy that answers', '/wrapped/answer'],
      ['around a proxy that rewrites', '/wrapped/rewrite'],
      ['around a lazily configured proxy', '/lazily'],
      ['as a building block of a proxy', '/composed'],
    ]

    it.each(readers)('says %s who is signed in', async (_where, path) => {
      expect((await (await ann()).get(path)).who).toMatchObject({ name: 'Ann', role: 'reader' })
    })

    it.each(readers)('says %s that nobody is', async (_where, path) => {
      const { who, setCookies } = await nobody().get(path)
      expect(who).toBeNull()
      expect(setCookies).toEqual([])
    })

    it('hands parameters to a route handler that it wraps, and its session to an auth() inside', async () => {
      const { who } = await (await ann()).get('/api/wrapped/7')
      expect(who).toMatchObject({ id: '7', user: { name: 'Ann' }, again: { name: 'Ann' } })
    })

    it('leaves the headers alone that a proxy sets for the page behind it', async () => {
      const { who } = await (await ann('Rota')).get('/wrapped/headers', { accept: 'a/b' })
      expect(who).toMatchObject({ fromProxy: 'yes', accept: 'a/b', user: { name: 'Rota' } })
    })
  })

  describe('the jwt callback', () => {
    // Each run counts one up in the token itself.
    const counted = async (somebody: Visitor, path: string) =>
      ((await somebody.get(path)).who as { rotated: number }).rotated

    it('runs once for a page that reads the session three times', async () => {
      const rota = await ann('Rota')
      expect(await counted(rota, '/thrice')).toBe(2)
      expect(await counted(rota, '/thrice')).toBe(2) // a page cannot store what it returned
    })

    it('runs once for a proxy and the page behind it, which sees what it returned', async () => {
      const rota = await ann('Rota')
      expect(await counted(rota, '/page')).toBe(2)
      expect(await counted(rota, '/page')).toBe(3)
      expect(await counted(rota, '/wrapped/rewrite')).toBe(4)
      expect(await counted(rota, '/composed')).toBe(5)
    })

    it('has its result stored by a proxy, a route handler, an API route and getServerSideProps', async () => {
      const rota = await ann('Rota')
      for (const [index, path] of ['/page', '/api/plain', '/api/old', '/old'].entries()) {
        expect(await counted(rota, path)).toBe(index + 2)
      }
    })

    it('runs for visitors who claim that it has run', async () => {
      const rota = await ann('Rota')
      const { who } = await rota.get('/thrice', { 'x-siteauth-asked': 'yes' })
      expect(who).toMatchObject({ rotated: 2 })
    })
  })

  describe('authorized', () => {
    it('sends people to sign in, and tells where they come from', async () => {
      const { status, location } = await nobody().get('/private?a=1&b=2')
      expect(status).toBe(307)
      const to = new URL(location ?? '', running.origin)
      expect(to.pathname).toBe('/login')
      expect([...to.searchParams]).toEqual([['callbackUrl', `${running.origin}/private?a=1&b=2`]])
    })

    it('lets people pass whom it accepts', async () => {
      expect((await (await ann()).get('/private')).status).toBe(200)
      expect((await (await ann()).get('/admin')).status).toBe(307)
      expect((await (await ann('Ada')).get('/admin')).who).toMatchObject({ role: 'admin' })
    })

    it('is spared at the pages and endpoints that people need to sign in', async () => {
      for (const path of ['/login', '/login?x=1', '/api/auth/csrf', '/api/auth/session']) {
        expect((await nobody().get(path)).status, path).toBe(200)
      }
    })

    it('may answer a relative address', async () => {
      const { status, location } = await nobody().get('/relative')
      expect(status).toBe(307)
      expect(new URL(location ?? '', running.origin).pathname).toBe('/login')
    })

    it('is told when it sends people in a circle', async () => {
      expect((await nobody().get('/circle')).status).toBe(508)
      expect(running.log()).toContain('round in a circle')
    })
  })

  describe('in a server action', () => {
    it('signs in by a form, and goes where it says', async () => {
      const visitor = nobody()
      const { status, location } = await visitor.submit('/login?callbackUrl=/private', {
        name: 'Ann',
        password: 'sesame',
      })
      expect(status).toBe(303)
      expect(new URL(location ?? '', running.origin).pathname).toBe('/private')
      expect((await visitor.get('/private')).who).toMatchObject({ name: 'Ann' })
    })

    it('shows how an attempt went, on the same page', async () => {
      const { status, text, setCookies } = await nobody().submit('/actions', {
        name: 'Lars',
        password: 'x',
      })
      expect(status).toBe(200)
      expect(text).toContain('&quot;error&quot;:&quot;CredentialsSignin&quot;')
      expect(text).toContain('&quot;code&quot;:&quot;locked&quot;')
      expect(setCookies).toEqual([])
    })

    it('shows on the page that it renders then who has signed in', async () => {
      const { who } = await nobody().submit('/actions', { name: 'Ann', password: 'sesame' })
      expect(who).toMatchObject({ name: 'Ann' })
    })

    it('changes a session', async () => {
      const visitor = await ann()
      const { who } = await visitor.submit('/actions', {}, 3)
      expect(who).toMatchObject({ name: 'Ann', nick: 'Countess' })
      expect((await visitor.get('/page')).who).toMatchObject({ nick: 'Countess' })
    })

    it('signs out, also if the proxy has renewed the session before', async () => {
      const rota = await ann('Rota')
      const { status, location } = await rota.submit('/actions', {}, 2)
      expect([status, location]).toEqual([303, `${running.origin}/actions?left`])
      expect((await rota.get('/page')).who).toBeNull()
    })
  })

  describe('in a route handler', () => {
    it('throws what went wrong to the caller', async () => {
      const call = { do: 'signIn', provider: 'credentials', password: 'no', redirect: false }
      expect(await nobody().act(call)).toEqual({ thrown: 'CredentialsSignin', code: 'credentials' })
    })

    it('resolves with a URL where it shall not redirect', async () => {
      const somebody = nobody()
      const call = { provider: 'credentials', name: 'Ann', password: 'sesame', redirect: false }
      const { answer } = await somebody.act({ do: 'signIn', ...call, redirectTo: '/page' })
      expect(answer).toBe(`${running.origin}/page`)
      const left = await somebody.act({ do: 'signOut', redirect: false, redirectTo: '/page' })
      expect(left).toEqual({ answer: `${running.origin}/page` })
      expect((await somebody.get('/page')).who).toBeNull()
    })

    it('names the sign-in page where there is no provider', async () => {
      const { answer } = await nobody().act({ do: 'signIn', redirect: false, redirectTo: '/page' })
      expect(answer).toBe(`${running.origin}/login?callbackUrl=%2Fpage`)
    })

    it('redirects, and not so that the form is sent again', async () => {
      const body = JSON.stringify({
        do: 'signIn',
        provider: 'credentials',
        name: 'Ann',
        password: 'sesame',
        redirectTo: '/page',
      })
      const headers = { 'content-type': 'application/json' }
      const { status, location } = await nobody().post('/api/act', body, headers)
      expect([status, location]).toEqual([303, `${running.origin}/page`])
    })

    it('returns to the page that the visitor is on', async () => {
      const headers = { 'content-type': 'application/json', referer: `${running.origin}/old?x` }
      const body = JSON.stringify({ do: 'signOut', redirect: false })
      const { who } = await nobody().post('/api/act', body, headers)
      expect(who).toEqual({ answer: `${running.origin}/old?x` })
    })

    it('refuses forms of other sites', async () => {
      const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
      const body = JSON.stringify({ do: 'signIn', provider: 'credentials', password: 'sesame' })
      expect((await nobody().post('/api/act', body, headers)).who).toEqual({
        thrown: 'MissingCSRF',
      })
    })

    it('updates the session', async () => {
      const somebody = await ann()
      const { answer } = await somebody.act({ do: 'update', nick: 'Annie' })
      expect(answer).toMatchObject({ user: { name: 'Ann', nick: 'Annie' } })
      expect((await somebody.get('/api/plain')).who).toMatchObject({ nick: 'Annie' })
    })
  })

  describe('the endpoints', () => {
    it.each(['/api/auth', '/lazy-auth'])('are at %s', async path => {
      const { who } = await nobody().get(`${path}/providers`)
      expect(who).toMatchObject({
        credentials: { callbackUrl: `${running.origin}${path}/callback/credentials` },
      })
    })

    it('send people back to the sign-in page with error and code', async () => {
      const somebody = nobody()
      const { csrfToken } = (await somebody.get('/api/auth/csrf')).who as { csrfToken: string }
      const body = new URLSearchParams({ csrfToken, name: 'Lars', password: 'x' })
      const { status, location } = await somebody.post('/api/auth/callback/credentials', body)
      expect([status, location]).toEqual([
        302,
        `${running.origin}/login?error=CredentialsSignin&code=locked`,
      ])
    })
  })

  describe('behind a proxy with another public host', () => {
    let inside: RunningApp
    const site = 'https://app.example.test'
    const forwarded = { 'x-forwarded-host': 'app.example.test', 'x-forwarded-proto': 'https' }

    beforeAll(async () => {
      inside = await app.start({}, '-H', '0.0.0.0')
    })

    afterAll(() => inside?.stop())

    it('believes its word everywhere', async () => {
      const somebody = createVisitor(inside.origin, '', forwarded)
      const { who } = await somebody.get('/api/auth/providers')
      expect(who).toMatchObject({
        credentials: { callbackUrl: `${site}/api/auth/callback/credentials` },
      })
      const { location } = await somebody.get('/private')
      const to = new URL(location ?? '', site)
      expect(to.origin + to.pathname).toBe(`${site}/login`)
      expect(to.searchParams.get('callbackUrl')).toBe(`${site}/private`)
      await somebody.signIn('Ann')
      expect([...somebody.cookies.keys()]).toContain('__Secure-authjs.session-token')
      for (const path of ['/private', '/api/plain', '/old', '/wrapped/answer']) {
        expect((await somebody.get(path)).who, path).toMatchObject({ name: 'Ann' })
      }
      const { answer } = await somebody.act({ do: 'signOut', redirect: false, redirectTo: '/page' })
      expect(answer).toBe(`${site}/page`)
    })
  })

  liveSuite(chromium, () => `http://localhost:${running.port}`)

  describe.runIf(version === 16 && chromium !== null)('in Chromium', () => {
    let provider: RealProvider
    let opened: RunningApp
    let site: string
    let browser: Browser
    let context: BrowserContext
    let page: Page

    beforeAll(async () => {
      const port = await freePort()
      // By another name than the provider has: to a browser these are two sites.
      site = `http://localhost:${port}`
      provider = await startRealProvider({
        clients: [{ client_id: 'app', client_secret: 'a secret of the client, which is long' }],
        redirectUris: [`${site}/api/auth/callback/company`],
      })
      opened = await app.start({ FIXTURE_ISSUER: provider.issuer }, '-p', String(port))
      browser = await launchChromium(chromium ?? '')
    }, BUILD)

    afterAll(async () => {
      await browser?.close()
      await opened?.stop()
      await provider?.close()
    })

    beforeEach(async () => {
      context = await browser.newContext()
      page = await context.newPage()
    })

    afterEach(() => context.close())

    it('signs in at an OpenID provider and out again, by server actions', async () => {
      await page.goto(`${site}/actions`)
      await page.click('#company')
      await page.fill('[name=login]', 'ada')
      await page.fill('[name=password]', 'x')
      await page.click('[type=submit]')
      await page.click('[type=submit]')
      await page.waitForURL(`${site}/page`)
      expect(await page.textContent('#who')).toContain('"role"')
      await page.goto(`${site}/actions`)
      await page.click('#leave')
      await page.waitForURL(`${site}/actions?left`)
      await page.waitForFunction(() => document.querySelector('#who')?.textContent === 'null')
    })

    it('shows how an attempt went without loading the page anew', async () => {
      await page.goto(`${site}/actions`)
      await page.evaluate(() => Reflect.set(window, 'kept', true))
      await page.fill('[name=name]', 'Lars')
      await page.click('#try')
      await page.waitForFunction(() =>
        document.querySelector('#attempt')?.textContent?.includes('locked'),
      )
      expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
    })

    it('is followed by the client in two tabs, neither of which is loaded anew', async () => {
      const other = await context.newPage()
      const shows = (tab: Page, words: string) =>
        tab.waitForFunction(
          wanted => document.querySelector('#client')?.textContent?.trim() === wanted,
          words,
        )
      for (const tab of [page, other]) {
        await tab.goto(`${site}/client`)
        await tab.evaluate(() => Reflect.set(window, 'kept', true))
        await shows(tab, 'unauthenticated')
      }
      await page.click('#enter')
      await shows(page, 'authenticated Ann')
      await other.bringToFront()
      await shows(other, 'authenticated Ann')
      await other.click('#leave')
      await shows(other, 'unauthenticated')
      await page.bringToFront()
      await shows(page, 'unauthenticated')
      for (const tab of [page, other]) {
        expect(await tab.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
      }
    })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  server.close()
  return port
}
