import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it } from 'vitest'

const GUARD = fileURLToPath(new URL('../src/lib/reject-production.ts', import.meta.url))

it('refuses in a bundle for browsers, which have no process', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: GUARD, formats: ['iife'], name: 'kit' } },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  // Sound: there is one format, and nothing is watched.
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }]
  const load = new Function('process', `${output[0].code}; return kit`)
  expect(() => load(undefined).rejectProduction('SessionStandIn')).toThrow('is for tests')
})
