import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { viteSources } from '../tools/sources.mjs'

const folder = process.env['CONFORMANCE_FOLDER'] ?? ''
// The example for Next.js is of another shape: packages/next/test/example.release.test.ts walks through it.
const hasExample =
  folder !== 'next' && existsSync(join(import.meta.dirname, '../examples', folder, 'package.json'))
const conditions = ['node', 'import', 'default']

// Apart from the one of the workspace, so that no other run ever starts these.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [viteSources(conditions)],
  resolve: { conditions },
  ssr: { resolve: { conditions: ['node'], externalConditions: ['node'] } },
  test: {
    include: [
      'suite.test.ts',
      `${folder}/pitfalls.test.ts`,
      ...(hasExample ? ['example.test.ts'] : []),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
