import { openSite, type Site } from '@siteauth/testing/integration'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { chromiumOptions, findQuickChromium } from '../packages/core/test/browser/chromium.ts'
import { startApplication } from './start-application.mjs'

/** An application that runs, and a browser in front of it. */
interface Shown {
  readonly site: () => Site
  /** Opens a page, and waits for its script: for somebody who is signed in, or for a stranger. */
  readonly open: (path: string, name?: string) => Promise<Page>
}

/** Tests of an application whose pages have a script. Without Chromium, they are skipped. */
export function inChromium(title: string, folder: string, tests: (shown: Shown) => void): void {
  const program = findQuickChromium()

  describe.skipIf(program === null)(title, () => {
    let site: Site & { close(): Promise<void> }
    let browser: Browser
    beforeAll(async () => {
      const kind = { sessions: 'database', basePath: '/auth' } as const
      site = await openSite(kind, env => startApplication(folder, env))
      browser = await chromium.launch(chromiumOptions(program ?? ''))
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })

    async function open(path: string, name?: string): Promise<Page> {
      const context = await browser.newContext()
      const cookies = name ? [...(await site.visitorAs(name)).cookies] : []
      await context.addCookies(
        cookies.map(([key, value]) => ({ name: key, value, url: site.origin })),
      )
      const page = await context.newPage()
      await page.goto(site.origin + path, { waitUntil: 'networkidle' })
      return page
    }

    tests({ site: () => site, open })
  })
}
