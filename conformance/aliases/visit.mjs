import assert from 'node:assert/strict'
import { Visitor } from '@siteauth/testing'

/** What every program answers with: people are whoever they say they are. */
export const settings = {
  secret: 'a secret for the aliases, 32 characters',
  trustHost: true,
}

export const authorize = ({ name }) => ({ id: '1', name: String(name) })

/**
 * Signs in, reads the session, signs out.
 *
 * @param answer takes a request, and resolves with the response
 * @param base the URL of the endpoints
 * @param readName resolves with who the application itself says it is, given the headers of a request
 */
export async function visit(answer, base, readName) {
  const visitor = new Visitor(answer, base)
  await visitor.post('/callback/credentials', { name: 'Ada' })
  assert.equal((await visitor.session())?.user?.name, 'Ada')
  assert.equal(await readName({ cookie: visitor.cookieHeader() }), 'Ada')
  await visitor.post('/signout')
  assert.equal(await visitor.session(), null)
  assert.equal(await readName({ cookie: visitor.cookieHeader() }), undefined)
}
