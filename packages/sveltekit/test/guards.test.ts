import { SvelteKitAuth } from '@siteauth/sveltekit'
import { error, type Handle, type RequestEvent } from '@sveltejs/kit'
import { describe, expect, it, vi } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { whileBuilding } from './kit/environment.ts'
import { type Visit, visit } from './kit/visit.ts'

const auth = SvelteKitAuth(config)
const front = auth.requireSession({ except: ['/login', 'POST /login', '/(open)/about'] })
const inFront: Handle = ({ event, resolve }) =>
  auth.handle({ event, resolve: resolved => front({ event: resolved, resolve }) })

const inHook: Handle = ({ event, resolve }) =>
  auth.handle({
    event,
    async resolve(resolved) {
      await auth.requireSession(resolved)
      return resolve(resolved)
    },
  })

const PAGE = { accept: 'text/html' }
const FORM = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded' }
const REMOTE = '/_app/remote/1abc/secret'

/** Sends a request, and says whether anything behind the guard ran. */
async function runs(handle: Handle, path: string, given: Visit): Promise<boolean> {
  let ran = false
  const page = async (event: RequestEvent) => {
    if (handle === auth.handle) await auth.requireSession(event)
    ran = true
    return 'secret'
  }
  await visit(handle, path, page, { headers: PAGE, ...given })
  return ran
}

/** What SvelteKit 2.70 makes of requests whose URL, or header, resembles the sign-in page. */
const ATTACKS: readonly [path: string, given: Visit][] = [
  ['//login', { routeId: '/[...rest]' }],
  ['//login', { routeId: '/[...rest]', isDataRequest: true }],
  ['/.//login', { routeId: '/[...rest]' }],
  ['/LOGIN', { routeId: '/[...rest]' }],
  ['/%256cogin', { routeId: '/[...rest]' }],
  ['/login', { routeId: null }],
  [REMOTE, { routeId: '/login', namedPage: '/login', isRemoteRequest: true }],
  [REMOTE, { routeId: '/login', namedPage: '/login', isRemoteRequest: true, method: 'POST' }],
  [
    `${REMOTE}/__data.json`,
    { routeId: '/login', namedPage: '/login', isRemoteRequest: true, isDataRequest: true },
  ],
]

describe.each([
  ['called', auth.handle],
  ['in front', inFront],
])('a guard that is %s', (_, handle) => {
  it.each(ATTACKS)('is not passed by %s %o', async (path, given) => {
    expect(await runs(handle, path, given)).toBe(false)
    const headers = { ...PAGE, ...(await headersOf('Ada')) }
    expect(await runs(handle, path, { ...given, headers })).toBe(true)
  })

  it.each(['evil\\login?', 'evil/login#', ''])('answers 400 to the host %j', async host => {
    for (const isRemoteRequest of [false, true]) {
      const given = { isRemoteRequest, headers: { host } }
      expect((await visit(handle, '/login', () => 'secret', given)).status).toBe(400)
      expect(await runs(handle, '/login', given)).toBe(false)
    }
  })
})

describe.each([
  ['called in a hook', inHook],
  ['in front', inFront],
])('a guard that is %s answers by itself for a path that SvelteKit cannot decode:', (_, handle) => {
  const kinds: readonly Visit[] = [
    {},
    { isDataRequest: true },
    { isRemoteRequest: true },
    { headers: { ...PAGE, 'x-sveltekit-action': 'true' } },
    { method: 'POST', headers: { ...FORM, 'x-sveltekit-action': 'true' } },
    { headers: { accept: 'application/json' } },
  ]
  it.each(['/%', '/account/%ff', '/%zz', '/%%2541', '/%25/%'])('%s', async path => {
    for (const given of kinds) {
      const page = () => 'secret'
      const all = { routeId: null, ...given, headers: { ...PAGE, ...given.headers } }
      expect(await outcomeOf(await visit(handle, path, page, all))).toMatch(/^(302|401|redirect)$/)
    }
  })
})

/** The status of a response, or what it tells SvelteKit's own script to do. */
async function outcomeOf(response: Response): Promise<string> {
  if (response.status !== 200) return String(response.status)
  const text = await response.text()
  return text.startsWith('{') ? JSON.parse(text).type : text
}

describe('where there is no route, so that SvelteKit may catch nothing,', () => {
  const fail = () => Promise.reject(new Error('The database is down.'))
  const failing = auth.requireSession({ except: [], allow: fail })
  const teapot: Handle = () => error(418, 'A teapot')

  it.each<[string, Handle, Visit, number]>([
    ['a check that throws', ({ event, resolve }) => failing({ event, resolve }), {}, 500],
    ['an error of another hook', teapot, {}, 418],
    ['an error of another hook', teapot, { isDataRequest: true }, 418],
  ])('%s is answered', async (_, hook, given, expected) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const handle: Handle = ({ event, resolve }) =>
      auth.handle({ event, resolve: resolved => hook({ event: resolved, resolve }) })
    const headers = { ...PAGE, ...(await headersOf('Ada')) }
    const { status } = await visit(handle, '/x', () => 'secret', {
      ...given,
      routeId: null,
      headers,
    })
    expect(status).toBe(expected)
  })

  it('a configuration that cannot be made is answered', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { handle } = SvelteKitAuth(() => Promise.reject(new Error('There is no binding.')))
    expect((await visit(handle, '/x', () => 'page', { routeId: null })).status).toBe(500)
  })
})

describe('a guard in front', () => {
  it('exempts the routes that `except` names, by their ids', async () => {
    expect(await runs(inFront, '/login', {})).toBe(true)
    expect(await runs(inFront, '/signin', { routeId: '/login' })).toBe(true)
    expect(await runs(inFront, '/login', { isDataRequest: true })).toBe(true)
    expect(await runs(inFront, '/login', { method: 'POST', headers: FORM })).toBe(true)
    expect(await runs(inFront, '/about', { routeId: '/(open)/about' })).toBe(true)
    expect(await runs(inFront, '/about', { method: 'POST', routeId: '/(open)/about' })).toBe(false)
    expect(await runs(inFront, '/login', { method: 'DELETE' })).toBe(false)
  })

  it.each(['/login?/remote=1abc/secret', '/login?%2fremote=1abc/secret', '/login?a&/remote=x/y'])(
    'does not let a remote function run that a form is sent to at %s',
    async path => {
      const given = { routeId: '/login', method: 'POST', headers: FORM }
      expect(await runs(inFront, path, given)).toBe(false)
    },
  )

  it('keeps nobody from prerendering pages', async () => {
    await whileBuilding(async () => expect(await runs(inFront, '/account', {})).toBe(true))
  })
})

it('a call of a remote function is none of an endpoint, whatever page it names', async () => {
  const given = { namedPage: '/auth/csrf', routeId: null, isRemoteRequest: true }
  const response = await visit(auth.handle, REMOTE, () => 'remote', given)
  expect(await response.json()).toBe('remote')
})
