import { SiteAuth } from '@siteauth/tanstack-start'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { dispatched } from './dispatched.ts'

const auth = SiteAuth(config)

const CALL = { 'x-tsr-serverFn': 'true', accept: 'application/json' }

function requestTo(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init)
}

async function answerTo(
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const next = async () => ({ response: await answer() })
  const result = await auth.middleware({ request, ...dispatched(request), next })
  return result instanceof Response ? result : result.response
}

describe('a redirect that the application has for everybody', () => {
  const redirectOf = () => {
    const options = { to: '/', statusCode: 307 }
    const response = new Response(null, { status: 307, headers: { location: '/' } })
    return Object.assign(response, { options })
  }

  it.each(['returned', 'thrown'])('does not carry cookies to the next visitor, %s', async how => {
    const forAll = redirectOf()
    const request = requestTo('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const answered = answerTo(request, async () => {
      await auth.getSession(request)
      if (how === 'thrown') throw forAll
      return forAll
    })
    const answer: Response = await answered.catch(thrown => thrown)
    expect(answer.headers.getSetCookie()).toEqual([SESSION])
    expect(answer.headers.get('cache-control')).toBe(NEVER)
    expect(answer).toHaveProperty('options', forAll.options)
    const next = await answerTo(requestTo('/'), () => forAll)
    expect(next.headers.getSetCookie()).toEqual([])
  })
})

describe('an error of the application', () => {
  const calls: [string, (request: Request) => Promise<unknown>][] = [
    ['a sign-in', request => auth.signIn(request, 'credentials', { name: 'Ada' })],
    ['a sign-out', request => auth.signOut(request)],
    ['a renewal', request => auth.getSession(request)],
  ]

  it.each(calls)('after %s leaves it its cookie, and is in the log', async (_, call) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    const headers = await headersOf('Ada', { daysAgo: 2 })
    const request = requestTo('/', { method: 'POST', headers })
    const forAll = Object.assign(new Error('The shop is closed'), { status: 503 })
    const answer: Response = await answerTo(request, async () => {
      await call(request)
      throw forAll
    }).catch(thrown => thrown)
    const cookies = answer.headers.getSetCookie()
    expect(cookies.filter(line => line.startsWith('authjs.session-token'))).toHaveLength(1)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, NEVER])
    expect(await answer.text()).not.toContain('shop')
    expect(logged.mock.calls).toEqual([[forAll]])
    expect(Object.keys(forAll)).toEqual(['status'])
  })

  it('is left to TanStack Start where there is no cookie to lose', async () => {
    const request = requestTo('/')
    const error = new Error('The shop is closed')
    const answered = answerTo(request, async () => {
      await auth.getSession(request)
      throw error
    })
    await expect(answered).rejects.toBe(error)
  })
})

describe('a guard', () => {
  it.each([
    ['GET', '/account', {}],
    ['HEAD', '/account', { accept: 'text/html' }],
    ['OPTIONS', '/account', {}],
    ['GET', '/account', CALL],
    ['POST', '/_serverFn/abc', { ...CALL, referer: 'https://evil.example/' }],
    ['POST', '/_serverFn/abc', { ...CALL, referer: 'http://localhost/auth/signin' }],
    ['POST', '/_serverFn/abc', { 'x-tsr-serverFn': 'TRUE' }],
    ['GET', '//evil.example/account', { accept: 'text/html' }],
  ])('is not passed by %s %s %o', async (method, path, headers) => {
    const request = requestTo(path, { method, headers })
    let runs = 0
    const next = async () => {
      runs++
      return { response: new Response('secret') }
    }
    const answer = await answerTo(request, async () => {
      const result = await auth.requireSession({ except: [] })({
        request,
        ...dispatched(request),
        next,
      })
      return result instanceof Response ? result : result.response
    })
    expect(runs).toBe(0)
    expect([302, 401]).toContain(answer.status)
    const location = new URL(answer.headers.get('location') ?? '/', 'http://localhost')
    const back = new URL(location.searchParams.get('callbackUrl') ?? '/', 'http://localhost')
    expect([location.host, back.host]).toEqual(['localhost', 'localhost'])
  })

  it('that a server function is refused by has the answer kept by no cache', async () => {
    const headers = { ...(await headersOf('Ada')), ...CALL }
    const request = requestTo('/_serverFn/abc', { headers })
    const answer = await answerTo(request, async () => {
      const refused = auth.requireSession(request, { allow: () => false })
      await expect(refused).rejects.toThrow('Forbidden')
      return new Response('An error', { headers: { 'cache-control': 'public, max-age=60' } })
    })
    expect(answer.headers.get('cache-control')).toBe(NEVER)
  })
})

it.each([
  ['signIn', (request: Request) => auth.signIn(request, 'credentials', { name: 'Eve' })],
  ['signOut', (request: Request) => auth.signOut(request)],
  ['update', (request: Request) => auth.update(request, { name: 'Eve' })],
])('%s is refused for forms of other sites', async (_, action) => {
  for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    for (const kind of [{}, CALL]) {
      const headers = { ...(await headersOf('Ada')), ...foreign, ...kind }
      const request = requestTo('/', { method: 'POST', headers })
      const answered = answerTo(request, async () => Response.json(await action(request)))
      await expect(answered).rejects.toThrow(/sent by|hides/)
    }
  }
})
