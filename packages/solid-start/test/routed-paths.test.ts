import { SiteAuth } from '@siteauth/solid-start'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { eventOf, visit } from './visit.ts'

// SolidStart runs functions by the beginning of the decoded target, and pages by a URL that is made of it.

const PAGE = { accept: 'text/html' }
const allow = ({ user }: { user?: { name?: string | null } }) => user?.name === 'Ada'

/** Who is denied: a visitor, and a user whom `allow` rejects. */
async function denied(): Promise<readonly Record<string, string>[]> {
  return [{}, await headersOf('Ben')]
}

describe.each(['/login', undefined])('with the sign-in page %s', signIn => {
  const auth = SiteAuth({ ...config, ...(signIn && { pages: { signIn } }) })

  it.each([
    '/_server/..//api/auth/signin',
    '/_server/../login',
    '/_server;/../login',
    '/_server\\..\\login',
    '/_server/%2e%2e/login',
    '/_server/..//login',
    'http://evil.example//login',
    '/.//login',
    '//login',
    '/login',
    '/api/auth/signin/../../../login',
  ])('a guard that is called lets nobody pass at %s', async target => {
    for (const who of await denied()) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        for (const script of [{}, { 'x-server-id': 'f', 'sec-fetch-site': 'same-origin' }]) {
          for (const guard of [auth.guard, auth.requireSession]) {
            const headers = { ...PAGE, ...who, ...script }
            const event = eventOf(target, { method, headers })
            const page = async () => (await guard({ allow })) ?? 'nobody'
            const answer = visit(auth, event, { page }).catch(thrown => thrown)
            const { status } = (await answer) as { status: number }
            expect([302, 303, 403, 508]).toContain(status)
          }
        }
      }
    }
  })
})

describe('a guard in front', () => {
  const auth = SiteAuth({ ...config, pages: { signIn: '/login' } })
  const own = { requireSession: { except: ['/login', 'POST /login', '/_server'], allow } }

  it('exempts what it names, by the methods that it names', async () => {
    for (const [method, target] of [
      ['GET', '/login'],
      ['HEAD', '/login?callbackUrl=%2F'],
      ['POST', '/login'],
    ] as const) {
      expect((await visit(auth, eventOf(target, { method, headers: PAGE }), { own })).status).toBe(
        200,
      )
    }
  })

  it.each([
    ['GET', '/LOGIN'],
    ['GET', '/login/'],
    ['GET', '//login'],
    ['GET', '/.//login'],
    ['GET', '/x/../login'],
    ['GET', '/x/%2e%2e/login'],
    ['GET', '/%6cogin'],
    ['GET', '/login#/../x'],
    ['GET', 'http://localhost/login'],
    ['GET', 'http://evil.example//login'],
    ['PUT', '/login'],
    ['POST', '/_server/../login'],
    ['GET', '/_server/../login'],
    // A function is never exempt.
    ['GET', '/_server'],
    ['GET', '/_server?id=1&name=x'],
  ])('does not exempt %s %s', async (method, target) => {
    for (const who of await denied()) {
      const event = eventOf(target, { method, headers: { ...PAGE, ...who } })
      const page = () => {
        throw new Error('It ran.')
      }
      const { status } = await visit(auth, event, { own, page })
      expect([302, 303, 403]).toContain(status)
    }
  })

  it('lets users with access pass', async () => {
    const headers = { ...PAGE, ...(await headersOf('Ada')) }
    for (const target of ['/x', '/_server/../login', '//login']) {
      expect(await (await visit(auth, eventOf(target, { headers }), { own })).text()).toBe('page')
    }
  })

  it('runs before middleware of the application', async () => {
    const onRequest = () => {
      throw new Error('It ran.')
    }
    const response = await visit(auth, eventOf('/x'), { own: { ...own, onRequest } })
    expect(response.status).toBe(401)
  })
})

it('a layout on the sign-in page gets no session for nobody', async () => {
  const auth = SiteAuth({ ...config, pages: { signIn: '/login' } })
  expectTypeOf(auth.requireSession).returns.resolves.not.toBeNullable()
  for (const who of await denied()) {
    const event = eventOf('/login', { headers: { ...PAGE, ...who } })
    const page = async () => (await auth.requireSession({ allow })).user?.name
    await expect(visit(auth, event, { page })).rejects.toBeDefined()
  }
})

it.each(['', 'evil\\login?', 'evil/login#', 'evil evil'])(
  'a request with the Host "%s" gets 400',
  async host => {
    const auth = SiteAuth(config)
    for (const target of ['/', '/_server', '/api/auth/session']) {
      const event = eventOf(target, { headers: host === '' ? {} : { host } })
      const { node } = event.nativeEvent
      const req = { ...node?.req, headers: { host } }
      const response = await visit(auth, { ...event, nativeEvent: { node: { req } } })
      expect(response.status).toBe(400)
    }
  },
)
