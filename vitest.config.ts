import { defineConfig } from 'vitest/config'

const conditions = ['@siteauth/source', 'node', 'import', 'default']
// Node is started with these and adds its own: with 'import', require() would be given ES modules.
const externalConditions = ['@siteauth/source', 'node']

export default defineConfig({
  // Packages are tested from their sources: see "exports" in each package.json.
  resolve: { conditions },
  ssr: { resolve: { conditions: externalConditions, externalConditions } },
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'tools/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
    ],
    // A rejection nobody handles would take an application's process down: it fails the run here.
    dangerouslyIgnoreUnhandledErrors: false,
    // No test asserts a time, and two cores may be busy with something else.
    testTimeout: 60_000,
    // A browser may miss a beat on such a machine. What fails twice is broken.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 60_000,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
