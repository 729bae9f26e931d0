import type { Adapter } from '@siteauth/core/adapters'
import Passkey from '@siteauth/core/providers/passkey'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { PasskeyDevice } from '../../../testing/src/playwright.ts'
import { createTestAuth } from '../visitor.ts'
import { findChromium, openChromium, watchSite } from './chromium.ts'
import { type Answer, type Served, serve } from './serve.ts'

const chromium = findChromium()

/** An application with passkeys and links by email. Its page says who is signed in. */
function application(adapter: Adapter, links: string[]): Answer {
  const auth = createTestAuth({
    trustHost: true,
    adapter,
    experimental: { enableWebAuthn: true },
    providers: [
      Passkey,
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void links.push(url),
      },
    ],
  })
  return async request => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth/')) return auth.handle(request)
    if (pathname === '/favicon.ico') return new Response(null, { status: 204 })
    const session = await auth.getSession(request)
    const who = session?.user?.email ?? 'Nobody'
    return new Response(`<!doctype html><title>Home</title><p>${who} is signed in.</p>`, {
      headers: { 'content-type': 'text/html' },
    })
  }
}

describe.skipIf(chromium === null)(
  'signing up with a passkey where addresses can be proved',
  { timeout: 60_000 },
  () => {
    let served: Served
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let device: PasskeyDevice
    let problems: string[]
    let email: string
    let people = 0
    const links: string[] = []
    const adapter = MemoryAdapter()

    beforeAll(async () => {
      served = await serve(() => application(adapter, links), 'localhost')
      browser = await openChromium()
    }, 60_000)

    afterAll(async () => {
      await browser?.close()
      await served?.close()
    })

    beforeEach(async () => {
      email = `ada${people++}@example.com`
      links.length = 0
      await startOver()
    })

    afterEach(async () => {
      await context.close()
      expect(problems).toEqual([])
    })

    async function startOver(options: BrowserContextOptions = {}) {
      await context?.close()
      context = await browser.newContext(options)
      context.setDefaultTimeout(30_000)
      problems = watchSite(context, served.origin)
      page = await context.newPage()
      device = await PasskeyDevice.attach(page)
    }

    const go = (path: string) => page.goto(served.origin + path)
    const button = (name: string) => page.getByRole('button', { name })
    const signedIn = () => page.getByText(`${email} is signed in.`).waitFor()
    const nobody = () => page.getByText('Nobody is signed in.').waitFor()

    async function forget(address: string) {
      const user = await adapter.getUserByEmail(address)
      await adapter.deleteUser(user?.id ?? '')
    }

    async function typeAddress() {
      await page.locator('[data-method=address] [name=email]').fill(email)
      await page.keyboard.press('Enter')
    }

    async function askToSignUp() {
      await go('/auth/signin?callbackUrl=/welcome')
      await typeAddress()
      await button('Create an account with a passkey').click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      return links.at(-1) ?? ''
    }

    async function openPageForPasskey() {
      await page.goto(await askToSignUp())
      await page.getByRole('heading', { name: 'Create a passkey' }).waitFor()
    }

    async function signOut() {
      await go('/auth/signout?callbackUrl=/')
      await button('Sign out').click()
      await nobody()
    }

    it('proves the address, makes the passkey, and signs in with it', async () => {
      await openPageForPasskey()
      expect(await page.getByText(email).count()).toBe(1)
      expect(await device.countPasskeys()).toBe(0)
      await button('Create a passkey').click()
      await signedIn()
      expect(new URL(page.url()).pathname).toBe('/welcome')
      expect(await device.countPasskeys()).toBe(1)
      await signOut()
      // Nobody at the device who would take what autofill offers.
      await device.behave({ isTouched: false })
      await go('/auth/signin?callbackUrl=/')
      await typeAddress()
      await button('Sign in with a passkey').waitFor()
      await device.behave({ isTouched: true })
      await button('Sign in with a passkey').click()
      await signedIn()
      await signOut()
      await go('/auth/signin?callbackUrl=/') // where autofill offers it, and the device says yes
      await signedIn()
    })

    it('says that a passkey was not accepted beside the other ways', async () => {
      await openPageForPasskey()
      await button('Create a passkey').click()
      await signedIn()
      await signOut()
      await forget(email)
      await device.behave({ isTouched: false })
      await go('/auth/signin')
      await typeAddress()
      await button('Sign in with a passkey').waitFor()
      await device.behave({ isTouched: true })
      await button('Sign in with a passkey').click()
      await page.getByText('The passkey was not accepted.').waitFor()
      await button('Email me a sign-in link').waitFor()
    })

    it('makes no passkey for an address that is only typed', async () => {
      await askToSignUp()
      expect(await device.countPasskeys()).toBe(0)
      await go('/')
      await nobody()
    })

    it('asks for the address before it sends anything', async () => {
      await go('/auth/signin')
      await button('Continue').click()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
      expect(links).toEqual([])
    })

    it('leads on without a passkey, for those who want none', async () => {
      await openPageForPasskey()
      await page.getByRole('link').click()
      await signedIn()
      expect(new URL(page.url()).pathname).toBe('/welcome')
    })

    it('explains a prompt that is cancelled, and the next try works', async () => {
      await openPageForPasskey()
      await device.behave({ isRecognised: false })
      await button('Create a passkey').click()
      await page.getByRole('status').waitFor()
      await device.behave({ isRecognised: true })
      await button('Create a passkey').click()
      await signedIn()
      expect(await device.countPasskeys()).toBe(1)
    })

    it('asks a link that is opened in another browser to be confirmed first', async () => {
      const link = await askToSignUp()
      await startOver()
      await page.goto(link)
      await button('Sign in').click()
      await button('Create a passkey').click()
      await signedIn()
    })

    it('shows who is not signed in the sign-in page, and nothing to add', async () => {
      await go('/auth/signin?add=passkey')
      await button('Continue').waitFor()
      expect(await page.getByRole('heading', { name: 'Create a passkey' }).count()).toBe(0)
    })

    it.each([
      { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
      { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
      { colorScheme: 'light', viewport: { width: 390, height: 844 } },
      { colorScheme: 'light', viewport: { width: 320, height: 480 }, locale: 'ar' },
    ] as const)('has a page that fits and in which axe finds nothing, with %j', async options => {
      await startOver(options)
      await context.addInitScript({ content: axe.source })
      email = `${'long-'.repeat(11)}${email}`
      await page.goto(await askForLink())
      await page.locator('.add-passkey button').waitFor()
      const found = await page.evaluate(async () => {
        // The script was put there before the page itself.
        const { run } = (window as unknown as { axe: typeof axe }).axe
        const { violations } = await run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        })
        const { scrollWidth, clientWidth } = document.documentElement
        return { violations: violations.map(({ id }) => id), overflow: scrollWidth - clientWidth }
      })
      expect(found).toEqual({ violations: [], overflow: 0 })
    })

    /** In any language. */
    async function askForLink() {
      await go('/auth/signin')
      await typeAddress()
      await page.locator('button[formaction]').click()
      await page.waitForURL('**/verify-request?*')
      return links.at(-1) ?? ''
    }
  },
)
