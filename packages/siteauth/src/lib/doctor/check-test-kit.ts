import { isTest } from '../code/is-test.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './project-under-test.ts'

/** Whether the kit for tests, which signs anybody in, is part of what is deployed. */
export function checkTestKit({ configs, sources }: Subject): readonly Finding[] {
  const configured = new Set(configs.map(({ source }) => source.file))
  return sources.files
    .filter(file => !isTest(file) && (DEPLOYED.test(file) || configured.has(file)))
    .filter(file => /['"]@siteauth\/testing(?:\/\w+)?['"]/.test(sources.text(file) ?? ''))
    .map(file => ({
      code: 'test-kit-in-code',
      severity: 'error',
      what: `${file} imports @siteauth/testing, which is made to sign anybody in.`,
      cure: 'Import it in tests only. To have the application ask a fake provider, set its issuer by a variable in tests.',
      where: file,
    }))
}

// What Next runs, or what a server most often begins with.
const DEPLOYED =
  /^(?:src\/)?(?:(?:app|pages)\/|(?:auth(?:\.config)?|proxy|middleware|instrumentation|server|index|main)\.[cm]?[jt]s$)/
