import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/servers.mjs'
import { createProject, type Project, type RunningCommand } from '../../../tools/start-page.ts'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'
import { type StandInGitHub, startStandInGitHub } from '../../core/test/oauth/stand-in-github.ts'
import { NEW_APP, NEW_APP_PACKAGES } from '../../next/test/new-app.ts'

const LONG = 300_000
const CREDENTIALS = { AUTH_GITHUB_ID: 'a-client', AUTH_GITHUB_SECRET: 'its-secret' }

describe.skipIf(findChromium() === null)('npx siteauth init --yes, as it is published', () => {
  let github: StandInGitHub
  let browser: Browser
  const ended: (() => Promise<void> | void)[] = []

  beforeAll(async () => {
    github = await startStandInGitHub()
    browser = await openChromium()
  })

  afterAll(async () => {
    for (const end of ended.reverse()) await end()
    await browser?.close()
    await github?.close()
  })

  /** A project after the command, with what it says to install. */
  async function init(files: Readonly<Record<string, string>>, packages: readonly string[]) {
    const project = createProject()
    ended.push(() => project.remove())
    project.install([...packages, 'siteauth'])
    project.write(files)
    const said = await project.run('npx siteauth init --yes --no-install')
    const [, names = ''] = /Install: npm install (.+)/.exec(said) ?? []
    project.install(names.split(' '))
    return project
  }

  async function serve(project: Project, command: string, env: Readonly<Record<string, string>>) {
    const server: RunningCommand = project.start(command, { ...CREDENTIALS, ...github.env, ...env })
    ended.push(() => server.stop())
    const [origin] = await server.says(/http:\/\/localhost:\d+/)
    return origin
  }

  /** Signs in on the built-in page, and answers who the site says that is. */
  async function signIn(origin: string, basePath: string): Promise<unknown> {
    const context = await browser.newContext()
    context.setDefaultTimeout(LONG / 2)
    const tab = await context.newPage()
    await github.receive(tab)
    await tab.goto(`${origin}${basePath}/signin`)
    await tab.getByRole('button', { name: 'GitHub' }).click()
    await tab.getByRole('button', { name: 'Authorize' }).click()
    await tab.waitForURL(url => !url.pathname.includes('callback'))
    const response = await context.request.get(`${origin}${basePath}/session`)
    const session: unknown = await response.json()
    await context.close()
    return session
  }

  it.each(['module', 'commonjs'])(
    'has people sign in on a new Express server of type %s',
    async type => {
      const manifest = JSON.stringify({ type, dependencies: { express: '5' } })
      const project = await init({ 'package.json': manifest }, ['express'])
      const port = String(await freePort())
      const origin = await serve(project, 'node --env-file=.env server.js', { PORT: port })
      expect(await signIn(origin, '/auth')).toMatchObject({ user: { name: 'Ada' } })
    },
    LONG,
  )

  it(
    'has people sign in to a new Next application, once it is built',
    async () => {
      const project = await init({ ...NEW_APP, 'public/favicon.ico': '' }, NEW_APP_PACKAGES)
      const env = { NEXT_TELEMETRY_DISABLED: '1', AUTH_TRUST_HOST: 'true' }
      await project.run('npx next build', env)
      const origin = await serve(project, 'npx next start -p 0', env)
      expect(await signIn(origin, '/api/auth')).toMatchObject({ user: { name: 'Ada' } })
    },
    LONG,
  )
})
