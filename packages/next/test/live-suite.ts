import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openChromium, settle } from '../../core/test/browser/chromium.ts'

const NOBODY = 'unauthenticated: nobody'
const ANN = 'authenticated: Ann'

/** All of it once. Where only the version or the addresses differ, what depends on them. */
type LiveScope = 'everything' | 'signing in and out'

/**
 * Two tabs that follow what server actions and the client do, on pages that no proxy stands before.
 *
 * @param origin where the application of the tests is, with the `basePath` of Next, once it runs
 */
export function liveSuite(chromium: string | null, scope: LiveScope, origin: () => string): void {
  describe.skipIf(chromium === null)('in two tabs of Chromium', () => {
    let site: string
    let browser: Browser
    let context: BrowserContext
    let reads: number
    let loads: number

    beforeAll(async () => {
      site = origin()
      browser = await openChromium()
    })

    afterAll(() => browser?.close())

    beforeEach(async () => {
      context = await browser.newContext()
      context.setDefaultTimeout(20_000)
      context.on('request', request => {
        if (request.method() === 'GET' && request.url() === `${site}/api/auth/session`) reads++
      })
    })

    afterEach(() => context.close())

    async function openTwo(kind = 'asking'): Promise<[Page, Page]> {
      const pages: [Page, Page] = [await context.newPage(), await context.newPage()]
      for (const page of pages) {
        await page.goto(`${site}/live/${kind}`)
        await shows(NOBODY, page)
        await settle(page)
      }
      reads = 0
      loads = 0
      for (const page of pages) page.on('load', () => loads++)
      return pages
    }

    async function shows(text: string, ...pages: Page[]): Promise<void> {
      for (const page of pages) await page.locator('p').getByText(text, { exact: true }).waitFor()
    }

    /** What the server rendered follows as well. */
    async function renders(text: string, ...pages: Page[]): Promise<void> {
      for (const page of pages) await page.locator('#who').getByText(text).waitFor()
    }

    const press = (page: Page, name: string) =>
      page.getByRole('button', { name, exact: true }).click()

    describe.each(scope === 'everything' ? ['asking', 'told'] : ['asking'])(
      'with a provider that is %s',
      kind => {
        it.each([
          ['server actions', 'Action: sign in', 'Action: sign out'],
          [
            'server actions that lead elsewhere',
            'Action: sign in and go',
            'Action: sign out and go',
          ],
          ['the client', 'Client: sign in', 'Client: sign out'],
        ])('shows that somebody signs in and out by %s', async (_, signIn, signOut) => {
          const [first, second] = await openTwo(kind)
          await press(first, signIn)
          await shows(ANN, first, second)
          await renders('"Ann"', first, second)
          await press(second, signOut)
          await shows(NOBODY, first, second)
          await renders('null', first, second)
          expect(loads).toBe(0)
          // One for signing in and one for signing out, for both tabs.
          expect(reads).toBe(2)
        })
      },
    )

    if (scope !== 'everything') return

    it('shows an update by a server action', async () => {
      const [first, second] = await openTwo()
      await press(first, 'Client: sign in')
      await shows(ANN, first, second)
      await press(first, 'Action: update')
      await shows('authenticated: Countess', first, second)
      expect(reads).toBe(2)
    })

    it('asks nothing because of server actions that change nothing', async () => {
      const [first] = await openTwo()
      const answered = first.waitForResponse(response => response.request().method() === 'POST')
      await press(first, 'Action: nothing')
      await answered
      await settle(first)
      expect(reads).toBe(0)
    })

    it('keeps the user while the network is cut', async () => {
      const [first, second] = await openTwo()
      await press(first, 'Client: sign in')
      await shows(ANN, first, second)
      // Next loads a page anew whose rendering is cut short.
      await renders('"Ann"', first, second)
      for (const page of [first, second]) await settle(page)
      await context.setOffline(true)
      // As if something had changed: both have to ask, and cannot.
      await first.evaluate(() => {
        // biome-ignore lint/suspicious/noDocumentCookie: as a server sets it
        document.cookie = 'siteauth.changed=0; path=/'
      })
      await shows(`${ANN}, perhaps`, first, second)
      await context.setOffline(false)
      await shows(ANN, first, second)
      expect(loads).toBe(0)
    })
  })
}
