import { openSite, type Site } from '@siteauth/testing/integration'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumOptions, findQuickChromium } from '../../packages/core/test/browser/chromium.ts'
import { startApplication } from '../start-application.mjs'

const program = findQuickChromium()

describe.skipIf(program === null)('links and forms that the script handles', () => {
  let site: Site & { close(): Promise<void> }
  let browser: Browser
  beforeAll(async () => {
    const kind = { sessions: 'database', basePath: '/auth' } as const
    site = await openSite(kind, env => startApplication('react-router', env))
    browser = await chromium.launch(chromiumOptions(program ?? ''))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  /** The start page, with the script running, for somebody or nobody. */
  async function openStart(name?: string): Promise<Page> {
    const context = await browser.newContext()
    const cookies = name ? [...(await site.visitorAs(name)).cookies] : []
    await context.addCookies(
      cookies.map(([key, value]) => ({ name: key, value, url: site.origin })),
    )
    const page = await context.newPage()
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    return page
  }

  it('a link to a guarded page leads strangers to sign in', async () => {
    const page = await openStart()
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL(`${site.base}/signin?callbackUrl=%2Fprivate`)
    expect(await page.locator('form').count()).toBeGreaterThan(0)
  })

  it('a link to a guarded page shows it to whoever is signed in', async () => {
    const page = await openStart('Ada')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.getByText('Private: Ada').waitFor()
  })

  it('a link to the sign-in page shows that', async () => {
    const page = await openStart()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(`${site.base}/signin`)
    expect(await page.locator('form').count()).toBeGreaterThan(0)
  })

  it('a link to a page that is not theirs shows people the ErrorBoundary', async () => {
    const page = await openStart('Ben')
    await page.getByRole('link', { name: 'Admin' }).click()
    await page.getByText('Refused: 403').waitFor()
  })

  it('a form signs out, and the page shows it', async () => {
    const page = await openStart('Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('data of a guarded route is not handed out, even if it is asked for alone', async () => {
    for (const query of ['', '?_routes=routes%2Fprivate', '?_routes=root']) {
      const response = await site.visit(site.visitor(), `/private.data${query}`)
      expect(response.status).toBe(202) // how React Router tells its script to go elsewhere
      expect(await response.text()).toContain('/auth/signin')
    }
  })
})
