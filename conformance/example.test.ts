import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  chromiumOptions,
  findQuickChromium,
  watchSite,
} from '../packages/core/test/browser/chromium.ts'
import {
  type StandInGitHub,
  startStandInGitHub,
} from '../packages/core/test/oauth/stand-in-github.ts'
import { startScript, withoutVitest } from './start-application.mjs'

// The example of a framework, with the packages that its conformance application has.
const folder = process.env['CONFORMANCE_FOLDER'] ?? ''
const example = join(import.meta.dirname, '../examples', folder)
const { scripts } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
const program = findQuickChromium()
// The one for Express is older, and shows a form of its own instead.
const hasGitHub = folder !== 'express'
const LONG = 180_000

describe('the example', () => {
  let copy: string
  let github: StandInGitHub
  let browser: Browser | undefined

  beforeAll(async () => {
    copy = copyExample()
    github = await startStandInGitHub()
    if (program) browser = await chromium.launch(chromiumOptions(program))
  }, LONG)

  afterAll(async () => {
    await browser?.close()
    await github?.close()
    // What was stopped just now may still be writing.
    if (copy) rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Runs a command to its end. */
  function run(...command: readonly string[]): void {
    const env = withoutVitest(process.env)
    const { status, stdout, stderr } = spawnSync('npm', command, { cwd: copy, env })
    expect(status, `npm ${command.join(' ')}\n${stdout}${stderr}`).toBe(0)
  }

  it('asks for packages that are tested here', () => run('ls'))

  it.runIf(scripts.dev && program)(
    'works in development',
    () => walkThrough('dev', () => ({})),
    LONG,
  )

  it(
    'can be built, and has types that fit',
    () => {
      for (const script of ['check', 'build']) if (scripts[script]) run('run', script)
    },
    LONG,
  )

  it.runIf(program)(
    'works as it is built',
    () =>
      walkThrough('start', AUTH_URL => ({ AUTH_URL, ORIGIN: AUTH_URL, NODE_ENV: 'production' })),
    LONG,
  )

  /** Does what a newcomer would try. */
  async function walkThrough(
    script: string,
    env: (origin: string) => Readonly<Record<string, string>>,
  ): Promise<void> {
    const { origin, stop } = await startScript({
      cwd: copy,
      script,
      env: started => ({ ...secretUnlessWritten(), ...github.env, ...env(started) }),
    })
    onTestFinished(() => void stop())
    const context = await browser?.newContext()
    if (!context) throw new Error('There is no browser.')
    const problems = watchSite(context, origin)
    const page = await context.newPage()
    await github.receive(page)
    if (script === 'dev') await warmUp(page, origin)
    await signInWithPassword(page, origin)
    if (hasGitHub) await signInWithGitHub(page, origin)
    if (script === 'start') expect(problems.filter(each => !isOfSvelteKit(each))).toEqual([])
  }
})

/** Bundlers learn what a page needs while it loads, and then load it once more: not in the midst of the walk. */
async function warmUp(page: Page, origin: string): Promise<void> {
  for (const path of ['/', '/account', '/']) {
    await page.goto(origin + path, { waitUntil: 'networkidle' }).catch(() => {})
  }
}

/** What SvelteKit's script says of each redirect to a page that is not its own, before it goes there. */
function isOfSvelteKit(problem: string): boolean {
  return folder === 'sveltekit' && problem.includes('Not found: /auth/signin')
}

async function signInWithPassword(page: Page, origin: string): Promise<void> {
  const statusOfApi = async () => (await page.request.get(`${origin}/api/me`)).status()
  await page.goto(origin, { waitUntil: 'networkidle' })
  await page.getByText('Hello, stranger').waitFor()
  expect(await statusOfApi()).toBe(401)
  await page.goto(`${origin}/account`)
  await page.locator('[name=name]').fill('ada')
  await page.locator('[name=password]').fill('open sesame')
  await page.locator('[name=password]').press('Enter')
  await page.getByText(/The account of Ada/i).waitFor()
  expect(await statusOfApi()).toBe(200)
  await page.goto(origin, { waitUntil: 'networkidle' })
  await page.getByText(/Hello, Ada/i).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Hello, stranger').waitFor()
  expect(await statusOfApi()).toBe(401)
}

/** From where the other left off. */
async function signInWithGitHub(page: Page, origin: string): Promise<void> {
  // By a link, which a router may follow without asking for the page.
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'GitHub' }).click()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByText('The account of Ada').waitFor()
  await page.goto(origin, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Hello, stranger').waitFor()
  // A button may be there before the script that it needs.
  await page.goto(origin, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'GitHub' }).click()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByText('Hello, Ada').waitFor()
}

/** The example in a folder outside of the repository, so that nothing is found by accident. */
function copyExample(): string {
  const copy = mkdtempSync(join(tmpdir(), `example-${folder}-`))
  const modules = join(import.meta.dirname, folder, 'node_modules')
  const copied = spawnSync('cp', ['-R', `${example}/.`, copy])
  // Bundlers want files that are inside of the project. Links to their content take no time and no room.
  const linked = spawnSync('cp', ['-al', modules, copy])
  if (linked.status !== 0) spawnSync('cp', ['-a', modules, copy]) // on another disk
  expect(copied.status).toBe(0)
  const variables = join(copy, '.env.example')
  if (existsSync(variables)) {
    copyFileSync(variables, join(copy, '.env'))
    writeSecret(copy)
  }
  return copy
}

/** As the example has its reader do. */
function writeSecret(cwd: string): void {
  const program = join(import.meta.dirname, '../packages/siteauth/dist/siteauth.js')
  const { status, stderr } = spawnSync(process.execPath, [program, 'secret'], {
    cwd,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

function secretUnlessWritten(): Readonly<Record<string, string>> {
  const isWritten = existsSync(join(example, '.env.example'))
  return isWritten ? {} : { AUTH_SECRET: 'a secret for the walk, 32 characters' }
}
