import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { otherThan } from '../email/code-application.ts'
import { createApplication } from './application.ts'
import { findChromium, openChromium, watchSite } from './chromium.ts'
import { type Served, serve } from './serve.ts'

const chromium = findChromium()

describe.skipIf(chromium === null)('a code, with Chromium', { timeout: 60_000 }, () => {
  const mails: { readonly code: string; readonly url: string }[] = []
  const clock = { ahead: 0 }
  let served: Served
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]

  beforeAll(async () => {
    served = await serve(() => {
      const { answer } = createApplication({
        adapter: MemoryAdapter(),
        limits: true,
        ports: { now: () => Date.now() + clock.ahead },
        providers: [
          {
            id: 'mail',
            name: 'Mail',
            type: 'email',
            code: true,
            elsewhere: 'show-code',
            sendVerificationRequest: ({ code = '', url }) => void mails.push({ code, url }),
          },
        ],
        callbacks: {
          session: ({ session }) => ({ ...session, user: { name: session.user.email } }),
        },
      })
      return answer
    })
    browser = await openChromium()
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  afterEach(async () => {
    await context.close()
    expect(problems).toEqual([])
  })

  async function startOver(options: BrowserContextOptions = {}) {
    context = await browser.newContext(options)
    context.setDefaultTimeout(30_000)
    problems = watchSite(context, served.origin)
    page = await context.newPage()
  }

  /** Asks for a code by the keyboard alone. */
  async function ask(email: string) {
    await page.goto(`${served.origin}/auth/signin?callbackUrl=/inbox`)
    await page.locator('[name=email]').fill(email)
    await page.keyboard.press('Enter')
    await page.locator('[name=code]').waitFor()
  }

  const lastMail = () => mails.at(-1) ?? { code: '', url: '' }
  const status = () => page.getByRole('status').textContent()

  async function violations() {
    await page.evaluate(axe.source).catch(() => {}) // a policy may refuse it, and the next line then says so
    const { violations: found } = await page.evaluate(() => {
      const { run } = (window as unknown as { axe: typeof axe }).axe // put there just now
      return run(document)
    })
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(each => each.html).join(' ')}`)
  }

  it('is typed where the page puts the cursor; another can be had when the count is down', async () => {
    await startOver({ bypassCSP: true })
    await ask('ann@example.com')
    expect(await violations()).toEqual([])
    const again = page.getByRole('button', { name: /^Send a new code/ })
    expect(await again.isDisabled()).toBe(true)
    expect(await again.textContent()).toMatch(/\(\d+\)$/)

    await page.keyboard.type(otherThan(lastMail().code))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await violations()).toEqual([])

    clock.ahead += 31_000
    await page.reload()
    await again.click()
    await expect.poll(() => mails.length).toBe(2)
    await page.locator('[name=code]').fill(lastMail().code.toLowerCase().replace('-', ''))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/inbox')
    expect(await status()).toBe('ann@example.com is signed in.')
  })

  it.each([
    ['de', 'Zu viele Versuche.'],
    ['ar', 'محاولات كثيرة جدًا.'],
    ['ja', '試行回数が多すぎます。'],
  ])('works without a script, in %s', async (locale, tooMany) => {
    await startOver({ javaScriptEnabled: false, locale })
    const email = `${locale}@example.com`
    await ask(email)
    const { code, url } = lastMail()
    // Asked for once more, too soon.
    await page.locator('[data-wait]').click()
    expect(await page.getByRole('alert').textContent()).toContain(tooMany)

    const phone = await context.browser()?.newContext({ javaScriptEnabled: false, locale })
    const other = await phone?.newPage()
    await other?.goto(url)
    expect(await other?.locator('.code').textContent()).toBe(code)
    await phone?.close()

    await page.locator('[name=code]').fill(otherThan(code))
    await page.locator('#submitButton').click()
    await page.getByRole('alert').waitFor()
    await page.locator('[name=code]').fill(code)
    await page.locator('#submitButton').click()
    await page.waitForURL('**/inbox')
    expect(await status()).toBe(`${email} is signed in.`)
  })
})
