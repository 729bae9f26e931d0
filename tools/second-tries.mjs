/**
 * For Vitest: names at the end what failed before it passed, since a retry must hide nothing.
 *
 * @implements {import('vitest/reporters').Reporter}
 */
export default class SecondTries {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const names = modules.flatMap(module =>
      [...module.children.allTests('passed')]
        // One that is expected to fail always does at first.
        .filter(test => test.diagnostic()?.flaky && !test.options.fails)
        .map(test => `  ${module.relativeModuleId} > ${test.fullName}`),
    )
    if (names.length === 0) return
    console.log(
      `Failed at first and passed at the second try, so look at these:\n${names.join('\n')}`,
    )
  }
}
