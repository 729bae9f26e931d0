import { openSite } from '@siteauth/testing/integration'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumOptions, findChromium } from '../../packages/core/test/browser/chromium.ts'
import { startApplication } from '../start-application.mjs'

const program = findChromium()

describe.skipIf(program === null)('in a browser', () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof openSite>>
  beforeAll(async () => {
    browser = await chromium.launch(chromiumOptions(program ?? ''))
    site = await openSite({ sessions: 'cookie', basePath: '/auth' }, env =>
      startApplication('sveltekit', env),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(site.origin + path, { waitUntil: 'networkidle' })
    return page
  }

  it('a link that the router follows leads strangers to the sign-in page', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL('**/auth/signin?*')
    expect(new URL(page.url()).searchParams.get('callbackUrl')).toMatch(/\/private$/)
    await page.close()
  })

  it('a form that the router sends signs in, after it was told what is wrong', async () => {
    const page = await open('/login')
    await page.locator('[name=name]').fill('Ada')
    await page.locator('[name=password]').fill('wrong')
    await page.getByRole('button').click()
    await page.getByText('Who are you?').waitFor()
    await page.locator('[name=name]').fill('Ada')
    await page.locator('[name=password]').fill('right')
    await page.getByRole('button').click()
    await page.getByText('Private: Ada').waitFor()
    await page.close()
  })

  it('a prerendered page is the same for everybody', async () => {
    const page = await open('/about')
    await page.getByText('About, for everybody').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/auth/signin')
    await page.close()
  })
})
