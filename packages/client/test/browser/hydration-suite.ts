import { createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import type { Session } from '@siteauth/core/types'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, openChromium, settle } from '../../../core/test/browser/chromium.ts'
import { type Served, serve } from '../../../core/test/browser/serve.ts'

/** A page that says who is signed in, with buttons that sign in and out. */
interface Application {
  /** What the browser runs. */
  readonly script: string
  /** What a server makes of it. Undefined is a session that it does not know. */
  readonly render: (session: Session | null | undefined) => string | Promise<string>
  /** What the page needs beside that. */
  readonly head?: string
}

/** Shows in Chromium that pages from a server are made alive as they are, ask no more than they must, and follow. */
export function hydrationSuite(name: string, prepare: () => Promise<Application>): void {
  describe.skipIf(findChromium() === null)(`${name} in Chromium`, () => {
    let site: Served
    let browser: Browser
    let context: BrowserContext
    let faults: string[]
    let reads = 0

    beforeAll(async () => {
      const application = await prepare()
      site = await serve(() => answering(application, () => reads++), 'localhost')
      browser = await openChromium()
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })
    beforeEach(async () => {
      faults = []
      reads = 0
      context = await browser.newContext()
      context.setDefaultTimeout(15_000)
      context.on('weberror', error => faults.push(error.error().message))
      // Frameworks warn where a page is not what they would have rendered.
      context.on('console', said => {
        if (['error', 'warning'].includes(said.type())) faults.push(said.text())
      })
    })
    afterEach(async () => {
      await context.close()
      expect(faults).toEqual([])
    })

    async function open(path: string): Promise<Page> {
      const page = await context.newPage()
      await page.goto(site.origin + path)
      return page
    }
    const shows = (page: Page, text: string) =>
      page.locator('p').getByText(text, { exact: true }).waitFor()
    const press = (page: Page, button: string) =>
      page.getByRole('button', { name: button, exact: true }).click()

    it('asks nothing where the server has said who is signed in, and keeps what it rendered', async () => {
      const first = await open('/?rendered')
      await press(first, 'Sign in')
      await shows(first, 'authenticated: Ann')
      reads = 0
      const page = await open('/?rendered')
      await shows(page, 'authenticated: Ann')
      await settle(page)
      expect(reads).toBe(0)
      expect(await page.evaluate(() => document.querySelector('p')?.dataset['rendered'])).toBe('')
    })

    it('asks once where the server has not said it', async () => {
      const page = await open('/')
      await shows(page, 'unauthenticated: nobody')
      await settle(page)
      expect(reads).toBe(1)
      expect(await page.evaluate(() => document.querySelector('p')?.dataset['rendered'])).toBe('')
    })

    it('shows in every tab who signs in and out', async () => {
      const [first, second] = [await open('/?rendered'), await open('/?rendered')]
      await press(first, 'Sign in')
      for (const page of [first, second]) await shows(page, 'authenticated: Ann')
      await press(second, 'Sign out')
      for (const page of [first, second]) await shows(page, 'unauthenticated: nobody')
    })
  })
}

function answering({ script, render, head = '' }: Application, countRead: () => void) {
  const auth = createAuth({
    secret: 'a secret for tests, long enough',
    trustHost: true,
    basePath: '/auth',
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: '1', name: `${name}` }),
      }),
    ],
  })
  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === 'GET' && pathname === '/auth/session') countRead()
    if (pathname.startsWith('/auth/')) return auth.handle(request)
    if (pathname === '/app.js') {
      return new Response(script, { headers: { 'content-type': 'text/javascript' } })
    }
    const session = searchParams.has('rendered') ? await auth.getSession(request) : undefined
    const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<link rel="icon" href="data:,">${head}</head><body><div id="root">${await render(session)}</div>
<script>
  document.querySelector('p').dataset.rendered = ''
  const session = ${JSON.stringify(session) ?? 'undefined'}
</script>
<script type="module" src="/app.js"></script></body></html>`
    return new Response(html, { headers: { 'content-type': 'text/html' } })
  }
}
