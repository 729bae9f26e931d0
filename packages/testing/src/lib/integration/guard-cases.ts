import assert from 'node:assert/strict'
import { DATA, type IntegrationCase, locationOf, PAGE } from './integration-case.ts'

export const GUARD_CASES: readonly IntegrationCase[] = [
  {
    name: 'people are sent to sign in, and come back to where they were',
    async run({ visitor, visit, origin, base }) {
      const stranger = visitor()
      const away = await visit(stranger, '/private?tab=2&x=%26', { headers: PAGE })
      assert.ok([302, 303, 307].includes(away.status), `the status is ${away.status}`)
      const page = locationOf(away, origin)
      assert.equal(page.origin + page.pathname, `${base}/signin`)
      const callbackUrl = page.searchParams.get('callbackUrl') ?? ''
      assert.equal(new URL(callbackUrl, origin).href, `${origin}/private?tab=2&x=%26`)
      assert.match(away.headers.get('cache-control') ?? '', /no-store/)
      const fields = { name: 'Ada', password: 'right', callbackUrl }
      const back = await stranger.post('/callback/credentials', fields)
      const shown = await visit(stranger, locationOf(back, origin).pathname, { headers: PAGE })
      assert.equal(shown.status, 200)
    },
  },
  {
    name: 'a path that begins like another host leads nowhere else',
    async run({ visitor, visit, origin }) {
      for (const path of ['//evil.example/private', '/\\evil.example/private']) {
        const away = await visit(visitor(), path, { headers: PAGE })
        const to = locationOf(away, origin)
        if (!away.headers.has('location')) continue // most routers know no such path
        assert.equal(to.origin, origin)
        const back = new URL(to.searchParams.get('callbackUrl') ?? '/', origin)
        assert.equal(back.origin, origin)
      }
    },
  },
  {
    name: 'programs get 401 as JSON',
    async run({ visitor, visit }) {
      for (const headers of [DATA, { ...PAGE, 'x-requested-with': 'XMLHttpRequest' }]) {
        const response = await visit(visitor(), '/private', { headers })
        assert.equal(response.status, 401)
        assert.deepEqual(await response.json(), { error: 'Unauthorized' })
      }
    },
  },
  {
    name: 'whoever is signed in passes, and caches that people share do not keep the answer',
    async run({ visitorAs, visit }) {
      const ada = await visitorAs('Ada')
      for (const headers of [PAGE, DATA]) {
        const response = await visit(ada, '/private', { headers })
        assert.equal(response.status, 200)
        assert.match(await response.text(), /Ada/)
        assert.match(response.headers.get('cache-control') ?? '', /private|no-store/)
      }
    },
  },
  {
    name: 'whoever is signed in and may not gets 403',
    async run({ visitorAs, visit }) {
      assert.equal((await visit(await visitorAs('Ada'), '/admin', { headers: PAGE })).status, 200)
      const ben = await visitorAs('Ben')
      for (const headers of [PAGE, DATA]) {
        assert.equal((await visit(ben, '/admin', { headers })).status, 403)
      }
    },
  },
]
