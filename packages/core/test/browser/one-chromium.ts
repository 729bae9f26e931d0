import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { chromiumOptions, findQuickChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is that all files share. */
    readonly chromium: string
  }
}

/** For Vitest: starts one browser before all files, and answers how to end it. */
export default async function startChromium({ provide }: TestProject) {
  const program = findQuickChromium()
  if (program === null) return
  const server = await chromium.launchServer(chromiumOptions(program))
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
