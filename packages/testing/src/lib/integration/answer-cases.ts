import assert from 'node:assert/strict'
import { type IntegrationCase, PAGE } from './integration-case.ts'

export const ANSWER_CASES: readonly IntegrationCase[] = [
  {
    name: 'the sign-in page is a page, with its headers',
    async run({ visitor }) {
      const { status, headers } = await visitor().get('/signin', PAGE)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html\b/)
      assert.match(headers.get('content-security-policy') ?? '', /default-src/)
      assert.match(headers.get('cache-control') ?? '', /no-store/)
      assert.equal(headers.get('x-frame-options'), 'DENY')
    },
  },
  {
    name: 'the error page says what may be said, and nothing that was put in its address',
    async run({ visitor }) {
      const response = await visitor().get('/error?error=AccessDenied', PAGE)
      assert.equal(response.status, 403)
      const hostile = await visitor().get(`/error?error=${encodeURIComponent('<script>x')}`, PAGE)
      assert.ok(!(await hostile.text()).includes('<script>x'))
    },
  },
  {
    name: 'what is no endpoint is not found, and no method that there is none for is allowed',
    async run({ visitor }) {
      const someone = visitor()
      assert.equal((await someone.get('/no-such-thing')).status, 404)
      assert.equal((await someone.get('/signin/nobody')).status, 404)
      const put = await someone.send('/session', { method: 'PUT', body: 'x' })
      assert.ok([404, 405].includes(put.status), `the status is ${put.status}`)
    },
  },
  {
    name: 'HEAD is answered like GET, without a body',
    async run({ visitor }) {
      const response = await visitor().send('/providers', { method: 'HEAD' })
      assert.equal(response.status, 200)
      assert.equal(await response.text(), '')
    },
  },
  {
    name: 'the script of the pages is served',
    async run({ visitor, origin }) {
      const page = await (await visitor().get('/signin', PAGE)).text()
      const [, source] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
      assert.ok(source, 'the sign-in page has a script')
      const script = await visitor().get(new URL(source, origin).href)
      assert.equal(script.status, 200)
      assert.match(script.headers.get('content-type') ?? '', /javascript/)
    },
  },
  {
    name: 'a stream arrives whole, and in the order in which it was sent',
    async run({ visitorAs, visit }) {
      const response = await visit(await visitorAs('Ada'), '/stream')
      assert.equal(response.status, 200)
      assert.equal((await response.text()).trim(), 'Ada first, Ada second')
    },
  },
  {
    name: 'what has nothing to do with sessions is left alone',
    async run({ visitorAs, visit }) {
      const response = await visit(await visitorAs('Ada'), '/still.txt')
      assert.equal((await response.text()).trim(), 'still')
      assert.deepEqual(response.headers.getSetCookie(), [])
      assert.doesNotMatch(response.headers.get('cache-control') ?? '', /no-store/)
    },
  },
]
