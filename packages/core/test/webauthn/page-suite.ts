import type { Adapter } from '@siteauth/core/adapters'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PasskeyDevice } from '../../../testing/src/playwright.ts'
import { findChromium, openChromium, watchSite } from '../browser/chromium.ts'

/** An application with passkeys and the built-in pages, at `http://localhost`. */
export interface PasskeySite {
  readonly origin: string
  /** The path of the page that says who is signed in. */
  readonly home: string
  /** The path of the endpoints. */
  readonly basePath: string
  readonly adapter: Pick<Required<Adapter>, 'getUserByEmail' | 'deleteUser'>
  close(): Promise<void>
}

/**
 * What a person does with passkeys on the built-in pages, in Chromium. Its page `home` says who is
 * signed in, as `ada@example.com is signed in.` or `Nobody is signed in.`
 */
export function passkeyPageSuite(name: string, start: () => Promise<PasskeySite>): void {
  const chromium = findChromium()

  describe.skipIf(chromium === null)(
    `passkeys in Chromium, on ${name}`,
    { timeout: 60_000 },
    () => {
      let site: PasskeySite
      let browser: Browser
      let context: BrowserContext
      let page: Page
      let device: PasskeyDevice
      let problems: string[]
      let people = 0
      let email: string

      beforeAll(async () => {
        site = await start()
        browser = await openChromium()
      }, 300_000)

      afterAll(async () => {
        await browser?.close()
        await site?.close()
      })

      beforeEach(async () => {
        email = `ada${people++}@example.com`
        context = await browser.newContext()
        context.setDefaultTimeout(30_000)
        problems = watchSite(context, site.origin)
        page = await context.newPage()
        device = await PasskeyDevice.attach(page)
      })

      afterEach(async () => {
        await context.close()
        // Nothing that the page's policy forbids, and nothing from elsewhere.
        expect(problems).toEqual([])
      })

      const status = (text: string) => page.getByText(text).waitFor()
      const signedIn = () => status(`${email} is signed in.`)
      const goToSignIn = () =>
        page.goto(`${site.origin}${site.basePath}/signin?callbackUrl=${site.home}`)
      const button = (label: string) => page.getByRole('button', { name: label })

      async function signUp() {
        await goToSignIn()
        await page.getByLabel('Email').fill(email)
        await button('Create an account with a passkey').click()
        await signedIn()
      }

      async function signOut() {
        await page.goto(`${site.origin}${site.basePath}/signout?callbackUrl=${site.home}`)
        await page.getByRole('button', { name: 'Sign out' }).click()
        await status('Nobody is signed in.')
      }

      /** To the page, without anybody at the device who would take what autofill offers. */
      async function waitAtSignIn() {
        await device.behave({ isTouched: false })
        await goToSignIn()
        await button('Sign in with a passkey').waitFor()
      }

      /** Autofill waits for the same device, and may have been quicker: then there is no button any more. */
      async function signInByButton() {
        await button('Sign in with a passkey')
          .click({ timeout: 5000 })
          .catch(() => {})
        await signedIn()
      }

      it('somebody signs up, out, and in again by the button', async () => {
        await signUp()
        expect(await device.countPasskeys()).toBe(1)
        await signOut()
        await waitAtSignIn()
        await device.behave({ isTouched: true })
        await signInByButton()
      })

      it('a passkey that the application removed does not sign in, and the page says so', async () => {
        await signUp()
        await signOut()
        const user = await site.adapter.getUserByEmail(email)
        await site.adapter.deleteUser(user?.id ?? '')
        await goToSignIn()
        await page.waitForURL('**/error?error=WebAuthnVerificationError')
        await page.goto(site.origin + site.home)
        await status('Nobody is signed in.')
      })

      it('an address that is taken is not given away, and not handed over', async () => {
        await signUp()
        await signOut()
        await device.clear()
        await goToSignIn()
        await page.getByLabel('Email').fill(email)
        await button('Create an account with a passkey').click()
        await page.waitForURL('**/signin?error=AccountNotLinked')
        await page.goto(site.origin + site.home)
        await status('Nobody is signed in.')
      })

      it('autofill offers the passkey, without a name and without a button', async () => {
        await signUp()
        await signOut()
        await goToSignIn()
        await signedIn()
      })

      it('somebody who is signed in adds a second device, and signs in with it', async () => {
        await signUp()
        await device.detach()
        device = await PasskeyDevice.attach(page, { transport: 'usb' })
        await goToSignIn()
        await page.getByLabel('Email').fill(email)
        await button('Create an account with a passkey').click()
        await signedIn()
        expect(await device.countPasskeys()).toBe(1)
        await signOut()
        await waitAtSignIn()
        await device.behave({ isTouched: true })
        await signInByButton()
      })

      it('the back button leads to a form that works', async () => {
        await signUp()
        await signOut()
        await waitAtSignIn()
        await device.behave({ isTouched: true })
        await signInByButton()
        await device.behave({ isTouched: false })
        await page.goBack()
        await button('Sign in with a passkey').waitFor()
        await device.behave({ isTouched: true })
        await signInByButton()
      })

      it('an address that is empty is asked for before a passkey is made', async () => {
        await goToSignIn()
        await button('Create an account with a passkey').click()
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
          'email',
        )
        expect(await device.countPasskeys()).toBe(0)
      })

      it('a prompt that is cancelled is explained, and the next try works', async () => {
        await signUp()
        await signOut()
        await waitAtSignIn()
        await device.behave({ isRecognised: false })
        await device.behave({ isTouched: true })
        await button('Sign in with a passkey').click()
        await status('No passkey was used.')
        await device.behave({ isRecognised: true })
        await signInByButton()
      })

      it('a device without a passkey is explained', async () => {
        await signUp()
        await signOut()
        await device.clear()
        await goToSignIn()
        await button('Sign in with a passkey').click()
        await status('No passkey was used.')
      })

      it('a browser that converts nothing by itself works all the same', async () => {
        await page.addInitScript(() => {
          const own = PublicKeyCredential as unknown as Record<string, unknown> // to take away what is newer
          own['parseCreationOptionsFromJSON'] = undefined
          own['parseRequestOptionsFromJSON'] = undefined
          Reflect.deleteProperty(PublicKeyCredential.prototype, 'toJSON')
        })
        await signUp()
        await signOut()
        await goToSignIn()
        await signedIn()
      })

      it('a browser without passkeys says so', async () => {
        await page.addInitScript(() => {
          Reflect.deleteProperty(window, 'PublicKeyCredential')
        })
        await goToSignIn()
        await status('Passkeys do not work in this browser.')
        expect(await button('Sign in with a passkey').isVisible()).toBe(false)
      })
    },
  )
}
