import assert from 'node:assert/strict'
import { cookiesSetBy, type IntegrationCase, locationOf, PAGE } from './integration-case.ts'
import { PASSWORD } from './suite-variables.ts'

const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example.com' }

export const REQUEST_CASES: readonly IntegrationCase[] = [
  {
    name: 'JSON is read',
    async run({ visitor, nameOf }) {
      const ada = visitor()
      await ada.postJson('/callback/credentials', { name: 'Ada', password: PASSWORD })
      assert.equal(await nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a form with parts is read',
    async run({ visitor, nameOf }) {
      const ada = visitor()
      const body = new FormData()
      body.set('csrfToken', await ada.csrfToken())
      body.set('name', 'Ada')
      body.set('password', PASSWORD)
      await ada.send('/callback/credentials', { method: 'POST', body })
      assert.equal(await nameOf(ada), 'Ada')
    },
  },
  {
    name: 'what is no JSON is refused, and so is what is too large',
    async run({ visitor, nameOf }) {
      const someone = visitor()
      const headers = { 'content-type': 'application/json' }
      const send = (body: string) =>
        someone.send('/callback/credentials', { method: 'POST', headers, body })
      assert.equal((await send('{"name": ')).status, 400)
      assert.equal((await send(JSON.stringify({ name: 'x'.repeat(300_000) }))).status, 413)
      assert.equal(await nameOf(someone), null)
    },
  },
  {
    name: 'a body of no known type is none',
    async run({ visitor, nameOf }) {
      const someone = visitor()
      const headers = { 'content-type': 'text/plain' }
      const body = JSON.stringify({ name: 'Ada', password: PASSWORD })
      const response = await someone.send('/callback/credentials', {
        method: 'POST',
        headers,
        body,
      })
      assert.ok(response.status < 500, `the status is ${response.status}`)
      assert.equal(await nameOf(someone), null)
    },
  },
  {
    name: 'a script that cannot follow redirects is told where to go',
    async run({ visitor, origin }) {
      const ada = visitor()
      const fields = { name: 'Ada', password: PASSWORD, callbackUrl: `${origin}/private` }
      const headers = { 'x-auth-return-redirect': '1' }
      const response = await ada.post('/callback/credentials', fields, headers)
      assert.deepEqual(
        [response.status, await response.json()],
        [200, { url: `${origin}/private` }],
      )
    },
  },
  {
    name: 'the endpoints are below the base path, and what they link to as well',
    async run({ visitor, visit, base }) {
      const { pathname } = new URL(base)
      const page = await (await visitor().get('/signin')).text()
      assert.ok(page.includes(`action="${base}/`) || page.includes(`action="${pathname}/`))
      const elsewhere = await visit(visitor(), '/elsewhere/auth/csrf')
      assert.equal(elsewhere.status, 404)
    },
  },
  {
    name: 'behind a proxy, cookies and addresses are those of the site that people see',
    async run({ visitor, visit, nameOf, base, origin }) {
      const { pathname } = new URL(base)
      const ada = visitor()
      const { csrfToken } = (await (await ada.get('/csrf', FORWARDED)).json()) as {
        csrfToken: string
      }
      for (const name of ada.cookies.keys()) assert.match(name, /^__(Host|Secure)-/)
      const send = (path: string, fields: Record<string, string>) =>
        ada.send(path, {
          method: 'POST',
          headers: FORWARDED,
          body: new URLSearchParams({ csrfToken, ...fields }),
        })
      const away = locationOf(await send('/signin/fake', {}), origin)
      const callback = `https://app.example.com${pathname}/callback/fake`
      assert.equal(away.searchParams.get('redirect_uri'), callback)
      await send('/callback/credentials', { name: 'Ada', password: PASSWORD })
      assert.equal(await nameOf(ada, FORWARDED), 'Ada')
      assert.equal(await nameOf(ada), null, 'without the proxy, these cookies are not looked at')
      const stranger = await visit(visitor(), '/private', { headers: { ...PAGE, ...FORWARDED } })
      const page = locationOf(stranger, 'https://app.example.com')
      assert.equal(page.origin, 'https://app.example.com')
    },
  },
  {
    name: 'prefetching a page leaves no traces',
    async run({ visitor }) {
      const response = await visitor().get('/signin', { 'sec-purpose': 'prefetch' })
      assert.ok(response.status >= 400, `the status is ${response.status}`)
      assert.deepEqual([...cookiesSetBy(response).keys()], [])
    },
  },
]
