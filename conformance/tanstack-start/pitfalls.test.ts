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
    site = await openSite(kind, env => startApplication('tanstack-start', env))
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

  it('a server function signs out, and the page shows it', async () => {
    const page = await openStart('Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('a guarded server function answers those who are signed in, and sends others there', async () => {
    const ada = await openStart('Ada')
    await ada.getByRole('button', { name: 'Secret' }).click()
    await ada.getByText('the secret of Ada').waitFor()
    const stranger = await openStart()
    await stranger.getByRole('button', { name: 'Secret' }).click()
    const callbackUrl = encodeURIComponent(`${site.origin}/`)
    await stranger.waitForURL(`${site.base}/signin?callbackUrl=${callbackUrl}`)
  })
})
