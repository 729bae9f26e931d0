import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createProject,
  installedBy,
  type Project,
  type RunningCommand,
  readStartPage,
} from '../../../tools/start-page.ts'
import { findChromium, openChromium, watchSite } from '../../core/test/browser/chromium.ts'
import { type StandInGitHub, startStandInGitHub } from '../../core/test/oauth/stand-in-github.ts'
import { NEW_APP, NEW_APP_PACKAGES } from './new-app.ts'

const LONG = 600_000
const chromium = findChromium()
const page = readStartPage('docs/start/next.md')

// A new application is built in packages/siteauth/test/init.release.test.ts, and is the same there.
describe('docs/start/next.md, followed in a new application', () => {
  let project: Project
  let github: StandInGitHub
  let browser: Browser

  beforeAll(async () => {
    github = await startStandInGitHub()
    project = createProject()
    project.install(NEW_APP_PACKAGES)
    project.write({ ...NEW_APP, 'public/favicon.ico': '', 'next.config.ts': quicker() })
    project.install([...installedBy(page), 'siteauth'])
    project.write(page.files)
    expect(page.commands).toContain('npx siteauth secret')
    await project.run('npx siteauth secret')
    if (chromium !== null) browser = await openChromium()
  }, LONG)

  afterAll(async () => {
    await browser?.close()
    await github?.close()
    project?.remove()
  })

  /** The configuration of a new application, without a cache, which would take half of the time. */
  function quicker(): string {
    const experimental = 'experimental: { turbopackFileSystemCacheForDev: false },'
    return String(NEW_APP['next.config.ts']).replace('/* config options here */', experimental)
  }

  async function serve(
    command: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningCommand & { readonly origin: string }> {
    const all = { ...env, ...github.env, NEXT_TELEMETRY_DISABLED: '1' }
    const server = project.start(`${command} -p 0`, all)
    const [, port] = await server.says(/http:\/\/localhost:(\d+).*Ready/s)
    return { ...server, origin: `http://localhost:${port}` }
  }

  it('type-checks', () => project.run('npx next typegen && npx tsc --noEmit'), LONG)

  describe('in development', () => {
    let server: Awaited<ReturnType<typeof serve>>

    beforeAll(async () => {
      const command = page.commands.at(-1) ?? ''
      expect(command).toBe('npx next dev')
      server = await serve(command)
    }, LONG)

    // What is turned off in the configuration is marked like an error.
    afterEach(() => expect(server.said()).not.toMatch(/⨯(?! turbopack)|(?<!\/_)error/i))

    afterAll(() => server?.stop())

    it.skipIf(chromium === null)(
      'signs in, shows the account and signs out, with nothing to complain of',
      () => signInAndOut(server.origin),
      LONG,
    )

    it(
      'can be what docs/guide/next.md writes, too',
      async () => {
        const { files } = readStartPage('docs/guide/next.md')
        const names = ['auth.ts', 'app/api/auth/[...siteauth]/route.ts', 'app/page.tsx', 'proxy.ts']
        for (const name of names) project.write({ [name]: files[name] ?? '' })
        const shown = async () => (await fetch(server.origin)).text()
        await expect.poll(shown, { timeout: 60_000 }).toContain('stranger')
      },
      LONG,
    )
  })

  /** Answers what the browser has to complain of. */
  async function signInAndOut(origin: string): Promise<readonly string[]> {
    const context = await browser.newContext()
    // The first page in development is compiled before it is shown.
    context.setDefaultTimeout(LONG / 4)
    const problems = watchSite(context, origin)
    const tab = await context.newPage()
    await github.receive(tab)
    // By a link to the account, which sends people to the page of the library.
    await tab.goto(origin)
    await tab.getByRole('link', { name: 'Your account' }).click()
    const button = tab.getByRole('button', { name: 'GitHub' })
    await button.waitFor()
    expect(tab.url()).toBe(`${origin}/api/auth/signin?callbackUrl=%2Faccount`)
    await button.click()
    await showsAccount(tab, origin)
    await tab.goto(origin)
    await tab.getByRole('button', { name: 'Sign out' }).click()
    // By the button on the page.
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await showsAccount(tab, origin)
    await context.close()
    return problems
  }

  async function showsAccount(tab: Page, origin: string): Promise<void> {
    await tab.getByRole('button', { name: 'Authorize' }).click()
    await tab.getByText('The account of Ada').waitFor()
    expect(tab.url()).toBe(`${origin}/account`)
  }
})
