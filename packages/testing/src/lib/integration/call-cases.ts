import assert from 'node:assert/strict'
import type { Visitor } from '../visitor.ts'
import { type IntegrationCase, locationOf, PAGE } from './integration-case.ts'
import type { Site } from './site.ts'
import { PASSWORD } from './suite-variables.ts'

export const CALL_CASES: readonly IntegrationCase[] = [
  {
    name: 'a form of the application signs in',
    async run(site) {
      const ada = site.visitor()
      const response = await submit(site, ada, '/login', { name: 'Ada', password: PASSWORD })
      assert.equal(locationOf(response, site.origin).href, `${site.origin}/private`)
      assert.equal(await site.nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a form of the application is told that a password is wrong',
    async run(site) {
      const ada = site.visitor()
      const response = await submit(site, ada, '/login', { name: 'Ada', password: 'wrong' })
      assert.equal(response.status, 401)
      assert.equal(await site.nameOf(ada), null)
    },
  },
  {
    name: 'a form of another site signs nobody in or out',
    async run(site) {
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const victim = site.visitor()
      const fields = { name: 'Ada', password: PASSWORD }
      const signIn = await submit(site, victim, '/login', fields, foreign)
      assert.ok(signIn.status >= 400, `the status is ${signIn.status}`)
      assert.equal(await site.nameOf(victim), null)
      const ada = await site.visitorAs('Ada')
      const signOut = await submit(site, ada, '/logout', {}, foreign)
      assert.ok(signOut.status >= 400, `the status is ${signOut.status}`)
      assert.equal(await site.nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a form of the application signs out',
    async run(site) {
      const ada = await site.visitorAs('Ada')
      const response = await submit(site, ada, '/logout')
      assert.equal(locationOf(response, site.origin).href, `${site.origin}/`)
      assert.equal(await site.nameOf(ada), null)
    },
  },
  {
    name: 'the application changes the session',
    sessions: 'cookie',
    async run(site) {
      const ada = await site.visitorAs('Ada')
      const response = await submit(site, ada, '/rename', { name: 'Countess' })
      assert.ok(response.status < 400, `the status is ${response.status}`)
      assert.equal(await site.nameOf(ada), 'Countess')
    },
  },
]

function submit(
  { visit, origin }: Site,
  visitor: Visitor,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = { origin, 'sec-fetch-site': 'same-origin' },
): Promise<Response> {
  const body = new URLSearchParams(fields)
  return visit(visitor, path, { method: 'POST', headers: { ...PAGE, ...headers }, body })
}
