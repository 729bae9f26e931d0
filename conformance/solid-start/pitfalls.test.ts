import { signInAs, type Visitor } from '@siteauth/testing'
import { openSite, type Site, sendRaw } from '@siteauth/testing/integration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'
import { startApplication } from '../start-application.mjs'

const SESSION = expect.stringMatching(/^authjs\.session-token=[^;]+/)
const NEVER = 'private, no-cache, no-store'
const PAGE = { accept: 'text/html' }
const SECRET = 'a secret for the pitfalls, 32 characters'
const TWO_DAYS = 2 * 86_400_000

describe('in SolidStart', () => {
  let site: Site & { close(): Promise<void> }
  beforeAll(async () => {
    const kind = { sessions: 'cookie', basePath: '/auth' } as const
    site = await openSite(kind, env =>
      startApplication('solid-start', { ...env, AUTH_SECRET: SECRET }),
    )
  })
  afterAll(() => site?.close())

  /** What somebody is answered whose session is due for renewal. */
  async function answerTo(path: string): Promise<Response> {
    const at = new Date(Date.now() - TWO_DAYS)
    const config = { secret: SECRET, session: { strategy: 'jwt' as const } }
    const { headers } = await signInAs(
      config,
      { id: 'ada@example.com', name: 'Ada' },
      { url: site.base, at, env: { NODE_ENV: 'test' } },
    )
    return site.visit(site.visitor(), path, { headers: { ...PAGE, ...headers } })
  }

  it.each([
    ['a page that is sent before it knows who it is for', '/streamed', 200],
    ['a page that waits, and would have caches keep it', '/later', 200],
    ['a server function that throws a redirect', '/elsewhere', 302],
    ['a guard in middleware, and middleware that would have caches keep the page', '/members', 200],
    ['a page that its server function guards', '/own', 200],
    ['an API route that would have caches keep its response', '/api/cached', 200],
  ])('a renewed session reaches the browser, and no cache, from %s', async (_, path, status) => {
    const response = await answerTo(path)
    expect(response.status).toBe(status)
    expect(response.headers.getSetCookie().filter(line => /session-token=./.test(line))).toEqual([
      SESSION,
    ])
    expect(response.headers.get('cache-control')).toBe(NEVER)
  })

  it('cookies of the application stay', async () => {
    const response = await answerTo('/api/cached')
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^own=yes/))
  })

  it('a response that the application has for everybody carries no cookie to the next', async () => {
    expect((await answerTo('/forall')).headers.getSetCookie()).toEqual([SESSION])
    const next = await site.visit(site.visitor(), '/forall', { headers: PAGE })
    expect([next.status, next.headers.getSetCookie()]).toEqual([302, []])
  })

  it('a sign-out outlasts an error of the application', async () => {
    const ada = await site.visitorAs('Ada')
    const headers = { origin: site.origin }
    const response = await site.visit(ada, '/broken', { method: 'POST', headers })
    expect(response.status).toBe(500)
    expect(await site.nameOf(ada)).toBeNull()
  })

  it.each(['/own', '/OWN', '/own/', '//own', '/%6fwn'])(
    'a guard in a server function is not passed by %s',
    async path => {
      const response = await site.visit(site.visitor(), path, { headers: PAGE })
      expect([302, 404]).toContain(response.status)
      expect(await response.text()).not.toContain('Own: ')
      const location = new URL(response.headers.get('location') ?? '/', site.origin)
      expect(location.origin).toBe(site.origin)
    },
  )

  it('middleware beside ours sees no session of whoever came last', async () => {
    const ada = await site.visitorAs('Ada')
    expect(await (await site.visit(ada, '/api/me')).text()).toContain('Ada')
    const response = await site.visit(site.visitor(), '/beside')
    expect(await response.text()).toContain('There is no request here')
  })

  it('a page that a rule has the platform keep is the same for everybody', async () => {
    const response = await answerTo('/kept')
    expect(await response.text()).toContain('Kept: stranger')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('a rule for all paths has no cache keep the endpoints', async () => {
    const { headers } = await answerTo('/auth/session')
    expect([headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([NEVER, null])
  })

  it('a page that redirects while it renders leaves the cookie of a guard in middleware', async () => {
    const response = await answerTo('/moved')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    expect(response.headers.getSetCookie()).toEqual([SESSION])
    expect(response.headers.get('cache-control')).toBe(NEVER)
  })

  it('a redirect thrown in middleware is an answer', async () => {
    const response = await site.visit(site.visitor(), '/thrown-in-middleware', { headers: PAGE })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain('/auth/signin?callbackUrl=')
  })

  it('a guard that throws in an API route lets nobody pass', async () => {
    const response = await site.visit(site.visitor(), '/api/thrown')
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain('expires')
  })

  /** Sends a form of a page as a browser does that runs no scripts. */
  async function send(form: RegExp, fields: Record<string, string>, visitor = site.visitor()) {
    const page = await (await site.visit(visitor, '/', { headers: PAGE })).text()
    const other = await (await site.visit(visitor, '/action', { headers: PAGE })).text()
    const [, action = ''] = form.exec(page + other) ?? []
    const response = await site.visit(visitor, action.replaceAll('&amp;', '&'), {
      method: 'POST',
      headers: { ...PAGE, origin: site.origin, referer: `${site.origin}/action` },
      body: new URLSearchParams(fields),
    })
    return { visitor, response }
  }

  const ENTER = /<form[^>]*id="enter"[^>]*action="([^"]+)"/

  it('without scripts, an action signs in', async () => {
    const { response, visitor } = await send(ENTER, { name: 'Ada', password: 'right' })
    expect(response.headers.get('location')).toBe(`${site.origin}/action`)
    expect(await site.nameOf(visitor)).toBe('Ada')
  })

  it('without scripts, an action is refused for pages of other sites', async () => {
    const visitor = site.visitor()
    const page = await (await site.visit(visitor, '/action', { headers: PAGE })).text()
    const [, action = ''] = ENTER.exec(page) ?? []
    await site.visit(visitor, action.replaceAll('&amp;', '&'), {
      method: 'POST',
      headers: { ...PAGE, origin: 'https://evil.example', referer: 'https://evil.example/' },
      body: new URLSearchParams({ name: 'Eve', password: 'right' }),
    })
    expect(await site.nameOf(visitor)).toBeNull()
  })

  it('what was written for @auth/solid-start goes on at /api/auth', async () => {
    const visitor = site.visitor()
    const { csrfToken } = (await (await site.visit(visitor, '/api/auth/csrf')).json()) as {
      csrfToken: string
    }
    await site.visit(visitor, '/api/auth/callback/credentials', {
      method: 'POST',
      headers: { origin: site.origin },
      body: new URLSearchParams({ csrfToken, name: 'Grace' }),
    })
    const session = await (await site.visit(visitor, '/api/old-me')).json()
    expect(session).toMatchObject({ user: { name: 'Grace' } })
  })
})

