import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { viteSources } from './tools/sources.mjs'

const conditions = ['node', 'import', 'default']
// Node is started with these and adds its own: with 'import', require() would be given ES modules.
const externalConditions = ['node']

/** What frameworks make up for each application: the tests of the packages for them make up their own. */
const MADE_UP = {
  '@sveltejs/kit': 'sveltekit/test/kit/kit.ts',
  '$app/environment': 'sveltekit/test/kit/environment.ts',
  '$env/dynamic/private': 'sveltekit/test/kit/private-env.ts',
  'astro:env/server': 'astro/test/server-env.ts',
}
const alias = Object.fromEntries(
  Object.entries(MADE_UP).map(([name, file]) => [
    name,
    join(import.meta.dirname, 'packages', file),
  ]),
)

const TESTS = [
  'packages/*/{src,test}/**/*.test.ts',
  'tools/**/*.test.ts',
  'examples/*/test/**/*.test.ts',
]
/** What needs a build, another process, a database server or a browser. */
const SLOW = '**/*.slow.test.ts'
/** What runs from source like the rest, but searches for long or tries every combination. */
const LONG = '**/*.long.test.ts'
/** What takes minutes: older versions, whole projects, drills with several processes. See docs/decisions/052. */
const RELEASE = '**/*.release.test.ts'
/** What runs Auth.js, which remembers for as long as its modules live what it was configured with. */
const WITH_AUTHJS = [
  'packages/core/test/compat/*.test.ts',
  'packages/core/test/webauthn/old-library.test.ts',
]

/** `npx vitest` is for the moments between two changes: it leaves out what takes longer, unless told its kind or name. */
const isMeant = (kind: string) => process.argv.some(word => word.includes(kind))
const isReleaseMeant = isMeant('release')
const isSlowMeant = isMeant('slow') || isReleaseMeant

/** The longest of each kind first: at the end nobody would run beside it. */
const LONGEST = [
  'packages/next/test/',
  'examples/',
  'packages/core/test/browser/pages',
  'packages/react/test/browser/',
  'packages/core/test/browser/',
  'packages/core/test/principal/',
  'packages/core/test/attempts/',
  'packages/core/test/accounts/',
  'packages/core/test/security/doors',
  'packages/adapters/test/killed/',
  'packages/adapters/test/schedules',
  'packages/adapters/test/redis',
  'packages/nestjs/test/integration',
  'packages/fastify/test/integration',
]

/**
 * One kind after the other: Vitest ends a worker, with all modules that it has loaded, as soon as the next file is of another
 * kind. What waits for servers and browsers comes first, and the shortest files last.
 */
const KINDS = ['release', 'slow', 'authjs', 'long', 'fast']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = relative(import.meta.dirname, moduleId)
      const index = LONGEST.findIndex(beginning => path.startsWith(beginning))
      const place = index === -1 ? LONGEST.length : index
      return KINDS.indexOf(project.name) * (LONGEST.length + 1) + place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

const shared = {
  // No test asserts a time, and two cores may be busy with something else.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  unstubEnvs: true,
  restoreMocks: true,
  // Browsers and builds wait a good deal: with a file per core, a third of the time would be idle.
  maxWorkers: availableParallelism() + (isSlowMeant ? 1 : 0),
}

/** A kind that needs servers or a browser. */
function served(name: string, include: string, testTimeout = shared.testTimeout) {
  return {
    extends: true as const,
    test: {
      ...shared,
      name,
      testTimeout,
      include: [include],
      // As for the fast ones: a third of the time of those with a browser.
      isolate: false,
      globalSetup: 'packages/core/test/browser/one-chromium.ts',
    },
  }
}

export default defineConfig({
  plugins: [viteSources(conditions)],
  resolve: { alias, conditions },
  ssr: { resolve: { conditions: externalConditions, externalConditions } },
  test: {
    // A quarter of the inner loop would go into transforming files that did not change.
    experimental: { fsModuleCache: true },
    // A rejection nobody handles would take an application's process down: it fails the run here.
    dangerouslyIgnoreUnhandledErrors: false,
    sequence: { sequencer: LongestFirst },
    // A browser may miss a beat on a busy machine. What fails twice is broken.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', './tools/second-tries.mjs'],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'fast',
          include: TESTS,
          exclude: [SLOW, LONG, RELEASE, ...WITH_AUTHJS],
          // Half of the time would go into loading the same modules for each file.
          pool: 'threads',
          isolate: false,
        },
      },
      ...(isMeant('long')
        ? [
            {
              extends: true as const,
              test: {
                ...shared,
                name: 'long',
                include: [LONG],
                pool: 'threads' as const,
                isolate: false,
              },
            },
          ]
        : []),
      ...(isMeant('authjs') || isMeant('compat')
        ? [
            {
              extends: true as const,
              test: {
                ...shared,
                name: 'authjs',
                include: WITH_AUTHJS,
                exclude: [SLOW],
                pool: 'threads' as const,
              },
            },
          ]
        : []),
      ...(isSlowMeant ? [served('slow', SLOW)] : []),
      ...(isReleaseMeant ? [served('release', RELEASE, 600_000)] : []),
    ],
  },
})
