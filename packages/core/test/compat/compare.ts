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
    const [was, is] = expectation?.oursOnly ? ['left out', ours] : abridge(theirs, ours)
    const key = `[${expectation?.line ?? 'NOT EXPLAINED'}] ${field}\n  - ${indent(was)}\n  + ${indent(is)}`
    groups.set(key, [...(groups.get(key) ?? []), scenario])
  }
  return [...groups]
    .map(([key, scenarios]) => `${key}\n  ${indent(someOf(scenarios))}\n`)
    .sort()
    .join('\n')
}

/** Leaves out what two long texts start and end with alike. */
function abridge(left: string, right: string): readonly [string, string] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start++
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++
  // Some of it stays, to show where the rest belongs.
  const from = start > 60 ? start - 40 : 0
  const to = end > 40 ? end - 20 : 0
  const cut = (text: string) =>
    `${from > 0 ? '… ' : ''}${text.slice(from, text.length - to)}${to > 0 ? ' …' : ''}`
  return [cut(left), cut(right)]
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
