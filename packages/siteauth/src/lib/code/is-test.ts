/** Whether a file is for tests: what it configures never runs for the public. */
export function isTest(file: string): boolean {
  return TEST.test(file)
}

const TEST =
  /\.(?:test|spec|cy|stories)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|__mocks__|tests?|e2e|cypress|playwright|fixtures)\/|^(?:vitest|jest|playwright|cypress)[\w.-]*\.[cm]?[jt]s$/
