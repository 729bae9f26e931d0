import { signInAs } from '@siteauth/testing'
import { openSite, type Site } from '@siteauth/testing/integration'
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
    const { headers } = await signInAs(config, ada, { url: site.origin, at, env: {} })
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

inChromium('in a browser', 'nuxt', ({ open }) => {
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
})
