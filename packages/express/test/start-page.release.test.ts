import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/servers.mjs'
import {
  createProject,
  installedBy,
  type Project,
  type RunningCommand,
  readStartPage,
} from '../../../tools/start-page.ts'
import { findChromium, openChromium } from '../../core/test/browser/chromium.ts'

type Browser = Awaited<ReturnType<typeof openChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const chromium = findChromium()
// What is published is tested, so there must be a build: npm test makes one.
const isBuilt = existsSync(join(import.meta.dirname, '../dist/index.js'))

/** Answers for GitHub where the server asks it. What the browser asks, the browser answers. */
const GITHUB = `
  const ann = { id: 7, login: 'ann', name: 'Ann', email: 'ann@example.test' }
  globalThis.fetch = async (url, { body, headers }) => {
    const { host, pathname } = new URL(url)
    if (host === 'github.com') {
      const access_token = new URLSearchParams(String(body)).get('code')
      return Response.json({ access_token, token_type: 'bearer' })
    }
    const isNobody = new Headers(headers).get('authorization') === 'Bearer of-nobody'
    return Response.json(pathname === '/user' ? (isNobody ? {} : ann) : [])
  }`

describe.skipIf(!chromium || !isBuilt)('docs/start/express.md', () => {
  const { files, commands } = readStartPage('docs/start/express.md')
  let project: Project
  let server: RunningCommand
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    project = createProject()
    await project.run('npm init -y')
    project.install([...installedBy({ commands }), 'siteauth'])
    project.write({ ...files, 'github.mjs': GITHUB })
    expect(commands).toContain('npx siteauth secret')
    await project.run('npx siteauth secret')
    project.write({ 'server.ts': String(files['server.ts']).replaceAll('3000', String(port)) })
    browser = await openChromium()
    const start = commands.at(-1) ?? ''
    server = project.start(start, { NODE_OPTIONS: `--import=${project.folder}/github.mjs` })
    await server.says(/http:\/\/localhost/)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    project?.remove()
  })

  /** A person at GitHub, who brings back what is given. */
  async function visit(brings: Readonly<Record<string, string>>): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    // The browser cannot be told what to find where it is sent, so it is sent back at once.
    await page.route(`${origin}/auth/signin/github`, async route => {
      const response = await route.fetch({ maxRedirects: 0 })
      const { searchParams } = new URL(response.headers()['location'] ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      const state = searchParams.get('state') ?? ''
      back.search = new URLSearchParams({ ...brings, state }).toString()
      await route.fulfill({ response, headers: { ...response.headers(), location: back.href } })
    })
    await page.goto(origin)
    await page.getByText('Sign in').click()
    await page.getByRole('button', { name: /GitHub/ }).click()
    return page
  }

  it('begins as the page does, with a project of CommonJS', () => {
    expect(commands[0]).toBe('npm init -y')
  })

  it('has types that fit', async () => {
    await project.run('npx tsc')
  }, 60_000)

  it('leads a person through GitHub to their account', async () => {
    const page = await visit({ code: 'code' })
    await page.getByText('Your account').click()
    expect(JSON.parse(await page.innerText('body'))).toMatchObject({ name: 'Ann' })
  }, 30_000)

  it('says to a person who refused at GitHub that it did not work', async () => {
    const page = await visit({ error: 'access_denied' })
    await page.waitForURL(/error=OAuthCallbackError/)
  }, 30_000)

  it('explains on the page what went wrong', async () => {
    const page = await visit({ code: 'of-nobody' })
    await page.waitForURL(/error=Configuration/)
    expect(await page.innerText('body')).toContain('OAuthProfileParseError')
  }, 30_000)
})
