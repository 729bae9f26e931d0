import { skipCSRFCheck } from '@siteauth/core'
import { describe, expect, it, vi } from 'vitest'
import {
  type Application,
  createApplication,
  everybodyIs,
  ORIGIN,
  signedIn,
} from '../spec/application.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const ENDPOINTS = [
  '/session',
  '/sessions',
  '/sessions/end',
  '/csrf',
  '/providers',
  '/signin',
  '/signin/credentials',
  '/signout',
  '/callback/credentials',
  '/callback/unknown',
  '/error',
  '/error?error=AccessDenied',
  '/error?error=Configuration',
  '/verify-request',
  '/webauthn-options/credentials',
  '/nothing',
]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

function expectNotKept(response: Response, what: string): void {
  expect(response.headers.get('cache-control'), what).toMatch(/\bno-store\b/)
  expect(response.headers.get('cache-control'), what).not.toMatch(/public|max-age=[1-9]/)
  for (const name of ['etag', 'last-modified', 'age', 's-maxage']) {
    expect(response.headers.has(name), `${what} ${name}`).toBe(false)
  }
}

async function expectNothingKept(application: Application): Promise<number[]> {
  const statuses = new Set<number>()
  for (const visitor of [application.visitor(), await signedIn(application)]) {
    for (const path of ENDPOINTS) {
      for (const method of METHODS) {
        for (const headers of [{}, { accept: 'text/html' }, { 'x-auth-return-redirect': '1' }]) {
          const response = await visitor.send(path, { method, headers })
          expectNotKept(response, `${method} ${path}`)
          statuses.add(response.status)
        }
      }
      const posted = await visitor.post(path, { username: 'Ann' })
      expectNotKept(posted, `POST ${path}`)
      statuses.add(posted.status)
    }
  }
  return [...statuses].sort()
}

describe('Nothing is kept by a cache', () => {
  it('of what a working application answers, whatever the outcome', async () => {
    const statuses = await expectNothingKept(createApplication())
    expect(statuses).toEqual([200, 302, 400, 403, 404, 405, 500])
  })

  it('of what an application with pages of its own answers', async () => {
    const pages = { signIn: '/login', signOut: '/bye', error: '/oops', verifyRequest: '/sent' }
    expect(await expectNothingKept(createApplication({ pages }))).toContain(302)
  })

  it('of what an application answers whose configuration is at fault', async () => {
    const application = createApplication({ session: { maxAge: -1 } })
    for (const path of ENDPOINTS) {
      for (const method of METHODS) {
        const response = await application.handle(new Request(`${ORIGIN}/auth${path}`, { method }))
        expectNotKept(response, `${method} ${path}`)
      }
    }
  })

  it('of a session that cannot be read', async () => {
    const application = createApplication({
      callbacks: { session: () => Promise.reject(new Error('out of order')) },
    })
    const visitor = await signedIn(application)
    const response = await visitor.get('/session')
    expect(response.status).toBe(503)
    expectNotKept(response, 'GET /session')
    expectNotKept(await visitor.postJson('/session', { data: 1 }), 'POST /session')
  })

  it('of a body that is refused', async () => {
    const visitor = createApplication().visitor()
    for (const [body, status] of [
      ['{', 400],
      ['x'.repeat(1024 * 1024), 413],
    ] as const) {
      const headers = { 'content-type': 'application/json' }
      const response = await visitor.send('/signout', { method: 'POST', body, headers })
      expect(response.status).toBe(status)
      expectNotKept(response, `${status}`)
    }
  })

  it('of a sign-in, a renewal, an update and a sign-out', async () => {
    const application = createApplication({ session: { updateAge: 0 } })
    const visitor = application.visitor()
    const fields = { username: 'Ann', password: 'correct horse battery staple' }
    expectNotKept(await visitor.post('/callback/credentials', fields), 'sign-in')
    expectNotKept(await visitor.get('/session'), 'renewal')
    expectNotKept(await visitor.postJson('/session', { data: 1 }), 'update')
    expectNotKept(await visitor.post('/signout'), 'sign-out')
  })

  it('of what is answered without the check of forms', async () => {
    const application = createApplication({ providers: [everybodyIs({ id: '1' })], skipCSRFCheck })
    for (const path of ['/callback/credentials', '/signout', '/session', '/signin']) {
      const response = await application.visitor().send(path, { method: 'POST' })
      expectNotKept(response, path)
    }
    expectNotKept(await application.visitor().get('/csrf'), '/csrf')
  })
})
