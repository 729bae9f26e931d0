import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { viteSources } from './tools/sources.mjs'

const conditions = ['node', 'import', 'default']
// Node is started with these and adds its own: with 'import', require() would be given ES modules.
const externalConditions = ['node']

/** What builds applications or drives a browser. The longest first: at the end nobody would run beside it. */
const LONG = [
  'packages/next/test/forms',
  'packages/core/test/browser/pages',
  'packages/next/test/shapes',
  'packages/next/test/',
  'examples/',
  'packages/adapters/test/interrupted/',
  'packages/core/test/accounts/model',
  'packages/core/test/browser/',
  'packages/react/test/browser/',
  'packages/express/test/nginx',
  'tools/docs-site',
  'packages/express/test/passkeys',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(import.meta.dirname, moduleId)
      const index = LONG.findIndex(beginning => path.startsWith(beginning))
      return index === -1 ? LONG.length : index
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  plugins: [viteSources(conditions)],
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
    sequence: { sequencer: LongestFirst },
    // Browsers and builds wait a good deal: with a file per core, a third of the time would be idle.
    maxWorkers: availableParallelism() + 1,
    // No test asserts a time, and two cores may be busy with something else.
    testTimeout: 60_000,
    // A browser may miss a beat on such a machine. What fails twice is broken.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 60_000,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
