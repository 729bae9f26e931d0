import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, openChromium } from '../../../packages/core/test/browser/chromium.ts'
import { PasskeyDevice } from '../../../packages/testing/src/playwright.ts'
import { RunningDemo } from './running-demo.ts'

const chromium = findChromium()
/** Where pictures go. Without it, none are taken: each costs as much as the page that it is of. */
const pictures = process.env['PICTURES']
const DAY = 24 * 60 * 60

const PHONE = {
  viewport: { width: 390, height: 844 },
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
}

/** What people do with the demo, each way to sign in on one of its applications. Next is only built for its own. */
export function demoSuite(app: 'Express' | 'Next.js'): void {
  const hasNext = app === 'Next.js'
  describe.skipIf(chromium === null)('the demo', { timeout: 120_000 }, () => {
    let neighbour: Server
    let demo: RunningDemo
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let complaints: string[]

    beforeAll(async () => {
      if (pictures) mkdirSync(pictures, { recursive: true })
      neighbour = await takePort(4000)
      demo = new RunningDemo(hasNext ? {} : { DEMO_WITHOUT_NEXT: 'yes' })
      browser = await openChromium()
      await demo.hasSaid(hasNext ? 'Next.js is ready.' : 'Press Ctrl-C')
    }, 300_000)

    afterAll(async () => {
      await browser?.close()
      demo?.clean()
      neighbour?.close()
    })

    beforeEach(() => startOver())

    afterEach(async () => {
      await context.close()
      expect(complaints).toEqual([])
    })

    async function startOver(options: Parameters<Browser['newContext']>[0] = {}) {
      await context?.close()
      complaints = []
      context = await browser.newContext({ viewport: { width: 1024, height: 1080 }, ...options })
      context.setDefaultTimeout(30_000)
      context.on('console', message => {
        const { url } = message.location()
        // The built-in pages have no icon, and browsers ask for one.
        if (message.type() !== 'error' || url.endsWith('/favicon.ico')) return
        complaints.push(`${url} ${message.text()}`)
      })
      page = await context.newPage()
    }

    const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

    async function goToSignIn(where: string = app) {
      await page.goto(demo.address(where))
      await heading('Nobody is signed in')
      await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    }

    const formOf = (method: string) => page.locator(`form[data-method="${method}"]`)

    const submit = (method: string) =>
      formOf(method).locator('[type=submit]:not([formaction])').click()

    async function typeAddress(address: string) {
      await formOf('address').getByRole('textbox').fill(address)
      await submit('address')
      await formOf('nodemailer').waitFor()
    }

    async function enterPassword() {
      await formOf('credentials').getByLabel('Email').fill('ada@example.com')
      await formOf('credentials').getByLabel('Password').fill('open sesame')
      await submit('credentials')
    }

    async function goToInbox(address: string) {
      await page.goto(demo.address('Inbox'))
      await page.getByText(address).first().waitFor()
    }

    /** It opens in a tab of its own. */
    async function openNewestLink(): Promise<Page> {
      const tab = context.waitForEvent('page')
      await page.frameLocator('iframe').first().getByRole('link').first().click()
      return tab
    }

    async function signOut() {
      await page.getByRole('button', { name: 'Sign out' }).click()
      await heading('Nobody is signed in')
    }

    async function takePicture(name: string) {
      if (!pictures) return
      const session = await context.newCDPSession(page)
      const options = { format: 'webp', quality: 80 } as const // which is small
      const { data } = await session.send('Page.captureScreenshot', options)
      writeFileSync(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'))
    }

    const seesEvent = (words: RegExp) =>
      page.getByRole('listitem').filter({ hasText: words }).first().waitFor()

    it('says which port is taken, and goes on with another', async () => {
      expect(demo.output).toMatch(/Port 4000 is taken: the start page is at \d+ instead/)
      expect(demo.address('Start here')).not.toContain(':4000')
      await page.goto(demo.address('Start here'))
      await heading('Sign in, four ways, on two frameworks')
      await takePicture('start')
    })

    describe(`on ${app}`, () => {
      const picture = (name: string) =>
        takePicture(`${app.toLowerCase().replace('.js', '')}-${name}`)

      it('signs in with Example', async () => {
        await goToSignIn()
        await picture('sign-in')
        await submit('example')
        await page.getByLabel('Your name').fill('Grace')
        await picture('at-example')
        await page.getByRole('button', { name: 'Continue' }).click()
        await heading('Hello, Grace')
        await seesEvent(/signIn.*grace@provider.example by example/)
        await picture('with-example')
        await signOut()
        await seesEvent(/signOut/)
      })

      it('signs in by a link from the inbox', async () => {
        await goToSignIn()
        await typeAddress(`mary@${app}.example`)
        await submit('nodemailer')
        await heading('Check your email')
        await goToInbox(`mary@${app.toLowerCase()}.example`)
        await picture('inbox')
        page = await openNewestLink()
        await heading(`Hello, mary@${app.toLowerCase()}.example`)
        await picture('with-email')
        await signOut()
      })

      it('signs up with a passkey, and then in with it', async () => {
        await goToSignIn()
        await typeAddress(`joan@${app}.example`)
        await formOf('passkey').locator('[formaction]').click()
        await heading('Check your email')
        await goToInbox(`joan@${app.toLowerCase()}.example`)
        page = await openNewestLink()
        await PasskeyDevice.attach(page)
        await heading('Create a passkey')
        await picture('create-a-passkey')
        await page.getByRole('button', { name: 'Create a passkey' }).click()
        await heading(`Hello, joan@${app.toLowerCase()}.example`)
        await signOut()
        await goToSignIn() // where the browser offers it, and the device says yes
        await heading(`Hello, joan@${app.toLowerCase()}.example`)
        await picture('with-passkey')
        await signOut()
      })

      it('keeps the session in the cookie when switched, and has the other one still', async () => {
        await goToSignIn()
        await enterPassword()
        await heading('Hello, Ada Lovelace')
        await page.getByRole('button', { name: 'In the cookie', exact: true }).click()
        await heading('Nobody is signed in')
        await goToSignIn()
        await enterPassword()
        await heading('Hello, Ada Lovelace')
        await page.getByText('Read from the cookie alone').waitFor()
        await seesEvent(/signIn.*ada@example.com by credentials/)
        await picture('in-the-cookie')
        await signOut()
        await page.getByRole('button', { name: 'In SQLite' }).click()
        await heading('Hello, Ada Lovelace')
      })

      async function signInOn(where: string, on: Page) {
        const before = page
        page = on
        await page.goto(demo.address(app))
        await page.getByRole('button', { name: where, exact: true }).click()
        await page.locator('[aria-pressed=true]', { hasText: where }).waitFor()
        await page.getByRole('link', { name: 'Sign in', exact: true }).click()
        await enterPassword()
        await heading('Hello, Ada Lovelace')
        page = before
      }

      // Either application can do both, by the same functions.
      const where = app === 'Express' ? 'In SQLite' : 'In the cookie'
      it(`lists devices, and ends them from another one: ${where}`, async () => {
        await signInOn(where, page)
        const phone = await browser.newContext({
          ...PHONE,
          userAgent: `${PHONE.userAgent} <script>alert(1)</script>`,
        })
        phone.setDefaultTimeout(30_000)
        const there = await phone.newPage()
        await page.getByRole('link', { name: 'Your devices' }).click()
        await heading('Your devices')
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click() // in other tests
        await page.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
        await signInOn(where, there)
        await page.reload()
        const devices = page.getByRole('listitem')
        expect(await devices.count()).toBe(2)
        expect(await devices.filter({ hasText: 'This one' }).textContent()).toMatch(
          /^\s*Chrome on Linux.*By credentials/s,
        )
        await picture(`devices-${where === 'In SQLite' ? 'sqlite' : 'cookie'}`)
        await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
        // Nobody touched it.
        await there.getByRole('heading', { name: 'Nobody is signed in' }).waitFor()
        await devices.filter({ hasText: 'iPhone' }).waitFor({ state: 'detached' })

        await signInOn(where, there)
        await page.reload()
        expect(await devices.count()).toBe(2)
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
        await there.getByRole('heading', { name: 'Nobody is signed in' }).waitFor()
        await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
        await heading('Nobody is signed in')
        await phone.close()
      })

      it('signs in with a password, and tells the truth about every cookie', async () => {
        await goToSignIn()
        await enterPassword()
        await heading('Hello, Ada Lovelace')
        await picture('with-password')
        const cookies = await context.cookies(demo.address(app))
        for (const { name, httpOnly, sameSite, path, expires } of cookies) {
          expect({ httpOnly, sameSite, path }, name).toEqual({
            httpOnly: name !== 'siteauth.changed',
            sameSite: 'Lax',
            path: '/',
          })
          const words = await page.locator('.cookies > div', { hasText: name }).textContent()
          expect(words, name).toContain(lifetimeInWords(expires))
          expect(words?.includes('scripts can read'), name).toBe(!httpOnly)
        }
        expect(cookies.map(({ name }) => name)).toContain('authjs.session-token')
      })
    })

    if (hasNext) {
      it('is signed in on Next.js who signed in on Express', async () => {
        await goToSignIn('Express')
        await enterPassword()
        await heading('Hello, Ada Lovelace')
        await page.getByRole('link', { name: 'Next.js' }).click()
        await heading('Hello, Ada Lovelace')
        expect(page.url()).toContain(demo.address('Next.js'))
      })
    }

    it('fits a phone, in the dark', async () => {
      await startOver({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
      for (const name of ['Start here', 'Inbox', 'Express', ...(hasNext ? ['Next.js'] : [])]) {
        await page.goto(demo.address(name))
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, name).toBeLessThanOrEqual(390)
      }
      await goToSignIn('Express')
      await enterPassword()
      await heading('Hello, Ada Lovelace')
      await takePicture('phone')
    })

    it('leaves nothing behind when it is interrupted', async () => {
      expect(await demo.interrupt()).toBe(0)
      expect(demo.isAlive()).toBe(false)
    })
  })
}

/** Listens at a port, unless somebody does already. */
function takePort(port: number): Promise<Server> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(server))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function lifetimeInWords(expires: number): string {
  if (expires === -1) return 'until the browser closes'
  const seconds = expires - Date.now() / 1000
  return seconds > 2 * DAY
    ? `${Math.round(seconds / DAY)} days`
    : `${Math.round(seconds / 60)} minutes`
}
