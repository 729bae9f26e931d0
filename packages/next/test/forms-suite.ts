import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../core/test/browser/chromium.ts'
import { liveSuite } from './live-suite.ts'
import { createApp, type NextApp, type NextVersion, type RunningApp } from './next-app.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const BUILD = 600_000
const chromium = findChromium()

/** The application of the tests, once it is built and runs. */
interface BuiltForms {
  readonly app: NextApp
  readonly running: RunningApp
}

/**
 * All that may differ between the versions of Next, on the application of the tests.
 *
 * @param without routes of it that no test of this version visits
 * @param more what else is asked of it while it runs
 */
export function formsSuite(
  version: NextVersion,
  without: readonly string[] = [],
  more: (forms: () => BuiltForms) => void = () => {},
): void {
  describe(`Next ${version}, built and started`, () => {
    let app: NextApp
    let running: RunningApp

    beforeAll(async () => {
      app = createApp(version, 'forms', { without })
      // The bundler that each version uses by itself. The Turbopack of Next 15 would take four times as long.
      if (version === 15) await app.build({ FIXTURE_BY_WEBPACK: 'yes' })
      else await app.build({}, '--turbopack')
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

    describe('of two session cookies with one name', () => {
      const NAME = 'authjs.session-token'
      const both = async (first: string, second: string) => {
        const tokens = await Promise.all([first, second].map(ann))
        return tokens.map(({ cookies }) => `${NAME}=${cookies.get(NAME)}`).join('; ')
      }

      it.each([
        '/admin',
        '/page',
        '/untouched',
        '/api/plain',
        '/api/old',
        '/old',
        '/wrapped/answer',
      ])('the first counts at %s, as it does in the proxy', async path => {
        const { who } = await nobody().get(path, { cookie: await both('Ada', 'Ann') })
        expect(who).toMatchObject({ name: 'Ada' })
      })

      it('the first is the one that is updated', async () => {
        const headers = { 'content-type': 'application/json', cookie: await both('Ada', 'Ann') }
        const body = JSON.stringify({ do: 'update', nick: 'Countess' })
        const { who } = await nobody().post('/api/act', body, headers)
        expect(who).toMatchObject({ answer: { user: { name: 'Ada', nick: 'Countess' } } })
      })

      it('a broken one behind a good one ends nothing', async () => {
        const cookie = `${NAME}=${(await ann()).cookies.get(NAME)}; ${NAME}=junk`
        const { who, setCookies } = await nobody().get('/api/plain', { cookie })
        expect(who).toMatchObject({ name: 'Ann' })
        expect(setCookies).toEqual([])
      })

      it('what the request itself has set counts more than both', async () => {
        const visitor = nobody()
        const fields = { name: 'Eve', password: 'sesame' }
        const cookie = await both('Ada', 'Ann')
        const { who } = await visitor.submit('/actions', fields, 0, { cookie })
        expect(who).toMatchObject({ name: 'Eve' })
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

      it('has its result stored by a proxy, an API route and getServerSideProps', async () => {
        const rota = await ann('Rota')
        for (const [index, path] of ['/page', '/api/old', '/old'].entries()) {
          expect(await counted(rota, path)).toBe(index + 2)
        }
      })

      it('has its result stored by no auth() that is given nothing', async () => {
        const { who, setCookies } = await (await ann('Rota')).get('/api/plain')
        expect(who).toMatchObject({ rotated: 2 })
        expect(setCookies).toEqual([])
      })

      it('of a page runs where the proxy has asked another one', async () => {
        expect((await (await ann()).get('/split')).who).toMatchObject({ role: 'split' })
        expect((await (await ann('Gone')).get('/split')).who).toBeNull()
      })

      it('is not said to have run by a header that somebody sends', async () => {
        const sent = { 'x-siteauth-asked': 'yes', 'x-other': 'kept' }
        expect((await nobody().get('/api/echo', sent)).who).toMatchObject({ asked: null })
      })

      it('runs for visitors who claim that it has run', async () => {
        const rota = await ann('Rota')
        const { who } = await rota.get('/thrice', { 'x-siteauth-asked': 'yes' })
        expect(who).toMatchObject({ rotated: 2 })
      })
    })

    describe('a cache', () => {
      const cacheControl = async (visitor: Visitor, path: string) => {
        const { response, setCookies, status } = await visitor.get(path)
        return { status, kept: response.headers.get('cache-control'), cookies: setCookies.length }
      }
      const stills = ['/static', '/still', '/still.txt', '/wrapped/static', '/composed/still']
      const isPrivate = expect.stringMatching(/^private, no-cache, no-store/)

      it.each(stills)('keeps %s, as strangers see it', async path => {
        const { status, kept, cookies } = await cacheControl(nobody(), path)
        expect({ status, cookies }).toEqual({ status: 200, cookies: 0 })
        expect(kept).toMatch(/s-maxage=|public/)
      })

      it.each([...stills, '/public', '/private/static'])(
        'keeps nothing of %s that carries a session',
        async path => {
          const seen = await cacheControl(await ann('Rota'), path)
          expect(seen).toEqual({ status: 200, kept: isPrivate, cookies: 1 })
        },
      )

      /** What the answer says to the caches that obey a header of their own. */
      const targeted = ({ headers }: Response) =>
        ['cdn-cache-control', 'vercel-cdn-cache-control', 'surrogate-control']
          .map(name => headers.get(name))
          .filter(said => said !== null && !said.includes('no-store'))

      it('may keep what a route handler with auth() says is public: it carries no session', async () => {
        const { response, setCookies } = await (await ann('Rota')).get('/api/plain/cached')
        expect(response.headers.get('cache-control')).toContain('public')
        expect(setCookies).toEqual([])
      })

      it.each([
        ['Rota', '/api/kept'],
        ['Rota', '/private/data'],
        ['Ann', '/private/data'],
        ['Rota', '/api/wrapped-kept'],
        ['Ann', '/api/wrapped-kept'],
      ])('with a header of its own keeps nothing that %s is shown at %s', async (name, path) => {
        const { response } = await (await ann(name)).get(path)
        expect(response.headers.get('cache-control')).toEqual(isPrivate)
        expect(targeted(response)).toEqual([])
      })

      it('with a header of its own keeps no session that an API route calls public', async () => {
        const { response } = await (await ann('Rota')).get('/api/old-kept')
        expect(response.headers.getSetCookie()).toHaveLength(1)
        expect(response.headers.get('cdn-cache-control')).toContain('no-store')
        expect(response.headers.get('vary')).toMatch(/cookie/i)
      })

      it('keeps no answer of a script of ours that carries a session', async () => {
        const { text } = await nobody().get('/lazy-auth/signout')
        const script = /src="([^"]*assets[^"]*)"/.exec(text)?.[1] ?? ''
        expect((await cacheControl(nobody(), script)).kept).toContain('public')
      })

      it.each(['/private/static', '/static'])(
        'keeps nothing of %s that authorized let pass with a session',
        async path => {
          expect((await cacheControl(await ann(), path)).kept).toEqual(isPrivate)
        },
      )
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
        expect((await (await ann()).get('/admin')).status).toBe(403)
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
        expect(running.log()).toContain('in an endless loop')
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

      it('says after too many attempts when to try again', async () => {
        const guess = { do: 'attempt', provider: 'credentials', name: 'Mallory', password: 'x' }
        const answers: unknown[] = []
        for (let time = 0; time < 6; time++) {
          const { answer } = await nobody().act(guess)
          answers.push(answer)
        }
        expect(answers.slice(0, 5)).toEqual(Array(5).fill(expect.objectContaining({ status: 401 })))
        expect(answers[5]).toMatchObject({
          ok: false,
          status: 429,
          error: 'TooManyAttempts',
          retryAfter: expect.any(Number),
        })
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

    describe('while a page is being rendered', () => {
      it('sends people to sign in', async () => {
        const { location } = await nobody().get('/rendered/sign-in')
        expect(location).toBe(`${running.origin}/login?callbackUrl=%2Fpage`)
      })

      it('refuses to sign out, says where that can be done, and has not done it', async () => {
        const visitor = await ann()
        expect((await visitor.get('/rendered/sign-out')).status).toBe(500)
        expect(running.log()).toContain(
          'signOut sets a cookie. Next does not allow that while a page is being rendered. Call signOut() in a server action',
        )
        expect((await visitor.get('/page')).who).toMatchObject({ name: 'Ann' })
      })
    })

    describe('requireSession', () => {
      it('lets people pass who are signed in', async () => {
        const somebody = await ann()
        expect((await somebody.get('/required')).who).toMatchObject({ name: 'Ann' })
        expect((await somebody.get('/api/required')).who).toMatchObject({ name: 'Ann' })
        expect((await somebody.post('/api/required', '')).who).toMatchObject({ name: 'Ann' })
      })

      it('sends others to sign in', async () => {
        const to = `${running.origin}/login?callbackUrl=%2F`
        const page = await nobody().get('/required')
        expect([page.status, page.location]).toEqual([307, to])
        const wrapped = await nobody().get('/api/required')
        expect([wrapped.status, wrapped.location]).toEqual([303, to])
        const bare = await nobody().post('/api/required', '')
        expect([bare.status, bare.location]).toEqual([303, to])
      })

      it('answers 403 to people that allow rejects', async () => {
        const rota = await ann('Rota')
        expect((await rota.get('/required')).status).toBe(403)
        expect((await rota.get('/api/required')).status).toBe(403)
        expect((await rota.post('/api/required', '')).status).toBe(403)
      })

      it('guards an action apart from the page that it is on', async () => {
        const somebody = await ann()
        const done = () => running.log().split('This was done by Ann.').length - 1
        expect((await somebody.submit('/required', {})).status).toBe(200)
        expect(done()).toBe(1)
        const { status, location } = await somebody.submit('/required', {}, 0, { cookie: '' })
        expect(status).toBe(303)
        expect(location).toBe(`${running.origin}/login?callbackUrl=%2Frequired`)
        expect(done()).toBe(1)
      })
    })

    describe('in a route handler', () => {
      it('throws what went wrong to the caller', async () => {
        const call = { do: 'signIn', provider: 'credentials', password: 'no', redirect: false }
        expect(await nobody().act(call)).toEqual({
          thrown: 'CredentialsSignin',
          code: 'credentials',
        })
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
        const { answer } = await nobody().act({
          do: 'signIn',
          redirect: false,
          redirectTo: '/page',
        })
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

      const foreign = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]

      it.each(foreign)('does nothing for pages of other sites: %j', async sent => {
        const somebody = await ann()
        const headers = { 'content-type': 'application/json', ...sent }
        const calls = [
          { do: 'signIn', provider: 'credentials', password: 'sesame' },
          { do: 'signOut', redirect: false },
          { do: 'update', nick: 'Mallory' },
          { do: 'rotate' },
        ]
        for (const call of calls) {
          const { who } = await somebody.post('/api/act', JSON.stringify(call), headers)
          expect(who).toEqual({ thrown: 'MissingCSRF' })
        }
      })

      it('returns to no page of another site', async () => {
        const headers = { 'content-type': 'application/json', referer: 'https://evil.example/' }
        const body = JSON.stringify({ do: 'signIn', redirect: false })
        const { who } = await nobody().post('/api/act', body, headers)
        expect(who).toEqual({ answer: `${running.origin}/login?callbackUrl=%2F` })
      })

      it('gives the session a new token', async () => {
        const somebody = await ann()
        const before = new Map(somebody.cookies)
        const { answer } = await somebody.act({ do: 'rotate' })
        expect(answer).toMatchObject({ user: { name: 'Ann' } })
        const token = [...before.keys()].find(name => name.endsWith('session-token')) ?? ''
        expect(somebody.cookies.get(token)).not.toBe(before.get(token))
        expect((await somebody.get('/api/plain')).who).toMatchObject({ name: 'Ann' })
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

    it('leads to https where a visitor names localhost beside a host that is listed', async () => {
      const headers = { host: 'localhost', 'x-forwarded-host': 'app.example.test' }
      const sent = request({
        host: '127.0.0.1',
        port: running.port,
        path: '/api/plain/listed',
        headers,
      })
      sent.end()
      const [answer] = await once(sent, 'response')
      let text = ''
      for await (const chunk of answer) text += chunk
      expect(new URL(JSON.parse(text)).origin).toBe('https://app.example.test')
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
        const { answer } = await somebody.act({
          do: 'signOut',
          redirect: false,
          redirectTo: '/page',
        })
        expect(answer).toBe(`${site}/page`)
      })
    })

    liveSuite(
      chromium,
      version === 16 ? 'everything' : 'signing in and out',
      () => `http://localhost:${running.port}`,
    )

    more(() => ({ app, running }))
  })
}
