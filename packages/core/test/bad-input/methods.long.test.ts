import { describe, expect, it } from 'vitest'
import { CSRF_COOKIE, ORIGIN } from '../spec/application.ts'
import { openDoor } from './door.ts'

const { application, knock } = openDoor()

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'get2']

/** What every method is answered, and the methods that are named to those who use another. */
const ENDPOINTS: [path: string, get: number, post: number, allow: string | null][] = [
  ['/session', 200, 400, 'GET, POST'],
  ['/csrf', 200, 405, 'GET'],
  ['/providers', 200, 405, 'GET'],
  ['/signin', 200, 302, 'GET, POST'],
  ['/signin/credentials', 405, 302, 'POST'],
  ['/signin/unknown', 404, 404, null],
  ['/signout', 200, 302, 'GET, POST'],
  ['/callback', 404, 404, null],
  ['/callback/credentials', 405, 302, 'POST'],
  ['/callback/unknown', 404, 404, null],
  ['/error', 200, 405, 'GET'],
  ['/verify-request', 200, 405, 'GET'],
  ['/webauthn-options', 404, 404, null],
  ['/webauthn-options/credentials', 404, 404, null],
  ['/nothing', 404, 404, null],
]

function expected(method: string, get: number, post: number, allow: string | null): number {
  if (method === 'GET' || method === 'HEAD') return get
  if (method === 'POST') return post
  return allow === null ? 404 : 405
}

describe.each(ENDPOINTS)('%s', (path, get, post, allow) => {
  it.each(METHODS)('answers %s', async method => {
    const response = await knock(path, { method })
    expect(response.status).toBe(expected(method, get, post, allow))
    expect(response.headers.get('allow')).toBe(response.status === 405 ? allow : null)
    const body = await response.text()
    if (method === 'HEAD' || response.status === 302) expect(body).toBe('')
    else if (response.headers.get('content-type') === 'application/json') JSON.parse(body)
    else expect(body).toContain('</html>')
  })

  it.each(METHODS)('answers %s with a page, where a person reads it', async method => {
    const response = await knock(path, { method, headers: { accept: 'text/html' } })
    expect(response.status).toBe(expected(method, get, post, allow))
    if (response.status === 404 || response.status === 405) {
      expect(response.headers.get('content-type')).toContain('text/html')
    }
  })

  it.each(METHODS)('answers %s to a script, with the token of its form', async method => {
    const visitor = application.visitor()
    const csrfToken = await visitor.csrfToken()
    const init: RequestInit = {
      method,
      headers: {
        'x-auth-return-redirect': '1',
        cookie: `${CSRF_COOKIE}=${visitor.cookies.get(CSRF_COOKIE)}`,
        'content-type': 'application/json',
      },
    }
    if (method !== 'GET' && method !== 'HEAD') init.body = JSON.stringify({ csrfToken })
    const response = await knock(path, init)
    // A script is told where to go with 200, and its token is in order.
    const status = expected(method, get, post, allow)
    expect(response.status).toBe(method === 'POST' && status < 404 ? 200 : status)
    if (response.status === 200 && method === 'POST' && path !== '/session') {
      const { url } = (await response.json()) as { url: string }
      expect(new URL(url).origin).toBe(ORIGIN)
    }
  })
})
