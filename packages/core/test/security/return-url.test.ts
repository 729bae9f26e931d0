import type { AuthConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it, vi } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'

const ORIGIN = 'https://app.example.com'
const COOKIE = '__Secure-authjs.callback-url'
/** The longest that is taken. */
const LONGEST = `${ORIGIN}/`.padEnd(2048, 'x')

function visitorOf(config: Partial<AuthConfig> = {}) {
  const { handle } = createTestAuth({ trustHost: true, ...config })
  return new Visitor(handle)
}

/** Where a form leads that wishes to go somewhere. */
async function landing(wish: string | undefined, config?: Partial<AuthConfig>) {
  const fields = wish === undefined ? {} : { callbackUrl: wish }
  const response = await visitorOf(config).post('/signout', fields)
  return response.headers.get('location')
}

const OP = {
  id: 'op',
  name: 'OP',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'secret',
  authorization: 'https://op.test/authorize',
  token: 'https://op.test/token',
  userinfo: 'https://op.test/userinfo',
} as const

/** Begins to sign in. Answers the state. */
async function start(visitor: Visitor, callbackUrl: string | undefined): Promise<string> {
  const fields = callbackUrl === undefined ? {} : { callbackUrl }
  const started = await visitor.post('/signin/op', fields)
  return new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
}

function disagree(visitor: Visitor, state: string): Promise<Response> {
  return visitor.get(`/callback/op?error=access_denied&state=${state}`)
}

/** What is remembered of where to go, if a response says so. */
function remembered(response: Response): string | null {
  const line = response.headers.getSetCookie().find(each => each.startsWith(`${COOKIE}=`))
  return line === undefined ? null : decodeURIComponent(line.split(/[=;]/)[1] ?? '')
}

describe('a return URL', () => {
  it('of 2,048 characters is taken, and one more is not', async () => {
    expect(await landing(LONGEST)).toBe(LONGEST)
    expect(await landing(`${LONGEST}x`)).toBe(ORIGIN)
  })

  it('that is too long or no URL is not handed to the application', async () => {
    const redirect = vi.fn(({ url }: { url: string }) => url)
    const config = { callbacks: { redirect } }
    for (const wish of [`${LONGEST}x`, 'nowhere', 'x/y']) {
      expect(await landing(wish, config)).toBe(ORIGIN)
    }
    expect(redirect).not.toHaveBeenCalled()
    expect(await landing('/x', config)).toBe(`${ORIGIN}/x`)
    expect(redirect).toHaveBeenCalledWith({ url: '/x', baseUrl: ORIGIN })
  })

  it.each([[{ to: '/x' }], [['/x']], [7], [true]])(
    'that is the JSON %j is the site',
    async callbackUrl => {
      const visitor = visitorOf()
      const response = await visitor.postJson('/signout', { callbackUrl })
      expect(response.headers.get('location')).toBe(ORIGIN)
    },
  )

  it('that is empty, or missing, is the site', async () => {
    expect(await landing('')).toBe(ORIGIN)
    expect(await landing(undefined)).toBe(ORIGIN)
  })

  it.each([null, undefined, 7, {}, 'nowhere'])(
    'is the site if the application answers %j',
    async answer => {
      const redirect = () => answer as string // JavaScript has no types
      expect(await landing('/x', { callbacks: { redirect } })).toBe(ORIGIN)
    },
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://app.example.com/x',
    'file:///x',
    'about:blank',
    'view-source:https://app.example.com',
  ])('%s is never taken, whatever the application says', async url => {
    expect(await landing('/x', { callbacks: { redirect: () => url } })).toBe(ORIGIN)
    expect(await landing(url)).toBe(ORIGIN)
    const page = await visitorOf().get(`/signin?${new URLSearchParams({ callbackUrl: url })}`)
    expect([page.status, remembered(page)]).toEqual([200, ORIGIN])
  })

  it.each(['https://other.example/why', '/why'])(
    'is %s if the application refuses a sign-in with that',
    async url => {
      const Name = Credentials({ credentials: { name: {} }, authorize: () => ({ id: '1' }) })
      const visitor = visitorOf({ providers: [Name], callbacks: { signIn: () => url } })
      const refused = await visitor.post('/callback/credentials', { name: 'Ann' })
      expect(refused.headers.get('location')).toBe(new URL(url, ORIGIN).href)
      expect(await visitor.session()).toBeNull()
    },
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\t//evil.example',
    '\u0001//evil.example',
    ' //evil.example',
  ])('that begins like a path leads to no other site: %j', async url => {
    expect(await landing('/x', { callbacks: { redirect: () => url } })).toBe(ORIGIN)
  })

  it('names no user, and is written as browsers read it', async () => {
    const lead = (url: string) => landing('/x', { callbacks: { redirect: () => url } })
    expect(await lead('https://a:b@other.example/y')).toBe('https://other.example/y')
    expect(await lead('/a\\b')).toBe(`${ORIGIN}/a/b`)
    expect(await lead(ORIGIN)).toBe(ORIGIN)
    expect(await lead(`${ORIGIN}/`)).toBe(`${ORIGIN}/`)
  })
})

