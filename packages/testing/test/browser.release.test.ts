import type { AuthConfig } from '@siteauth/core'
import { signInAs } from '@siteauth/testing'
import { type RunningProvider, startFakeProvider } from '@siteauth/testing/provider'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication } from '../../core/test/browser/application.ts'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'
import { type Served, serve } from '../../core/test/browser/serve.ts'

const chromium = findChromium()

describe.skipIf(chromium === null)('the kit in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser
  let provider: RunningProvider
  let site: Served
  let config: AuthConfig

  beforeAll(async () => {
    browser = await openChromium()
    provider = await startFakeProvider()
    const { issuer, clientId, clientSecret } = provider
    config = {
      secret: 'a test secret that is long enough!',
      providers: [{ id: 'fake', name: 'Fake', type: 'oidc', issuer, clientId, clientSecret }],
    }
    site = await serve(() => createApplication(config).answer, 'localhost')
  })

  afterAll(async () => {
    await browser?.close()
    await provider?.close()
    await site?.close()
  })

  async function open(path: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(site.origin + path)
    return page
  }

  it('has a browser signed in by its cookies', async () => {
    const context = await browser.newContext()
    const { cookies } = await signInAs(config, { id: '1', name: 'Ada' }, { url: site.origin })
    await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(site.origin)
    await page.getByText('Ada is signed in.').waitFor()
  })

  it('signs in whoever is chosen at the fake provider', async () => {
    const page = await open('/auth/signin?callbackUrl=/')
    await page.getByRole('button', { name: 'Fake' }).click()
    await page.getByRole('button', { name: 'Ben Example' }).click()
    await page.getByText('Ben Example is signed in.').waitFor()
  })

  it.each([
    ['the person says no', (page: Page) => page.getByRole('button', { name: 'Deny' }).click()],
    [
      'the id_token was changed',
      async (page: Page) => {
        await page.getByLabel('What goes wrong').selectOption('bad-signature')
        await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      },
    ],
  ])('signs nobody in where %s', async (_, answer) => {
    const page = await open('/auth/signin?callbackUrl=/')
    await page.getByRole('button', { name: 'Fake' }).click()
    await answer(page)
    await page.waitForURL(`${site.origin}/auth/**`)
    await page.goto(site.origin)
    expect(await page.getByRole('status').textContent()).toBe('Nobody is signed in.')
  })
})
