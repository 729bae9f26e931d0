import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EmailConfig } from '@siteauth/core/providers'
import Password from '@siteauth/core/providers/password'
import { type ExpressAuthConfig, getSession, ServerAuth } from '@siteauth/express'
import axe from 'axe-core'
import express from 'express'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { findChromium, openChromium, watchSite } from '../../core/test/browser/chromium.ts'
import { onePageSuite, type SeenSchemes } from '../../core/test/browser/one-page-suite.ts'
import { configure } from './server.ts'

const FIRST = 'correct horse battery staple'
const SECOND = 'purple monkeys rarely dishwash'
const chromium = findChromium()

/** Passwords whose messages are kept: what of them is a link. */
const passwords = (messages: string[]) =>
  Password({
    mail: ({ url }) => void (url && messages.push(url)),
    hashing: { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } },
  })

/** An application whose page says who is signed in. */
async function startServer(providers: ExpressAuthConfig['providers']) {
  const config = configure({ adapter: MemoryAdapter(), providers })
  const app = express()
  app.use('/auth', ServerAuth(config))
  app.get('/', async (req, res) => {
    const session = await getSession(req, config)
    res.send(
      `<!DOCTYPE html><title>Home</title><p role="status">${session?.user?.email ?? 'nobody'}`,
    )
  })
  app.get('/favicon.ico', (_, res) => void res.status(204).end())
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function stopServer(server: Server | undefined) {
  server?.closeAllConnections()
  await new Promise(resolve => server?.close(resolve))
}

/** What a person does with a password in Chromium. With colour schemes, axe looks at the pages as well. */
export function passwordsSuite(schemes: SeenSchemes): void {
  onePageSuite('Express', schemes, async () => {
    const messages: string[] = []
    const mail: EmailConfig = {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code = '' }) => void messages.push(code),
    }
    const { server, origin } = await startServer([passwords(messages), mail])
    return {
      origin,
      home: '/',
      basePath: '/auth',
      lastMessage: async () => messages.at(-1) ?? '',
      close: () => stopServer(server),
    }
  })

  describe.skipIf(chromium === null)('a password, with Chromium', { timeout: 60_000 }, () => {
    const links: string[] = []
    let server: Server
    let origin: string
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let problems: string[]

    beforeAll(async () => {
      const started = await startServer([passwords(links)])
      server = started.server
      origin = started.origin
      browser = await openChromium()
    }, 60_000)

    afterAll(async () => {
      await browser?.close()
      await stopServer(server)
    })

    afterEach(async () => {
      await context.close()
      expect(problems).toEqual([])
    })

    async function startOver(options: BrowserContextOptions = {}) {
      context = await browser.newContext(options)
      context.setDefaultTimeout(30_000)
      problems = watchSite(context, origin)
      page = await context.newPage()
    }

    /** Sends the form by the keyboard alone. */
    async function fillIn(fields: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(fields)) {
        await page.locator(`[name=${name}]`).fill(value)
      }
      await page.keyboard.press('Enter')
    }

    async function expectIn(email: string) {
      await page.waitForURL(`${origin}/`)
      expect(await page.getByRole('status').textContent()).toBe(email)
    }

    /** What is wrong with the page that is open, where a program can tell. */
    async function violations() {
      if (schemes.length === 0) return []
      await page.evaluate(axe.source).catch(() => {}) // a policy may refuse it, and the next line then says so
      const { violations: found } = await page.evaluate(() => {
        const { run } = (window as unknown as { axe: typeof axe }).axe // put there just now
        return run(document)
      })
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(each => each.html).join(' ')}`)
    }

    const found = schemes.length === 0 ? '' : '; axe finds nothing'
    it(`is chosen behind a link, changed, forgotten and reset, by keyboard${found}`, async () => {
      await startOver({ bypassCSP: true })
      await page.goto(`${origin}/auth/signin?callbackUrl=/`)
      expect(await violations()).toEqual([])
      await page.getByRole('link', { name: 'Create an account' }).press('Enter')
      await page.getByRole('heading', { name: 'Create an account' }).waitFor()
      expect(await violations()).toEqual([])
      await fillIn({ email: 'ann@example.com' })
      await page.getByText('We’ve sent a message to ann@example.com.').waitFor()

      await page.goto(links.at(-1) ?? '')
      await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
      expect(await violations()).toEqual([])
      await fillIn({ password: 'ann@example.com' })
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').textContent()).toContain('Others could guess')
      expect(await violations()).toEqual([])
      await fillIn({ password: FIRST })
      await expectIn('ann@example.com')

      await page.goto(`${origin}/auth/password?callbackUrl=/`)
      expect(await violations()).toEqual([])
      await fillIn({ currentPassword: SECOND, newPassword: SECOND })
      await page.getByRole('alert').waitFor()
      await fillIn({ currentPassword: FIRST, newPassword: SECOND })
      await expectIn('ann@example.com')

      await context.clearCookies()
      await page.goto(`${origin}/auth/signin?callbackUrl=/`)
      await fillIn({ email: 'ann@example.com', password: FIRST })
      await page.getByRole('alert').waitFor()
      expect(await page.locator('[name=email]').inputValue()).toBe('ann@example.com')
      await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
      await fillIn({ email: 'ann@example.com' })
      await page.getByText('We’ve sent a message').waitFor()
      await page.goto(links.at(-1) ?? '')
      await fillIn({ password: FIRST })
      await expectIn('ann@example.com')
    })

    it('works without a script, from right to left', async () => {
      await startOver({ javaScriptEnabled: false, locale: 'ar' })
      const email = 'ar@example.com'
      await page.goto(`${origin}/auth/password/sign-up?callbackUrl=/`)
      await fillIn({ email })
      await page.getByText(email).waitFor()
      await page.goto(links.at(-1) ?? '')
      await fillIn({ password: 'a'.repeat(20) })
      expect(await page.getByRole('alert').textContent()).toContain('قد يخمّن الآخرون')
      await fillIn({ password: FIRST })
      await expectIn(email)
      await context.clearCookies()
      await page.goto(`${origin}/auth/signin?callbackUrl=/`)
      await fillIn({ email, password: FIRST })
      await expectIn(email)
    })
  })
}
