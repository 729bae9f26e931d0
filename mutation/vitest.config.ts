import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import workspace from '../vitest.config.ts'

const tests = process.env['MUTATION_TESTS']?.split(',') ?? []

/** As they are listed: the first that fails ends the run, so those that fail most often stand first. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      tests.findIndex(test => moduleId.endsWith(test))
    return files.toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  plugins: workspace.plugins,
  resolve: workspace.resolve,
  ssr: workspace.ssr,
  test: {
    include: tests,
    // A fault may keep a test waiting. The tests themselves take a few seconds each on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    unstubEnvs: true,
    restoreMocks: true,
    pool: 'threads',
    isolate: false,
    // The files are copies that are removed afterwards.
    experimental: { fsModuleCache: false },
    sequence: { sequencer: AsListed },
  },
})
