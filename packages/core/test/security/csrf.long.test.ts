import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import {
  ANN,
  type Application,
  BOB,
  CSRF_COOKIE,
  createApplication,
  ORIGIN,
  PASSWORD,
  SESSION_COOKIE,
  signedIn,
} from '../spec/application.ts'
import type { Visitor } from '../visitor.ts'

const POSTS = ['/session', '/signin', '/signin/credentials', '/callback/credentials', '/signout']

/** What Ann's browser sends for a page that is not the application's. */
interface Attempt {
  readonly csrfToken?: string | undefined
  readonly cookie?: string | undefined
  readonly headers?: Record<string, string>
  readonly json?: boolean
}

async function attempt(ann: Visitor, path: string, { csrfToken, cookie, headers, json }: Attempt) {
  const cookies = new Map(ann.cookies)
  if (cookie === undefined) cookies.delete(CSRF_COOKIE)
  else cookies.set(CSRF_COOKIE, encodeURIComponent(cookie))
  const fields = { username: BOB.name, password: PASSWORD, data: 'changed' }
  const all = csrfToken === undefined ? fields : { ...fields, csrfToken }
  return ann.send(path, {
    method: 'POST',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: json ? JSON.stringify(all) : new URLSearchParams(all).toString(),
  })
}

/** Nothing has happened: Ann is who she was, and is told why. */
async function expectRefused(ann: Visitor, path: string, response: Response, before?: string) {
  if (path === '/session') {
    expect(response.status).toBe(400)
    expect(await response.text()).toBe('null')
  } else {
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
  }
  expect(ann.cookies.get(SESSION_COOKIE)).toBe(before)
  expect(await ann.session()).toMatchObject({ user: { name: ANN.name } })
}

async function pairOf(application: Application): Promise<{ token: string; cookie: string }> {
  const visitor = application.visitor()
  const token = await visitor.csrfToken()
  return { token, cookie: decodeURIComponent(visitor.cookies.get(CSRF_COOKIE) ?? '') }
}

