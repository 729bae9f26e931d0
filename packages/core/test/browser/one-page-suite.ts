import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, openChromium, watchSite } from './chromium.ts'

/** An application with passwords and codes by email, and the built-in pages. */
export interface OnePageSite {
  readonly origin: string
  /** The path of the page that has the address of whoever is signed in on it. */
  readonly home: string
  /** The path of the endpoints. */
  readonly basePath: string
  /** What the last message has in it: a link to choose a password by, or a code. */
  lastMessage(): Promise<string>
  close(): Promise<void>
}

/** The colour schemes in which axe looks at the pages; without any, it does not. */
export type SeenSchemes = readonly ('light' | 'dark')[]

const PASSWORD = 'correct horse battery staple'

/** What a person does on the sign-in page where several ways begin with an address, in Chromium. */
export function onePageSuite(
  name: string,
  schemes: SeenSchemes,
  start: () => Promise<OnePageSite>,
): void {
  const chromium = findChromium()

  describe.skipIf(chromium === null)(
    `one sign-in page in Chromium, on ${name}`,
    { timeout: 60_000 },
    () => {
      let site: OnePageSite
      let browser: Browser
      let context: BrowserContext
      let page: Page
      let problems: string[]

      beforeAll(async () => {
        site = await start()
        browser = await openChromium()
      }, 300_000)

      afterAll(async () => {
        await browser?.close()
        await site?.close()
      })

      afterEach(async () => {
        await context.close()
        expect(problems).toEqual([])
      })

      async function startOver(options: BrowserContextOptions) {
        context = await browser.newContext(options)
        context.setDefaultTimeout(30_000)
        problems = watchSite(context, site.origin)
        page = await context.newPage()
      }

      const goToSignIn = () =>
        page.goto(`${site.origin}${site.basePath}/signin?callbackUrl=${site.home}`)

      const address = () => page.locator('[data-method=address] [name=email]')
      const password = () => page.locator('[name=password]')
      const way = (id: string) => page.locator(`[data-method=${id}] [type=submit]`)

      /** Goes to something by the keyboard alone. */
      async function tabTo(wanted: Locator) {
        await wanted.waitFor()
        const isThere = () => wanted.evaluate(element => element === document.activeElement)
        for (let pressed = 0; pressed < 20 && !(await isThere()); pressed++) {
          await page.keyboard.press('Tab')
        }
        expect(await isThere()).toBe(true)
      }

      async function typeInto(field: Locator, text: string) {
        await tabTo(field)
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      }

      async function press(button: Locator) {
        await tabTo(button)
        await page.keyboard.press('Enter')
      }

      async function expectIn(email: string) {
        await page.waitForURL(site.origin + site.home)
        await page.getByText(email).first().waitFor()
      }

      /** What is wrong with the page that is open, light and dark, where a program can tell. */
      async function violations(): Promise<string[]> {
        const found: string[] = []
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          const seen = await page.evaluate(async () => {
            // The script was put there before the page itself.
            const { run } = (window as unknown as { axe: typeof axe }).axe
            const { violations } = await run(document, {
              runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
            })
            const { scrollWidth, clientWidth } = document.documentElement
            const overflow = scrollWidth > clientWidth ? ['overflow'] : []
            const each = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html)}`)
            return [...each, ...overflow]
          })
          found.push(...seen.map(each => `${colorScheme}: ${each}`))
        }
        return found
      }

      const found = schemes.length === 0 ? '' : '; axe finds nothing'
      it(`signs up, in by password and in by code, by keyboard${found}`, async () => {
        const email = 'paula@example.com'
        // Without transitions: colours that are half way to others have too little contrast.
        await startOver({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })
        if (schemes.length > 0) await context.addInitScript({ content: axe.source })
        await goToSignIn()
        expect(await violations()).toEqual([])
        await typeInto(address(), email)
        await password().waitFor()
        expect(page.url()).not.toContain('paula')
        expect(await violations()).toEqual([])
        await press(page.getByRole('link', { name: 'Create an account' }))
        await page.getByRole('heading', { name: 'Create an account' }).waitFor()
        expect(await page.locator('[name=email]').inputValue()).toBe(email)
        await press(page.getByRole('button', { name: 'Send link' }))
        await page.getByText('We’ve sent a message').waitFor()
        await page.goto(await site.lastMessage())
        await typeInto(password(), PASSWORD)
        await expectIn(email)

        await context.clearCookies({ name: /session-token$/ })
        await goToSignIn()
        await typeInto(address(), 'bob@example.com')
        await press(page.getByRole('link', { name: 'Use another address' }))
        expect(await address().inputValue()).toBe('bob@example.com')
        await address().clear()
        await typeInto(address(), email)
        // The field has the focus: nothing has to be looked for.
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('name') === 'password',
        )
        expect(await way('password').textContent()).toContain('Last used')
        await typeInto(password(), 'not this one')
        await page.locator('[role=alert]:focus').waitFor()
        expect(await violations()).toEqual([])
        await typeInto(password(), PASSWORD)
        await expectIn(email)

        await context.clearCookies({ name: /session-token$/ })
        await goToSignIn()
        // Another one: in production, nobody gets two messages within seconds.
        const other = 'cora@example.com'
        await typeInto(address(), other)
        await press(way('mail'))
        await typeInto(page.getByLabel('Code'), 'BBBB-BBBB')
        await page.getByRole('alert').waitFor()
        await typeInto(page.getByLabel('Code'), await site.lastMessage())
        await expectIn(other)
        expect(await page.evaluate(() => localStorage.length)).toBe(0)
      })

      it.each([
        ['de', 'ltr', 'Code per E-Mail senden'],
        ['ar', 'rtl', 'إرسال رمز إلى بريدي'],
      ])('works without a script, in %s', async (locale, direction, send) => {
        const email = `${locale}@example.com`
        await startOver({ javaScriptEnabled: false, locale })
        await goToSignIn()
        expect(await page.locator('html').getAttribute('dir')).toBe(direction)
        await typeInto(address(), email)
        await typeInto(password(), 'not this one')
        await page.getByRole('alert').waitFor()
        await page.getByText(email).waitFor()
        await press(page.getByRole('button', { name: send }))
        await page.locator('[name=code]').waitFor()
        await typeInto(page.locator('[name=code]'), await site.lastMessage())
        await expectIn(email)
      })
    },
  )
}
