import { createAuth } from '@siteauth/core'
import Passkey from '@siteauth/core/providers/passkey'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'
import { type Served, serve } from '../../core/test/browser/serve.ts'
import { recordingLogger, SECRET } from '../../core/test/visitor.ts'
import { PasskeyDevice } from '../../testing/src/playwright.ts'
import { bundle } from './bundle.ts'

const chromium = findChromium()

const source = `
  import { PasskeyError, signIn } from '@siteauth/react/webauthn'
  globalThis.outcomeOf = (options, id = 'passkey') =>
    signIn(id, options).catch(error =>
      error instanceof PasskeyError ? 'rejected: ' + error.type : String(error))
`

describe.skipIf(chromium === null)(
  'signing in with passkeys from a page',
  { timeout: 60_000 },
  () => {
    const adapter = MemoryAdapter()
    let served: Served
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let device: PasskeyDevice
    let people = 0
    let email: string

    beforeAll(async () => {
      const script = await bundle(source, 'external')
      const { handle } = createAuth(
        {
          secret: SECRET,
          trustHost: true,
          adapter,
          basePath: '/api/auth',
          logger: recordingLogger().logger,
          providers: [Passkey({ allowSignUpWithUnprovenEmail: true })],
          experimental: { enableWebAuthn: true },
        },
        { env: { NODE_ENV: 'test' } },
      )
      served = await serve(
        async () => async request => {
          const { pathname } = new URL(request.url)
          if (pathname.startsWith('/api/auth/')) return handle(request)
          const [type, body] =
            pathname === '/script.js'
              ? ['text/javascript', script]
              : [
                  'text/html',
                  '<!DOCTYPE html><title>Page</title><link rel="icon" href="data:,">' +
                    '<input autocomplete="username webauthn"><script type="module" src="/script.js"></script>',
                ]
          return new Response(body, { headers: { 'content-type': type } })
        },
        'localhost',
      )
      browser = await openChromium()
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await served?.close()
    })

    beforeEach(async () => {
      email = `ada${people++}@example.com`
      context = await browser.newContext()
      page = await context.newPage()
      device = await PasskeyDevice.attach(page)
      await page.goto(`${served.origin}/page`)
    })

    afterEach(() => context.close())

    const outcomeOf = (options: object, id?: string) =>
      page.evaluate(
        ([given, provider]) => {
          const { outcomeOf } = globalThis as unknown as {
            outcomeOf(options: unknown, id: unknown): Promise<unknown> // put there by the script of the page
          }
          return outcomeOf(given, provider)
        },
        [options, id] as const,
      )

    const signUp = () => outcomeOf({ action: 'register', email, redirect: false })
    const forgetSession = () => context.clearCookies()

    async function whoIsThere(): Promise<string | undefined> {
      const response = await page.request.get(`${served.origin}/api/auth/session`)
      const session = (await response.json()) as { user?: { email?: string } } | null
      return session?.user?.email
    }

    it('signs up and in, and says so', async () => {
      const ok = { ok: true, status: 200, error: undefined, url: `${served.origin}/page` }
      expect(await signUp()).toMatchObject(ok)
      expect(await whoIsThere()).toBe(email)
      await forgetSession()
      expect(await outcomeOf({ redirect: false })).toMatchObject(ok)
      expect(await whoIsThere()).toBe(email)
    })

    it('goes to where the visitor wanted to go', async () => {
      await signUp()
      await forgetSession()
      await Promise.all([
        page.waitForURL('**/welcome'),
        outcomeOf({ redirectTo: '/welcome' }).catch(() => {}),
      ])
      expect(await whoIsThere()).toBe(email)
    })

    it('adds a passkey on a second device for whoever is signed in', async () => {
      await signUp()
      await device.detach()
      const second = await PasskeyDevice.attach(page, { transport: 'usb' })
      expect(await outcomeOf({ action: 'register', redirect: false })).toMatchObject({ ok: true })
      expect(await second.countPasskeys()).toBe(1)
      const user = await adapter.getUserByEmail(email)
      expect(await adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(2)
      await forgetSession()
      expect(await outcomeOf({ redirect: false })).toMatchObject({ ok: true })
      expect(await whoIsThere()).toBe(email)
    })

    it('offers passkeys in autofill', async () => {
      await signUp()
      await forgetSession()
      expect(await outcomeOf({ autofill: true, redirect: false })).toMatchObject({ ok: true })
      expect(await whoIsThere()).toBe(email)
    })

    it('gives autofill up for a button, in silence', async () => {
      await signUp()
      await forgetSession()
      await device.behave({ isTouched: false })
      const isWaiting = page.evaluate(
        () =>
          new Promise<void>(resolve => {
            const get = navigator.credentials.get.bind(navigator.credentials)
            navigator.credentials.get = options => {
              resolve()
              return get(options)
            }
          }),
      )
      const autofill = outcomeOf({ autofill: true })
      await isWaiting
      await device.behave({ isTouched: true })
      expect(await outcomeOf({ redirect: false })).toMatchObject({ ok: true })
      expect(await autofill).toBeUndefined()
    })

    it('says that the person cancelled, or has none here', async () => {
      await signUp()
      await forgetSession()
      await device.behave({ isRecognised: false })
      const outcome = { ok: false, error: 'PasskeyCancelled', status: 0, url: null }
      expect(await outcomeOf({ redirect: false })).toMatchObject(outcome)
      expect(await outcomeOf({})).toBe('rejected: PasskeyCancelled')
      await device.behave({ isRecognised: true })
      await device.clear()
      expect(await outcomeOf({ redirect: false })).toMatchObject(outcome)
    })

    it('says that the device has a passkey for the account already', async () => {
      await signUp()
      const outcome = { ok: false, error: 'PasskeyExists' }
      expect(await outcomeOf({ action: 'register', redirect: false })).toMatchObject(outcome)
      expect(await device.countPasskeys()).toBe(1)
    })

    it('says that the browser lacks passkeys', async () => {
      await page.evaluate(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
      expect(await outcomeOf({ redirect: false })).toMatchObject({ error: 'PasskeyUnsupported' })
      expect(await outcomeOf({})).toBe('rejected: PasskeyUnsupported')
    })

    it('says that a passkey was removed by the application', async () => {
      await signUp()
      const user = await adapter.getUserByEmail(email)
      await adapter.deleteUser(user?.id ?? '')
      await forgetSession()
      const outcome = { ok: false, status: 401, error: 'WebAuthnVerificationError', url: null }
      expect(await outcomeOf({ redirect: false })).toMatchObject(outcome)
      expect(await whoIsThere()).toBeUndefined()
    })

    it('leaves no passkey on the device that the application refused', async () => {
      await signUp()
      await forgetSession()
      await device.clear()
      expect(await signUp()).toMatchObject({ ok: false, error: 'AccountNotLinked' })
      expect(await device.countPasskeys()).toBe(0)
    })

    it('says that an address is needed to sign up', async () => {
      const outcome = { ok: false, error: 'PasskeyRefused' }
      expect(await outcomeOf({ action: 'register', redirect: false })).toMatchObject(outcome)
    })

    it('says which provider is none for passkeys', async () => {
      expect(await outcomeOf({ redirect: false }, 'github')).toContain('"github" is not a provider')
    })
  },
)