describe.each(POSTS)('POST %s', path => {
  const calls: string[] = []
  const application = createApplication({
    providers: [
      Credentials({
        authorize({ username }) {
          calls.push(`authorize ${username}`)
          return username === ANN.name ? { ...ANN } : { ...BOB }
        },
      }),
    ],
    callbacks: {
      jwt({ token, trigger }) {
        if (trigger) calls.push(trigger)
        return token
      },
    },
    events: { signOut: () => void calls.push('signOut') },
  })

  async function refused(make: (ours: { token: string; cookie: string }) => Attempt) {
    const ann = await signedIn(application)
    const token = await ann.csrfToken()
    const cookie = decodeURIComponent(ann.cookies.get(CSRF_COOKIE) ?? '')
    const before = ann.cookies.get(SESSION_COOKIE)
    calls.length = 0
    for (const json of [false, true]) {
      const response = await attempt(ann, path, { ...make({ token, cookie }), json })
      await expectRefused(ann, path, response, before)
    }
    // Nor has any code of the application run.
    expect(calls).toEqual([])
  }

  async function accepted(make: (ours: { token: string; cookie: string }) => Attempt) {
    const ann = await signedIn(application)
    const token = await ann.csrfToken()
    const cookie = decodeURIComponent(ann.cookies.get(CSRF_COOKIE) ?? '')
    const response = await attempt(ann, path, make({ token, cookie }))
    if (path === '/session') expect(response.status).toBe(200)
    else expect(response.headers.get('location')).not.toContain('MissingCSRF')
  }

  it('is refused without cookie and token', () => refused(() => ({})))

  it('is refused without the token', () => refused(({ cookie }) => ({ cookie })))

  it('is refused without the cookie', () => refused(({ token }) => ({ csrfToken: token })))

  it('is refused with an empty token, or an empty cookie', async () => {
    await refused(({ cookie }) => ({ cookie, csrfToken: '' }))
    await refused(({ token }) => ({ cookie: '', csrfToken: token }))
    await refused(() => ({ cookie: '', csrfToken: '' }))
    await refused(() => ({ cookie: '|', csrfToken: '' }))
  })

  it('is refused with a token that differs in one character', () =>
    refused(({ token, cookie }) => ({
      cookie,
      csrfToken: (token.startsWith('a') ? 'b' : 'a') + token.slice(1),
    })))

  it('is refused with a token that is longer, shorter or in capitals', async () => {
    await refused(({ token, cookie }) => ({ cookie, csrfToken: `${token}0` }))
    await refused(({ token, cookie }) => ({ cookie, csrfToken: token.slice(1) }))
    await refused(({ token, cookie }) => ({ cookie, csrfToken: ` ${token}` }))
    await refused(({ token, cookie }) => ({ cookie, csrfToken: `${token.toUpperCase()}A` }))
  })

  it('is refused with a cookie that somebody made without the secret', async () => {
    const token = 'a'.repeat(64)
    for (const cookie of [
      token,
      `${token}|`,
      `${token}|${token}`,
      `${token}|${'0'.repeat(64)}`,
      `${token}|undefined`,
      `|${token}`,
    ]) {
      await refused(() => ({ cookie, csrfToken: token }))
    }
  })

  it('is refused with a cookie whose parts were changed', async () => {
    await refused(({ token, cookie }) => ({ cookie: `${cookie}0`, csrfToken: token }))
    await refused(({ token, cookie }) => ({ cookie: `x${cookie}`, csrfToken: token }))
    await refused(({ token, cookie }) => ({ cookie: cookie.slice(0, -1), csrfToken: token }))
    await refused(({ cookie }) => {
      const [token = '', hash = ''] = cookie.split('|')
      return { cookie: `${hash}|${token}`, csrfToken: hash }
    })
  })

  it('is refused with the pair of an application with another secret', async () => {
    const other = createApplication({ secret: 'the secret of another application!' })
    const { token, cookie } = await pairOf(other)
    await refused(() => ({ cookie, csrfToken: token }))
  })

  it('is refused with the cookie of one visitor and the token of another', async () => {
    const theirs = await pairOf(application)
    await refused(({ token }) => ({ cookie: theirs.cookie, csrfToken: token }))
    await refused(({ cookie }) => ({ cookie, csrfToken: theirs.token }))
  })

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site, in an old browser', { origin: 'https://evil.example' }],
    ['another site that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sister site, in an old browser', { origin: 'https://blog.example.com' }],
    ['plain http on the same host', { origin: 'http://app.example.com' }],
    ['another port of the same host', { origin: 'https://app.example.com:8443' }],
    ['a host that starts like ours', { origin: 'https://app.example.com.evil.example' }],
    ['a host in capitals', { origin: 'https://EVIL.EXAMPLE' }],
    ['what is no origin at all', { origin: 'evil' }],
    ['a browser that says what it should not', { 'sec-fetch-site': 'anything' }],
  ])('is refused from %s, although cookie and token are right', (_, headers) =>
    refused(({ token, cookie }) => ({ cookie, csrfToken: token, headers })),
  )

  it.each([
    ['a page of ours', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }],
    ['a page of ours, in an old browser', { origin: ORIGIN }],
    ['a program that says nothing', {}],
    ['a person who typed the address', { 'sec-fetch-site': 'none' }],
    ['a page of ours with a strict referrer policy', { origin: 'null' }],
  ])('is answered from %s', (_, headers) =>
    accepted(({ token, cookie }) => ({ cookie, csrfToken: token, headers })),
  )

  it('is answered from origins that are listed, and from no others', async () => {
    const open = createApplication({ trustedOrigins: ['https://blog.example.com'] })
    const ann = await signedIn(open)
    const csrfToken = await ann.csrfToken()
    const cookie = decodeURIComponent(ann.cookies.get(CSRF_COOKIE) ?? '')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const before = ann.cookies.get(SESSION_COOKIE)
    const no = await attempt(ann, path, { csrfToken, cookie, headers: foreign })
    await expectRefused(ann, path, no, before)
    const listed = { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }
    const yes = await attempt(ann, path, { csrfToken, cookie, headers: listed })
    if (path === '/session') expect(yes.status).toBe(200)
    else expect(yes.headers.get('location')).not.toContain('MissingCSRF')
  })
})

describe('A token', () => {
  it('is 256 random bits, and different for every visitor', async () => {
    const application = createApplication()
    const tokens = new Set<string>()
    for (let visitors = 0; visitors < 100; visitors++) {
      tokens.add(await application.visitor().csrfToken())
    }
    expect(tokens.size).toBe(100)
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is the same on every page and in every tab of one visitor', async () => {
    const visitor = createApplication().visitor()
    const token = await visitor.csrfToken()
    for (const page of ['/signin', '/signout']) {
      expect(await (await visitor.get(page)).text()).toContain(token)
    }
    expect(await visitor.csrfToken()).toBe(token)
  })

  it('cannot be read by another site: nothing allows it to', async () => {
    const application = createApplication()
    const headers = { origin: 'https://evil.example' }
    for (const path of ['/csrf', '/session', '/signin']) {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await application.visitor().send(path, { method, headers })
        expect(response.headers.has('access-control-allow-origin')).toBe(false)
        expect(response.headers.has('access-control-allow-credentials')).toBe(false)
      }
    }
  })

  it('that is forged in a cookie is not written to a page', async () => {
    const visitor = createApplication().visitor()
    visitor.cookies.set(CSRF_COOKIE, `${'a'.repeat(64)}%7C${'b'.repeat(64)}`)
    const html = await (await visitor.get('/signin')).text()
    expect(html).not.toContain('a'.repeat(64))
  })
})

describe('Nothing changes by GET', () => {
  it('whatever it carries', async () => {
    const application = createApplication()
    const ann = await signedIn(application)
    const csrfToken = await ann.csrfToken()
    const query = `?csrfToken=${csrfToken}&username=Bob&password=${PASSWORD}&data=x`
    for (const path of [...POSTS, '/signout', '/callback/credentials']) {
      await ann.get(path + query)
      expect(await ann.session()).toMatchObject({ user: { name: ANN.name } })
    }
  })
})
