// Stryker's runner for Vitest always reports which test has reached which mutant. Without the report, all tests run for each.
import * as runners from '@stryker-mutator/vitest-runner'

const [vitest] = runners.strykerPlugins

function createRunner(injector) {
  const runner = vitest.factory(injector)
  const dryRun = runner.dryRun.bind(runner)
  runner.dryRun = async options => {
    const { mutantCoverage: _, ...result } = await dryRun(options)
    return result
  }
  return runner
}
createRunner.inject = vitest.factory.inject

export const strykerPlugins = [{ ...vitest, name: 'all tests', factory: createRunner }]
