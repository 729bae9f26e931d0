import { defineConfig } from 'vitest/config'
import { viteSources } from '../tools/sources.mjs'

const conditions = ['node', 'import', 'default']

// Apart from the one of the workspace, so that no other run ever starts these.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [viteSources(conditions)],
  resolve: { conditions },
  ssr: { resolve: { conditions: ['node'], externalConditions: ['node'] } },
  test: {
    include: ['suite.test.ts', `${process.env['CONFORMANCE_FOLDER']}/pitfalls.test.ts`],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
