import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication } from '../application.ts'
import { addressOf, SCENARIOS } from './scenarios.ts'
import { STORES } from './stores.ts'

const ROOT = join(import.meta.dirname, '../../../..')
let folder: string
beforeAll(async () => {
  // Within the workspace, where the drivers are found.
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'siteauth-interrupted-'))
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vitest.config.ts'),
    logLevel: 'error',
    build: { ssr: join(import.meta.dirname, 'child.ts'), outDir: folder, target: 'node20' },
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the child. Answers whether it was killed. */
function run(...words: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(folder, 'child.js'), ...words], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true)
      else if (code === 0) resolve(false)
      else reject(new Error(`the child ended with ${code ?? signal}`))
    })
  })
}

// Of these others the stores differ in nothing: one by transactions, one by commands, one published.
const ALL_SCENARIOS = ['sqlite', 'redis', '@auth/pg-adapter']

for (const [name, store] of Object.entries(STORES)) {
  describe.skipIf(!store.isThere)(
    `a process that is killed before any of its writes: ${name}`,
    () => {
      const scenarios = Object.entries(SCENARIOS)
      for (const [title, scenario] of scenarios.slice(0, ALL_SCENARIOS.includes(name) ? 4 : 1)) {
        it(`leaves ${title} to be repeated`, { timeout: 300_000 }, async () => {
          const place = await store.create()
          let fatal = 1
          for (;;) {
            const person = `person-${fatal}`
            const wasKilled = await run(name, place, title, person, String(fatal))
            const { adapter, close } = await store.open(place, () => {})
            const application = await createApplication(adapter)
            const first = await scenario.again(application, person)
            const second = await scenario.again(application, person)
            const found = await adapter.getUserByEmail?.(addressOf(person))
            await close()
            const when = wasKilled ? `killed before write ${fatal}` : 'not killed'
            expect(first, when).toBeDefined()
            expect([first, found?.id], when).toEqual([second, second])
            if (!wasKilled) break
            fatal++
          }
          // There was something to be killed before.
          expect(fatal).toBeGreaterThan(1)
        })
      }
    },
  )
}