describe('a server function', () => {
  let site: Site & { close(): Promise<void> }
  beforeAll(async () => {
    const kind = { sessions: 'database', basePath: '/auth' } as const
    site = await openSite(kind, env => startApplication('solid-start', env))
  })
  afterAll(() => site?.close())

  /** The actions of the forms that sign somebody out. */
  async function signOuts(by: Visitor): Promise<readonly string[]> {
    const page = await (await site.visit(by, '/', { headers: PAGE })).text()
    const found = [...page.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action = '']) =>
      action.replaceAll('&amp;', '&'),
    )
    expect(found).toHaveLength(2)
    return found
  }

  const ADDRESSES = [
    ...['/_server', '/%5Fserver', '/_server/x', '/_serverx', '/_server/%ff', '/_%73erver/'],
    ...['/_server/../login', '/_server;/../login', '/_server\\..\\login', '/_server/%2e%2e/login'],
    ...['/_server/..//auth/signin', '/%5fserver/../auth/x', '/_server%2f..%2flogin'],
  ]

  it.each(ADDRESSES)('a link to %s, as in a mail, does not end the session', async address => {
    const ada = await site.visitorAs('Ada')
    for (const action of await signOuts(ada)) {
      const path = action.replace('/_server', address)
      for (const target of [path, `${path}&x=%zz`]) {
        for (const from of [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'cross-site' }, {}]) {
          const cookie = ada.cookieHeader()
          const headers = { ...PAGE, ...from, referer: `${site.origin}/`, cookie }
          await sendRaw(site.origin, { target, headers })
        }
      }
    }
    expect(await site.nameOf(ada)).toBe('Ada')
  })

  it.each(ADDRESSES)('a form on a page of the site ends the session by %s', async address => {
    const ada = await site.visitorAs('Ada')
    const [action = ''] = await signOuts(ada)
    const own = { origin: site.origin, referer: `${site.origin}/`, cookie: ada.cookieHeader() }
    const headers = { ...PAGE, ...own, 'sec-fetch-site': 'same-origin' }
    const target = action.replace('/_server', address)
    await sendRaw(site.origin, { method: 'POST', target, headers })
    expect(await site.nameOf(ada)).toBeNull()
  })
})

