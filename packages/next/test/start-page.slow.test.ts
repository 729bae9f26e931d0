import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('docs/start/next.md, followed in a new application', () => {
  let project: Project
  let github: StandInGitHub

  beforeAll(async () => {
    github = await startStandInGitHub()
    project = createProject()
    project.install(NEW_APP_PACKAGES)
    project.write({ ...NEW_APP, 'public/favicon.ico': '' })
    project.install(installedBy(page))
    project.write(page.files)
    await build()
  }, LONG)

  afterAll(async () => {
    await github?.close()
    project?.remove()
  })

  /** Builds it, which checks the types, too. */
  async function build(): Promise<void> {
    const name = 'next.config.ts'
    const config = NEW_APP[name] ?? ''
    // To write a cache would take as long as the rest.
    const quicker = 'experimental: { turbopackFileSystemCacheForBuild: false },'
    project.write({ [name]: config.replace('/* config options here */', quicker) })
    await project.run('npx next build', { NEXT_TELEMETRY_DISABLED: '1' })
    project.write({ [name]: config })
  }

  describe.skipIf(chromium === null)('in Chromium', () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await openChromium()
    })

    afterAll(() => browser?.close())

    it(
      'signs in, shows the account and signs out, as it is built',
      async () => {
        const env = { AUTH_TRUST_HOST: 'true' }
        await serve('npx next start', env, async origin => {
          const problems = await signInAndOut(origin)
          expect(problems).toEqual([])
        })
      },
      LONG,
    )

    it(
      'signs in, shows the account and signs out in development, with nothing to complain of',
      async () => {
        const command = page.commands.at(-1) ?? ''
        expect(command).toBe('npx next dev')
        await serve(command, {}, async (origin, server) => {
          await signInAndOut(origin)
          expect(server.said()).not.toMatch(/⨯|error/i)
        })
      },
      LONG,
    )

    async function serve(
      command: string,
      env: Readonly<Record<string, string>>,
      visit: (origin: string, server: RunningCommand) => Promise<void>,
    ): Promise<void> {
      const all = { ...env, ...github.env, NEXT_TELEMETRY_DISABLED: '1' }
      const server = project.start(`${command} -p 0`, all)
      try {
        const [, port] = await server.says(/http:\/\/localhost:(\d+).*Ready/s)
        await visit(`http://localhost:${port}`, server)
      } finally {
        await server.stop()
      }
    }

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

  it(
    'can be what docs/guide/next.md writes, too',
    async () => {
      const { files } = readStartPage('docs/guide/next.md')
      const names = ['auth.ts', 'app/api/auth/[...siteauth]/route.ts', 'app/page.tsx', 'proxy.ts']
      for (const name of names) project.write({ [name]: files[name] ?? '' })
      await build()
      const server = project.start('npx next start -p 0', {
        ...github.env,
        AUTH_TRUST_HOST: 'true',
      })
      try {
        const [, port] = await server.says(/http:\/\/localhost:(\d+).*Ready/s)
        const answer = await fetch(`http://localhost:${port}/`)
        expect(await answer.text()).toContain('stranger')
      } finally {
        await server.stop()
      }
    },
    LONG,
  )
})
