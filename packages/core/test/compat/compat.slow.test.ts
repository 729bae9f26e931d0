import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { compare, type ExplainedDifference, explain, listing, unusedPatterns } from './compare.ts'
import { EXPECTED_DIFFERENCES } from './expected-differences.ts'
import { NOW } from './fixtures.ts'
import { ours, theirs } from './libraries.ts'
import type { Scenario } from './scenario.ts'
import { configurationScenarios } from './scenarios/configuration.ts'
import { credentialsScenarios } from './scenarios/credentials.ts'
import { csrfScenarios } from './scenarios/csrf.ts'
import { databaseScenarios } from './scenarios/database.ts'
import { emailScenarios } from './scenarios/email.ts'
import { environmentScenarios } from './scenarios/environment.ts'
import { errorScenarios } from './scenarios/errors.ts'
import { oauthScenarios } from './scenarios/oauth.ts'
import { onceSeenScenarios } from './scenarios/once-seen.ts'
import { pageScenarios } from './scenarios/pages.ts'
import { requestScenarios } from './scenarios/requests.ts'
import { sessionScenarios } from './scenarios/session.ts'
import { signOutScenarios } from './scenarios/sign-out.ts'
import { tokenScenarios } from './scenarios/tokens.ts'

// Every scenario is run by the library that we succeed and by ours, with the same inputs. What differs
// must be expected, and explained in docs/differences.md. To accept other values of a difference that
// is expected already, run with `-u`: they are listed in observed-differences.txt.

const SCENARIOS: readonly Scenario[] = [
  ...sessionScenarios,
  ...csrfScenarios,
  ...pageScenarios,
  ...credentialsScenarios,
  ...signOutScenarios,
  ...requestScenarios,
  ...configurationScenarios,
  ...databaseScenarios,
  ...tokenScenarios,
  ...environmentScenarios,
  ...errorScenarios,
  ...oauthScenarios,
  ...emailScenarios, // the last but one, see below
  ...onceSeenScenarios, // the last, see there
]

const DOCUMENT = new URL('../../../../docs/differences.md', import.meta.url)

const differences: ExplainedDifference[] = []

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})

// One of the libraries reads the environment by itself: what it does must not depend on the machine.
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(AUTH_|NEXTAUTH_|VERCEL$|CF_PAGES$)/.test(name)) vi.stubEnv(name, undefined)
  }
})

afterAll(() => {
  vi.useRealTimers()
})

describe('the library that we succeed and ours do the same, or differ as expected', () => {
  for (const scenario of SCENARIOS) {
    it(scenario.id, async () => {
      const observed = [await scenario.observe(theirs), await scenario.observe(ours)] as const
      const found = compare(scenario.id, ...observed).map(each =>
        explain(each, EXPECTED_DIFFERENCES),
      )
      differences.push(...found)
      expect(listing(found.filter(({ expectation }) => !expectation))).toBe('')
    })
  }
})

describe('the list of differences', () => {
  it('is made of scenarios that each have a name of their own', () => {
    const ids = SCENARIOS.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('expects nothing that does not occur', () => {
    const unused = EXPECTED_DIFFERENCES.flatMap(each =>
      unusedPatterns(each, differences).map(pattern => `${each.line}: ${pattern}`),
    )
    expect(unused.join('\n')).toBe('')
  })

  it('has a line in docs/differences.md for each, and no line there that nothing shows', async () => {
    const lines = (await readFile(DOCUMENT, 'utf8')).split('\n').filter(isLine)
    const ids = lines.map(idOf)
    const expected = EXPECTED_DIFFERENCES.map(({ line }) => line)
    const unobserved = lines.filter(line => line.includes('*Not observed')).map(idOf)
    const wrong = [
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `${id} is there twice`),
      ...expected.filter(id => !ids.includes(id)).map(id => `${id} is expected, but has no line`),
      ...ids
        .filter(id => expected.includes(id) === unobserved.includes(id))
        .map(id => `${id} is observed, or not, other than its line says`),
    ]
    expect(wrong.join('\n')).toBe('')
  })

  it('is the one that was looked at', async () => {
    const expected = differences.filter(({ expectation }) => expectation)
    await expect(listing(expected)).toMatchFileSnapshot('./observed-differences.txt')
  })
})

const LINE = /^- <a id="([^"]+)"><\/a>/

function isLine(text: string): boolean {
  return LINE.test(text)
}

function idOf(line: string): string {
  return LINE.exec(line)?.[1] ?? ''
}