describe('the cookie with the return URL', () => {
  it('is set if a visitor says where to go, and not again for the same', async () => {
    const visitor = visitorOf()
    expect(remembered(await visitor.get('/signin?callbackUrl=/x'))).toBe(`${ORIGIN}/x`)
    const again = await visitor.get('/signin?callbackUrl=/x')
    expect([again.status, remembered(again)]).toEqual([200, null])
    expect(remembered(await visitor.get('/signin?callbackUrl=/y'))).toBe(`${ORIGIN}/y`)
    expect(await (await visitor.post('/signout')).headers.get('location')).toBe(`${ORIGIN}/y`)
  })

  it('is not set if the visitor says nothing', async () => {
    const visitor = visitorOf()
    expect(remembered(await visitor.get('/signin'))).toBeNull()
    expect(remembered(await visitor.get('/signin?callbackUrl='))).toBeNull()
    expect(remembered(await visitor.get('/signin?callbackUrl=/'))).toBe(`${ORIGIN}/`)
  })

  it.each([
    ['/x', `${ORIGIN}/x`],
    // Without the cookie, the site is where people return to.
    [ORIGIN, null],
    [undefined, null],
  ])(
    'is set if a provider sends a visitor back who wished %j, and did not agree',
    async (wish, url) => {
      const visitor = visitorOf({ providers: [OP] })
      const back = await disagree(visitor, await start(visitor, wish))
      expect(back.headers.get('location')).toContain(`${ORIGIN}/auth/signin?error=`)
      expect(remembered(back)).toBe(url)
    },
  )

  it('is not set if it would have more than 2,700 bytes, and the one before is removed', async () => {
    const longest = `${ORIGIN}/${'%2F'.repeat(500)}`
    const fitting = longest.padEnd(longest.length + 2700 - encodeURIComponent(longest).length, 'x')
    const open = (visitor: Visitor, url: string) =>
      visitor.get(`/signin?${new URLSearchParams({ callbackUrl: url })}`).then(response => {
        expect(response.status).toBe(200)
        return remembered(response)
      })
    const visitor = visitorOf()
    expect(await open(visitor, `${fitting}x`)).toBeNull()
    expect(await open(visitor, fitting)).toBe(fitting)
    expect(await open(visitor, `${fitting}x`)).toBe('')
    expect(visitor.cookies.has(COOKIE)).toBe(false)
  })

  it.each([
    [256, true],
    [257, false],
  ])('is one for all attempts, unless it has at most 256 characters: %i', async (length, isOwn) => {
    const visitor = visitorOf({ providers: [OP] })
    const first = `${ORIGIN}/first/`.padEnd(length, 'x')
    const state = await start(visitor, first)
    await start(visitor, `${ORIGIN}/second/`.padEnd(length, 'x'))
    expect(remembered(await disagree(visitor, state))).toBe(isOwn ? first : null)
  })

  it('counts if what the visitor says now is not a text', async () => {
    const visitor = visitorOf()
    await visitor.get('/signin?callbackUrl=/x')
    const response = await visitor.postJson('/signout', { callbackUrl: 7 })
    expect(response.headers.get('location')).toBe(`${ORIGIN}/x`)
  })

  it('counts less than what the visitor says now', async () => {
    const visitor = visitorOf()
    await visitor.get('/signin?callbackUrl=/x')
    const response = await visitor.post('/signout', { callbackUrl: '/y' })
    expect(response.headers.get('location')).toBe(`${ORIGIN}/y`)
  })

  it('is checked like a wish, since other hosts may have planted it', async () => {
    const visitor = visitorOf()
    visitor.cookies.set(COOKIE, encodeURIComponent('https://evil.example/'))
    expect((await visitor.post('/signout')).headers.get('location')).toBe(ORIGIN)
  })
})
