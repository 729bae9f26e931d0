import type { Expectation } from './expected-differences.ts'
import type { Observation } from './observe.ts'

/** Something that is not the same with both libraries. */
export interface Difference {
  readonly scenario: string
  readonly field: string
  readonly theirs: string
  readonly ours: string
}

/** A difference with what is expected of it, if anything is. */
export interface ExplainedDifference extends Difference {
  readonly expectation: Expectation | undefined
}

/** Lists the fields in which two observations of one scenario differ. */
export function compare(
  scenario: string,
  theirs: Observation,
  ours: Observation,
): readonly Difference[] {
  const fields = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  return [...fields]
    .filter(field => theirs[field] !== ours[field])
    .map(field => ({
      scenario,
      field,
      theirs: theirs[field] ?? 'nothing',
      ours: ours[field] ?? 'nothing',
    }))
}

/** Finds the first expectation that a difference meets. */
export function explain(
  difference: Difference,
  expectations: readonly Expectation[],
): ExplainedDifference {
  const { scenario, field } = difference
  const expectation = expectations.find(
    each =>
      each.scenarios.some(pattern => matches(pattern, scenario)) &&
      each.fields.some(pattern => matches(pattern, field)),
  )
  return { ...difference, expectation }
}

/** The patterns of an expectation that none of the differences needs. */
export function unusedPatterns(
  expectation: Expectation,
  differences: readonly ExplainedDifference[],
): readonly string[] {
  const { scenarios, fields } = expectation
  const explained = differences.filter(each => each.expectation === expectation)
  return [
    ...scenarios.filter(pattern => !explained.some(each => matches(pattern, each.scenario))),
    ...fields.filter(pattern => !explained.some(each => matches(pattern, each.field))),
  ]
}

/** Writes differences as text: equal ones together, with the scenarios that show them. */
export function listing(differences: readonly ExplainedDifference[]): string {
  const groups = new Map<string, string[]>()
  for (const { expectation, scenario, field, theirs, ours } of differences) {
    const key = `[${expectation?.line ?? 'NOT EXPLAINED'}] ${field}\n  - ${indent(theirs)}\n  + ${indent(ours)}`
    groups.set(key, [...(groups.get(key) ?? []), scenario])
  }
  return [...groups]
    .map(([key, scenarios]) => `${key}\n  ${indent(someOf(scenarios))}\n`)
    .sort()
    .join('\n')
}

function someOf(scenarios: readonly string[]): string {
  return scenarios.length > 12
    ? `in ${scenarios.length} scenarios`
    : `in ${scenarios.join('\n   ')}`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n    ')
}

const patterns = new Map<string, RegExp>()

/** `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  let expression = patterns.get(pattern)
  if (!expression) {
    const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    expression = new RegExp(`^${parts.join('.*')}$`, 's')
    patterns.set(pattern, expression)
  }
  return expression.test(text)
}
