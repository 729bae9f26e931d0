import { signInAs } from '@siteauth/testing'
import { openSite, type Site } from '@siteauth/testing/integration'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SUITE_SECRET } from '../../packages/testing/src/lib/integration/site.ts'
import { inChromium } from '../in-chromium.ts'
import { startApplication } from '../start-application.mjs'

const PAGE = { accept: 'text/html' }

describe('pages that the server renders', () => {
  let site: Site & { close(): Promise<void> }
  beforeAll(async () => {
    const kind = { sessions: 'cookie', basePath: '/auth' } as const
    site = await openSite(kind, env => startApplication('nuxt', env))
  })
  afterAll(() => site?.close())

  it('a session that is renewed for useFetch reaches the browser, and no cache', async () => {
    const at = new Date(Date.now() - 2 * 86_400_000)
    const config = { secret: SUITE_SECRET, session: { strategy: 'jwt' as const } }
    const ada = { id: 'ada', name: 'Ada' }
    const { headers } = await signInAs(config, ada, {
      url: site.origin,
      at,
      env: { NODE_ENV: 'test' },
    })
    const response = await fetch(`${site.origin}/`, { headers: { ...PAGE, ...headers } })
    expect(await response.text()).toContain('Hello, Ada')
    const sessions = response.headers.getSetCookie().filter(line => /session-token=./.test(line))
    expect(sessions).toHaveLength(1)
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it.each([
    ['prerendered', '/about', 'About, for everybody'],
    ['kept by a rule with swr', '/news', 'News, for everybody'],
  ])('a page that is %s is the same for everybody', async (_, path, text) => {
    const ada = await site.visitorAs('Ada')
    const first = await site.visit(ada, path, { headers: PAGE })
    expect(await first.text()).toContain(text)
    const next = await site.visit(site.visitor(), path, { headers: PAGE })
    expect(await next.text()).toContain(text)
    expect(next.headers.getSetCookie()).toEqual([])
  })

  it.each(['/about', '/news', '/shared', '/kept', '/nowhere'])(
    'nothing of a session is in %s, which others may be shown',
    async path => {
      const ada = await site.visitorAs('Ada')
      const response = await site.visit(ada, path, { headers: PAGE })
      expect(await response.text()).not.toMatch(/Ada|expires/)
    },
  )

  it('what caches were told by a rule stays, where nothing of a session is in the page', async () => {
    const ada = await site.visitorAs('Ada')
    const { headers } = await site.visit(ada, '/shared', { headers: PAGE })
    expect(headers.get('cache-control')).toBe('s-maxage=60')
  })

  it('a page with a session is kept by no cache', async () => {
    const ada = await site.visitorAs('Ada')
    const response = await site.visit(ada, '/who', { headers: PAGE })
    expect(await response.text()).toContain('authenticated: Ada')
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('visitors for whom a page is rendered at the same time each see themselves', async () => {
    const names = ['Ada', 'Eve', null, 'Ada', null, 'Eve']
    const texts = names.map(async name => {
      const visitor = name ? await site.visitorAs(name) : site.visitor()
      return (await site.visit(visitor, '/who', { headers: PAGE })).text()
    })
    const seen = (await Promise.all(texts)).map(text => [...new Set(text.match(/Ada|Eve/g))])
    expect(seen).toEqual(names.map(name => (name ? [name] : [])))
  })

  it('strangers are sent to sign in by the route middleware, and come back to this site', async () => {
    for (const path of ['/private', '//private', '//evil.example/../private']) {
      const response = await site.visit(site.visitor(), path, { headers: PAGE })
      const location = response.headers.get('location') ?? '/'
      const to = new URL(location, site.origin)
      expect(to.origin).toBe(site.origin)
      const back = to.searchParams.get('callbackUrl') ?? '/'
      expect(new URL(back, site.origin).origin).toBe(site.origin)
    }
  })

  it.each(['/files/a', '/Files/a', '/files/a/_payload.json'])(
    'a header does not make the route middleware at %s take a page for an error page',
    async path => {
      for (const forged of ['true', '1']) {
        const headers = { ...PAGE, 'x-nuxt-error': forged }
        const response = await site.visit(site.visitor(), path, { headers })
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toContain('/auth/signin?callbackUrl=')
      }
    },
  )

  it('a page that fails is shown as such, whatever header it was requested with', async () => {
    const headers = { ...PAGE, 'x-nuxt-error': 'true' }
    const forged = await site.visit(site.visitor(), '/nowhere', { headers })
    const plain = await site.visit(site.visitor(), '/nowhere', { headers: PAGE })
    expect([forged.status, plain.status]).toEqual([404, 404])
    expect(withoutIds(await forged.text())).toBe(withoutIds(await plain.text()))
  })

  it.each(['/Private', '/%70rivate', '/private/', '//private', '/private/_payload.json'])(
    'a guard is not passed by %s',
    async path => {
      const response = await site.visit(site.visitor(), path, { headers: PAGE })
      expect(await response.text()).not.toContain('Private:')
      const location = new URL(response.headers.get('location') ?? '/', site.origin)
      expect(location.origin).toBe(site.origin)
    },
  )
})

inChromium('in a browser', 'nuxt', ({ site, open }) => {
  it('a link that the router follows leads strangers to the sign-in page', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL('**/auth/signin?*')
    expect(new URL(page.url()).searchParams.get('callbackUrl')).toMatch(/\/private$/)
  })

  it('a link that the router follows shows the page to whoever is signed in', async () => {
    const page = await open('/', 'Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('link', { name: 'Private' }).click()
    await page.getByText('Private: Ada').waitFor()
  })

  it('a page that was rendered for its visitor does not ask who that is', async () => {
    const page = await open('/still.txt', 'Ada')
    const { asked, faults } = watch(page)
    await page.goto(`${site().origin}/who`, { waitUntil: 'networkidle' })
    await page.getByText('authenticated: Ada').waitFor()
    expect([asked, faults]).toEqual([[], []])
  })

  it.each(['/about', '/news', '/shared'])(
    '%s, which is the same for everybody, asks who its visitor is',
    async path => {
      const page = await open('/still.txt', 'Ada')
      const { asked, faults } = watch(page)
      await page.goto(site().origin + path, { waitUntil: 'networkidle' })
      await page.getByText('Seen by Ada').waitFor()
      expect([asked, faults]).toEqual([['/auth/session'], []])
    },
  )

  it('a page that is kept sends strangers to sign in, and lets others stay', async () => {
    const ada = await open('/kept', 'Ada')
    await ada.getByText('Kept, and seen by Ada').waitFor()
    const stranger = await open('/kept')
    await stranger.waitForURL('**/auth/signin?*')
    expect(new URL(stranger.url()).searchParams.get('callbackUrl')).toMatch(/\/kept$/)
  })

  it('a sign-out in one tab is seen in another, and by the router', async () => {
    const page = await open('/who', 'Ada')
    const other = await page.context().newPage()
    await other.goto(`${site().origin}/who`, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByText('unauthenticated: nobody').waitFor()
    await other.getByRole('link', { name: 'Private' }).click()
    await other.waitForURL('**/auth/signin?*')
  })

  it('signIn leads to the sign-in page', async () => {
    const page = await open('/who')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/auth/signin?*')
  })
})

/** A page without what differs each time that it is rendered. */
function withoutIds(page: string): string {
  return page.replaceAll(/\d{5,}/g, '')
}

/** Which requests about the session a page sends, and what it complains about. */
function watch(page: Page): { asked: string[]; faults: string[] } {
  const asked: string[] = []
  const faults: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/auth/')) asked.push(pathname)
  })
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  return { asked, faults }
}
