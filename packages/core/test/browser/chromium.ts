import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { inject } from 'vitest'

/**
 * Where Chromium is, or null. Nobody must take its absence for success: it is said aloud, and where
 * every test has to run it is a failure.
 */
export function findChromium(): string | null {
  const { CHROMIUM_PATH, CI } = process.env
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const found = CHROMIUM_PATH || findProgram(names)
  if (found) return found
  const sentence =
    'the tests that sign in with a real browser. Install chromium or set CHROMIUM_PATH.'
  if (CI === 'true' || CI === '1') throw new Error(`Cannot run: ${sentence}`)
  console.warn(`Not run: ${sentence}`)
  return null
}

/** Chromium without windows, where it is installed: a page of it costs half as much. Else Chromium itself. */
export function findQuickChromium(): string | null {
  const { CHROMIUM_SHELL_PATH } = process.env
  return CHROMIUM_SHELL_PATH || findProgram(['chromium-headless-shell']) || findChromium()
}

function findProgram(names: readonly string[]): string | undefined {
  const { PATH = '' } = process.env
  return names
    .flatMap(name => PATH.split(delimiter).map(folder => join(folder, name)))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A browser that finds nothing outside this machine. */
export function chromiumOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  }
}

/** The browser of all files. Each has contexts of its own, and closing it closes those. */
export function openChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'))
}

/** Waits until a page has nothing left to do, and its server has received whatever the page asked before. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise<void>(resolve => requestIdleCallback(() => resolve(), { timeout: 1000 }))
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  })
}

/**
 * What goes wrong on the pages of a site, in the words of the browser: errors and warnings on the
 * console, those about content security among them; whatever is loaded from elsewhere; scripts that
 * throw, on any page. The list grows while pages are visited.
 */
export function watchSite(context: BrowserContext, origin: string): string[] {
  const problems: string[] = []
  const isOurs = (url: string | undefined) => url?.startsWith(`${origin}/`) === true
  context.on('console', message => {
    const { url } = message.location()
    if (!isComplaint(message) || !(isOurs(url) || isOurs(message.page()?.url()))) return
    problems.push(`${message.type()} at ${message.page()?.url()}: ${message.text()}`)
  })
  context.on('weberror', error => {
    problems.push(`page error at ${error.page()?.url()}: ${error.error().message}`)
  })
  context.on('request', request => {
    const url = request.url()
    if (request.isNavigationRequest() || isOurs(url) || url.startsWith('data:')) return
    if (isOurs(request.frame().url())) problems.push(`loaded by ${request.frame().url()}: ${url}`)
  })
  return problems
}

/** That a page about an error has the status of one is no fault. */
function isComplaint(message: ConsoleMessage): boolean {
  const isStatusOfPage =
    message.text().startsWith('Failed to load resource: the server responded with a status of') &&
    message.location().url === message.page()?.url()
  return ['error', 'warning'].includes(message.type()) && !isStatusOfPage
}
