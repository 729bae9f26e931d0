import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, openChromium, settle } from '../../../core/test/browser/chromium.ts'
import { type Site, startSite } from './site.ts'

const chromium = findChromium()
const NOBODY = 'unauthenticated: nobody'
const ANN = 'authenticated: Ann'

export interface SessionSetting {
  readonly react: 18 | 19
  readonly strategy: 'jwt' | 'database'
}

export function sessionSuite(setting: SessionSetting): void {
  const title = `React ${setting.react} in Chromium, with sessions of kind ${setting.strategy}`
  describe.skipIf(chromium === null)(title, () => {
    let site: Site
    let browser: Browser
    let context: BrowserContext
    let faults: string[]

    beforeAll(async () => {
      site = await startSite(setting.react, setting.strategy)
      browser = await openChromium()
    })

    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })

    beforeEach(async () => {
      faults = []
      context = await browser.newContext()
      context.setDefaultTimeout(15_000)
      context.on('weberror', error => faults.push(error.error().message))
      site.countReads()
    })

    afterEach(async () => {
      await context.close()
      expect(faults).toEqual([])
    })

    async function open(path = '/'): Promise<Page> {
      const page = await context.newPage()
      await page.goto(site.origin + path)
      return page
    }

    async function shows(text: string, ...pages: Page[]): Promise<void> {
      for (const page of pages) await page.locator('p').getByText(text, { exact: true }).waitFor()
    }

    async function press(page: Page, name: string): Promise<void> {
      await page.getByRole('button', { name, exact: true }).click()
    }

    /** Presses a button, and answers what came of it. */
    async function outcomeOf(page: Page, name: string): Promise<unknown> {
      await page.evaluate(() => {
        const output = document.querySelector('output')
        if (output?.firstChild) output.firstChild.nodeValue = ''
      })
      await press(page, name)
      await page.waitForFunction(() => document.querySelector('output')?.textContent)
      return JSON.parse((await page.locator('output').textContent()) ?? '')
    }

    /** Two tabs where nobody is signed in. Neither may be loaded again. */
    async function openTwo(): Promise<{ first: Page; second: Page; loads: () => number }> {
      const [first, second] = [await open(), await open()]
      await shows(NOBODY, first, second)
      site.countReads()
      let loads = 0
      for (const page of [first, second]) page.on('load', () => loads++)
      return { first, second, loads: () => loads }
    }

    it.each(['/', '/?strict'])('asks once when it is mounted: %s', async path => {
      const page = await open(path)
      await shows(NOBODY, page)
      await settle(page)
      expect(site.countReads()).toBe(1)
    })

    it('shows what the server sent, wherever that arrives after the session', async () => {
      const page = await open()
      await press(page, 'Sign in')
      await shows(ANN, page)
      // The page is not loaded before all of it has arrived.
      await page.goto(`${site.origin}/streamed`, { waitUntil: 'commit' })
      await shows(`early ${ANN}`, page)
      await context.request.post(`${site.origin}/release`)
      await shows(`late ${ANN}`, page)
    })

    it.each(['/?rendered', '/?rendered&strict'])('asks nothing if it is told: %s', async path => {
      const page = await open(path)
      await shows(NOBODY, page)
      await settle(page)
      expect(site.countReads()).toBe(0)
    })

    it.each([
      ['by the client', 'Sign in', 'Sign out'],
      ['by the server', 'Sign in on the server', 'Sign out on the server'],
    ])('shows in two tabs that somebody signs in and out %s', async (_, signIn, signOut) => {
      const { first, second, loads } = await openTwo()
      await press(first, signIn)
      await shows(ANN, first, second)
      await press(second, signOut)
      await shows(NOBODY, first, second)
      await settle(first)
      expect(loads()).toBe(0)
      // One for signing in and one for signing out, by whichever tab was first.
      expect(site.countReads()).toBe(2)
    })

    describe('the list of sessions', () => {
      /** A tab with the list, of somebody who is signed in here and elsewhere. */
      async function openDevices(): Promise<{ here: Page; elsewhere: Page }> {
        const other = await browser.newContext()
        const elsewhere = await other.newPage()
        await elsewhere.goto(site.origin)
        await press(elsewhere, 'Sign in')
        await shows(ANN, elsewhere)
        const start = await open()
        await press(start, 'Sign in')
        await shows(ANN, start)
        const here = await open('/devices')
        await press(here, 'End others') // of other tests
        await shows('authenticated, 1', here)
        await elsewhere.reload()
        await shows(NOBODY, elsewhere)
        await press(elsewhere, 'Sign in')
        await shows(ANN, elsewhere)
        await here.reload()
        await shows('authenticated, 2', here)
        return { here, elsewhere }
      }

      it('ends the session of another browser', async () => {
        const { here, elsewhere } = await openDevices()
        await press(here, 'End the other')
        await shows('authenticated, 1', here)
        await press(elsewhere, 'Refresh')
        await shows(NOBODY, elsewhere)
        await elsewhere.context().close()
      })

      it('knows, in all tabs, that nobody is signed in when it was their own', async () => {
        const { here, elsewhere } = await openDevices()
        const tab = await open()
        await shows(ANN, tab)
        await press(here, 'End this one')
        await shows('unauthenticated, 0', here)
        await shows(NOBODY, tab)
        await press(elsewhere, 'Refresh')
        await shows(ANN, elsewhere)
        await elsewhere.context().close()
      })
    })

    it('knows who has signed in before that is reported', async () => {
      const page = await open()
      await shows(NOBODY, page)
      expect(await outcomeOf(page, 'Sign in')).toEqual({ status: 200, ok: true, url: page.url() })
      expect(await page.locator('p').textContent()).toBe(ANN)
    })

    it('keeps the user while the server has no answer, and finds out by itself when it has', async () => {
      const page = await open()
      await press(page, 'Sign in')
      await shows(ANN, page)
      await page.route('**/auth/session', route => route.fulfill({ status: 503, body: '{}' }))
      expect(await outcomeOf(page, 'Refresh')).toBe('failed')
      await shows(`${ANN}, perhaps`, page)
      await page.unroute('**/auth/session')
      await shows(ANN, page)
    })

    it('renders nothing anew for an answer that says the same', async () => {
      const page = await open()
      await press(page, 'Sign in')
      await shows(ANN, page)
      await settle(page)
      const before = Number(await outcomeOf(page, 'Count renders'))
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await settle(page)
      // Once for the count itself.
      expect(await outcomeOf(page, 'Count renders')).toBe(before + 1)
    })

    it('updates the session for both tabs by one request', async () => {
      const { first, second } = await openTwo()
      await press(first, 'Sign in')
      await shows(ANN, first, second)
      site.countReads()
      expect(await outcomeOf(first, 'Rename')).toMatchObject({ user: { name: 'Anna' } })
      await shows('authenticated: Anna', first, second)
      await settle(second)
      expect(site.countReads()).toBe(0)
    })

    it('follows what the server renders', async () => {
      const page = await open('/?rendered')
      await shows(NOBODY, page)
      await page.evaluate(() => {
        const session = { user: { name: 'Bob' }, expires: '2099-01-01T00:00:00.000Z' }
        window.dispatchEvent(new CustomEvent('render', { detail: { session } }))
      })
      await shows('authenticated: Bob', page)
      expect(site.countReads()).toBe(0)
    })

    // What follows is neither for React nor for the store to decide.
    if (setting.react !== 19) return

    it('answers a wrong password with 401, and asks for nothing', async () => {
      const page = await open()
      await shows(NOBODY, page)
      expect(await outcomeOf(page, 'Sign in wrongly')).toEqual({
        ok: false,
        status: 401,
        error: 'CredentialsSignin',
        code: 'credentials',
        url: null,
      })
      expect(site.countReads()).toBe(1)
    })

    it('tells a form what became of it, each time that it is sent', async () => {
      const page = await open('/form')
      await shows('nothing yet', page)
      await press(page, 'Wrong')
      await shows('CredentialsSignin', page)
      let release = () => {}
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      await page.route('**/auth/callback/**', async route => {
        await held
        await route.continue()
      })
      await press(page, 'Right')
      await shows('under way', page)
      release()
      await shows('in', page)
    })

    it('tells a form that it sent a passkey by the wrong function, and is ready for another try', async () => {
      const page = await open('/form')
      await page.route('**/auth/providers', route =>
        route.fulfill({ json: { passkey: { id: 'passkey', type: 'webauthn' } } }),
      )
      const failed = context.waitForEvent('weberror')
      await press(page, 'Passkey')
      expect((await failed).error().message).toContain('/webauthn')
      await shows('nothing yet', page)
      faults = []
    })

    it('says that there is no such provider', async () => {
      const page = await open()
      expect(await outcomeOf(page, 'Sign in with nothing')).toMatchObject({
        ok: false,
        status: 404,
        error: 'InvalidProvider',
      })
    })

    it('goes where it was told to, while the other tab stays and follows', async () => {
      const { first, second } = await openTwo()
      await press(first, 'Sign in and go')
      await first.waitForURL('**/?there')
      await shows(ANN, first, second)
      await press(first, 'Sign out and go')
      await first.waitForURL('**/?gone')
      await shows(NOBODY, first, second)
      await settle(first)
      // Twice: one for the other tab, and one for the page that was loaded.
      expect(site.countReads()).toBe(4)
    })

    it('goes to the sign-in page to choose, and comes back', async () => {
      const page = await open()
      await press(page, 'Choose')
      await page.waitForURL('**/auth/signin?**')
      expect(new URL(page.url()).searchParams.get('callbackUrl')).toBe(`${site.origin}/`)
    })

    it('sends people to the sign-in page who have to be signed in', async () => {
      const page = await open('/member?rendered')
      await page.waitForURL('**/auth/signin?**')
      const { searchParams } = new URL(page.url())
      expect(searchParams.get('callbackUrl')).toBe(`${site.origin}/member?rendered`)
      expect(searchParams.get('error')).toBe('SessionRequired')
    })

    it('keeps the user while the network is cut, and says so', async () => {
      const page = await open()
      await press(page, 'Sign in')
      await shows(ANN, page)
      await context.setOffline(true)
      expect(await outcomeOf(page, 'Refresh')).toBe('failed')
      await shows(`${ANN}, perhaps`, page)
      await context.setOffline(false)
      await shows(ANN, page)
    })
  })
}
