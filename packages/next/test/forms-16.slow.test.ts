import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/servers.mjs'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'
import { type RealProvider, startRealProvider } from '../../core/test/oauth/real-provider.ts'
import { formsSuite } from './forms-suite.ts'
import type { RunningApp } from './next-app.ts'
import { tokensSuite } from './tokens-suite.ts'
import { createVisitor } from './visitor.ts'

formsSuite(16, [], forms => {
  tokensSuite(() => forms().app)

  const nobody = () => createVisitor(forms().running.origin)

  it('signs in by a code from an email, to where the visitor wanted to be', async () => {
    const visitor = nobody()
    const send = async (fields: object) => {
      const { text } = await visitor.post('/codes', JSON.stringify(fields))
      return JSON.parse(text)
    }
    const { code } = await send({ email: 'ann@example.com', redirectTo: '/inbox' })
    const wrong = await send({ code: 'BBBB-BBBB' })
    expect(wrong.answer).toMatchObject({ ok: false, error: 'EmailCodeError', code: 'wrong_code' })
    const { answer } = await send({ code })
    expect(answer).toEqual({ ok: true, status: 200, url: `${forms().running.origin}/inbox` })
    expect([...visitor.cookies.keys()].join()).toContain('session-token')
  })

  it('looks after passwords, by forms of the application', async () => {
    const visitor = nobody()
    const ask = { purpose: 'sign-up', email: 'ann@example.com' }
    expect((await visitor.submit('/passwords', ask, 0)).location).toContain('/verify-request')
    const { text } = await visitor.get('/passwords/mail')
    const proof = Object.fromEntries(new URL(text).searchParams)
    const first = { ...proof, password: 'correct horse battery staple', redirectTo: '/passwords' }
    expect((await visitor.submit('/passwords', first, 1)).location).toContain('/passwords')
    expect((await visitor.get('/passwords')).who).toMatchObject({ email: 'ann@example.com' })
    const change = (currentPassword: string, newPassword: string) =>
      visitor.submit('/passwords', { currentPassword, newPassword, redirectTo: '/passwords' }, 2)
    const wrong = await change('not the one that it is', 'purple monkeys rarely dishwash')
    expect(wrong.location).toContain('/passwords?refused=wrong_password')
    await change(first.password, 'purple monkeys rarely dishwash')
    expect((await visitor.get('/passwords')).who).toMatchObject({ email: 'ann@example.com' })
  })

  it('tells pages of the application the ways to sign in, and the one used last', async () => {
    const visitor = nobody()
    expect((await visitor.get('/passwords')).text).toContain('<p id="ways">password; mail</p>')
    visitor.cookies.set('siteauth.last-provider', 'mail')
    expect((await visitor.get('/passwords')).text).toContain('password; mail, last used')
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
  })
})
