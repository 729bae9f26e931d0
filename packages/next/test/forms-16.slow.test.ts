import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/servers.mjs'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'
import { onePageSuite } from '../../core/test/browser/one-page-suite.ts'
import { type RealProvider, startRealProvider } from '../../core/test/oauth/real-provider.ts'
import { formsSuite } from './forms-suite.ts'
import type { RunningApp } from './next-app.ts'
import { tokensSuite } from './tokens-suite.ts'

formsSuite(16, forms => {
  // The middleware of Next 15 has a world of its own, and shares nothing with pages.
  tokensSuite(() => forms().app)

  onePageSuite('Next', 'what a server has a part in', async () => {
    const origin = `http://localhost:${forms().running.port}`
    return {
      origin,
      home: '/passwords',
      basePath: '/password-auth',
      lastMessage: async () => (await fetch(`${origin}/passwords/mail`)).text(),
      close: async () => {},
    }
  })

  describe.skipIf(findChromium() === null)('in Chromium', () => {
    let provider: RealProvider
    let opened: RunningApp
    let site: string
    let browser: Browser
    let context: BrowserContext
    let page: Page

    beforeAll(async () => {
      const port = await freePort()
      // By another name than the provider has: to a browser these are two sites.
      site = `http://localhost:${port}`
      provider = await startRealProvider({
        clients: [
          {
            client_id: 'app',
            client_secret: 'a secret of the client, which is long',
            post_logout_redirect_uris: [`${site}/api/auth/signout/return`],
          },
        ],
        redirectUris: [`${site}/api/auth/callback/company`],
      })
      opened = await forms().app.start({ FIXTURE_ISSUER: provider.issuer }, '-p', String(port))
      browser = await openChromium()
    }, 60_000)

    afterAll(async () => {
      await browser?.close()
      await opened?.stop()
      await provider?.close()
    })

    beforeEach(async () => {
      context = await browser.newContext()
      page = await context.newPage()
    })

    afterEach(() => context.close())

    it('signs in at an OpenID provider and out again, here and there, by server actions', async () => {
      await page.goto(`${site}/actions`)
      await page.click('#company')
      await page.fill('[name=login]', 'ada')
      await page.fill('[name=password]', 'x')
      await page.click('[type=submit]')
      await page.click('[type=submit]')
      await page.waitForURL(`${site}/page`)
      expect(await page.textContent('#who')).toContain('"role"')
      await page.goto(`${site}/actions`)
      await page.click('#leave')
      await page.waitForURL(`${provider.issuer}/session/end?*`)
      await page.click('[type=submit]')
      await page.waitForURL(`${site}/actions?left`)
      await page.waitForFunction(() => document.querySelector('#who')?.textContent === 'null')
    })

    it('shows how an attempt went without loading the page anew', async () => {
      await page.goto(`${site}/actions`)
      await page.evaluate(() => Reflect.set(window, 'kept', true))
      await page.fill('[name=name]', 'Lars')
      await page.click('#try')
      await page.waitForFunction(() =>
        document.querySelector('#attempt')?.textContent?.includes('locked'),
      )
      expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
    })

    it('leaves no trace of a page that a link fetches before anybody wants it', async () => {
      const fetched = page.waitForResponse(
        response => response.url().includes('/signin?') && response.status() < 300,
      )
      await page.goto(`${site}/links`)
      await fetched
      expect(await context.cookies()).toEqual([])
      await page.click('a')
      await page.waitForURL(`${site}/login?callbackUrl=**`)
      expect(page.url()).not.toContain('_rsc')
    })

    it('does not go back to what somebody saw who has signed out', async () => {
      await page.goto(`${site}/actions`)
      await page.fill('[name=name]', 'Ann')
      await page.fill('[name=password]', 'sesame')
      await page.click('#try')
      await page.waitForFunction(() => document.querySelector('#who')?.textContent?.includes('Ann'))
      await page.goto(`${site}/private/static`)
      const secret = await page.textContent('body')
      await page.goto(`${site}/actions`)
      await page.click('#leave')
      await page.waitForURL(`${site}/actions?left`)
      await page.goto(`${site}/still.txt`)
      for (let back = 0; back < 4 && !page.url().includes('/login'); back++) {
        await page.goBack()
        expect(await page.textContent('body')).not.toBe(secret)
      }
      expect(page.url()).toContain('/login?callbackUrl=')
    })

    it('is followed by the client in two tabs, neither of which is loaded anew', async () => {
      const other = await context.newPage()
      const shows = (tab: Page, words: string) =>
        expect
          .poll(async () => (await tab.textContent('#client'))?.trim(), { timeout: 30_000 })
          .toBe(words)
      for (const tab of [page, other]) {
        await tab.goto(`${site}/client`)
        await tab.evaluate(() => Reflect.set(window, 'kept', true))
        await shows(tab, 'unauthenticated')
      }
      await page.click('#enter')
      await shows(page, 'authenticated Ann')
      await other.bringToFront()
      await shows(other, 'authenticated Ann')
      await other.click('#leave')
      await shows(other, 'unauthenticated')
      await page.bringToFront()
      await shows(page, 'unauthenticated')
      for (const tab of [page, other]) {
        expect(await tab.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
      }
    })
  })
})