inChromium('in a browser', 'solid-start', ({ site, open }) => {
  it.each(['Private', 'Own'])(
    'the link %s, which the router follows, leads strangers to the sign-in page',
    async name => {
      const page = await open('/')
      await page.getByRole('link', { name }).click()
      await page.waitForURL(`${site().base}/signin?callbackUrl=*`)
    },
  )

  it('a link that the router follows shows a guarded page to whoever is signed in', async () => {
    const page = await open('/', 'Ada')
    await page.getByRole('link', { name: 'Own' }).click()
    await page.getByText('Own: Ada').waitFor()
  })

  it('an action signs out, and the page shows it', async () => {
    const page = await open('/', 'Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('a sign-out outlasts an error of the action', async () => {
    const page = await open('/', 'Ada')
    const answered = page.waitForResponse(response => response.url().includes('/_server'))
    await page.getByRole('button', { name: 'Sign out and fail' }).click()
    await answered
    await page.reload()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('an action signs in, after it has said what is wrong, and the page shows it', async () => {
    const page = await open('/action')
    const enter = async (password: string) => {
      await page.locator('#enter [name=name]').fill('Ada')
      await page.locator('#enter [name=password]').fill(password)
      await page.getByRole('button', { name: 'Enter', exact: true }).click()
    }
    await enter('wrong')
    await page.getByText('Who are you?').waitFor()
    await enter('right')
    await page.getByText('Action: Ada').waitFor()
  })

  it('a redirect that an action throws after a sign-in shows the next page to whom it is for', async () => {
    const page = await open('/action')
    await page.getByRole('button', { name: 'Enter quietly' }).click()
    await page.getByText('Later: Ada').waitFor()
  })

  it('a guarded action answers those who may, refuses others, and sends strangers to sign in', async () => {
    const ask = async (name?: string) => {
      const page = await open('/', name)
      await page.getByRole('button', { name: 'Secret' }).click()
      return page
    }
    await (await ask('Ada')).getByText('the secret of Ada').waitFor()
    await (await ask('Bob')).getByText('refused: Forbidden').waitFor()
    const back = encodeURIComponent(`${site().origin}/`)
    await (await ask()).waitForURL(`${site().base}/signin?callbackUrl=${back}`)
  })

  it('the page hands the session over: its script asks for nothing', async () => {
    const page = await open('/', 'Ada')
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByText('Hello, Ada').waitFor()
    expect(asked.filter(path => /^\/(auth|_server)/.test(path))).toEqual([])
  })

  it('a sign-out in one tab is seen in the other', async () => {
    const page = await open('/', 'Ada')
    const other = await page.context().newPage()
    await other.goto(`${site().origin}/`, { waitUntil: 'networkidle' })
    await other.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await other.getByText('Hello, stranger').waitFor()
  })
})
