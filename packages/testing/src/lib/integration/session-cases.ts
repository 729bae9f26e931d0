import assert from 'node:assert/strict'
import { signInAs } from '../session/sign-in-as.ts'
import { cookiesSetBy, type IntegrationCase, PAGE } from './integration-case.ts'
import { type Site, SUITE_SECRET } from './site.ts'
import { addressOf, LARGE, UNREADABLE } from './suite-variables.ts'

export const SESSION_CASES: readonly IntegrationCase[] = [
  {
    name: 'a page and an API know who is signed in, and who is not',
    async run({ visitor, visitorAs, visit, nameOf }) {
      const stranger = visitor()
      assert.match(await (await visit(stranger, '/', { headers: PAGE })).text(), /stranger/)
      assert.equal(await nameOf(stranger), null)
      const ada = await visitorAs('Ada')
      assert.match(await (await visit(ada, '/', { headers: PAGE })).text(), /Hello, (<!-- -->)?Ada/)
      assert.equal(await nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a cookie that is none of ours is nobody',
    async run({ visitor, nameOf }) {
      const stranger = visitor()
      const cookie = 'authjs.session-token=eyJhbGciOiJkaXIifQ..x.y.z; %=%; authjs.session-token.0='
      assert.equal(await nameOf(stranger, { cookie }), null)
    },
  },
  {
    name: 'a session is renewed when it is due, on an answer that no cache keeps',
    sessions: 'cookie',
    async run(site) {
      for (const path of ['/', '/api/me', '/private', '/stream']) {
        const someone = await visitorOfOldSession(site)
        const response = await site.visit(someone, path, { headers: PAGE })
        assert.equal(response.status, 200, path)
        const renewed = cookiesSetBy(response).get('authjs.session-token')
        assert.ok(renewed, `${path} sets the cookie anew`)
        assert.match(response.headers.get('cache-control') ?? '', /no-store/, path)
        assert.equal(await site.nameOf(someone), 'Ada')
      }
    },
  },
  {
    name: 'a session that is not due sets no cookie',
    async run({ visitorAs, visit }) {
      const ada = await visitorAs('Ada')
      const response = await visit(ada, '/', { headers: PAGE })
      assert.deepEqual([...cookiesSetBy(response).keys()], [])
    },
  },
  {
    name: 'a session too large for one cookie takes several, and all of them go when it ends',
    sessions: 'cookie',
    async run({ visitorAs, nameOf }) {
      const large = await visitorAs(LARGE)
      const chunks = () => [...large.cookies.keys()].filter(name => /session-token\.\d$/.test(name))
      assert.ok(chunks().length > 1, 'there are several')
      assert.equal(await nameOf(large), LARGE)
      await large.post('/signout')
      assert.deepEqual(chunks(), [])
      assert.equal(await nameOf(large), null)
    },
  },
  {
    name: 'signing out ends the session, and a copied cookie with it',
    sessions: 'database',
    async run({ visitor, visitorAs, nameOf }) {
      const ada = await visitorAs('Ada')
      const thief = visitor()
      thief.addCookies([...ada.cookies].map(([name, value]) => ({ name, value })))
      await ada.post('/signout')
      assert.equal(await nameOf(ada), null)
      assert.equal(await nameOf(thief), null)
    },
  },
  {
    name: 'signing out takes a form of this site',
    async run({ visitorAs, nameOf }) {
      const ada = await visitorAs('Ada')
      await ada.send('/signout', { method: 'POST', body: new URLSearchParams({ csrfToken: 'x' }) })
      assert.equal(await nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a store that is down is not "nobody": 503, and the cookie stays',
    sessions: 'database',
    async run({ visitorAs, visit }) {
      const someone = await visitorAs(UNREADABLE)
      const before = someone.cookieHeader()
      assert.equal((await someone.get('/session')).status, 503)
      for (const headers of [PAGE, { accept: 'application/json' }]) {
        const response = await visit(someone, '/private', { headers })
        assert.equal(response.status, 503)
        assert.doesNotMatch(await response.text(), /store is down/)
      }
      assert.equal(someone.cookieHeader(), before)
    },
  },
]

/** A browser in which Ada signed in two days ago, so that the session is due. */
async function visitorOfOldSession({ visitor, origin }: Site) {
  const at = new Date(Date.now() - 2 * 86_400_000)
  const ada = { id: 'of-old', name: 'Ada', email: addressOf('Ada') }
  const config = { secret: SUITE_SECRET, session: { strategy: 'jwt' as const } }
  const { cookies } = await signInAs(config, ada, { url: origin, at, env: {} })
  const someone = visitor()
  someone.addCookies(cookies)
  return someone
}
