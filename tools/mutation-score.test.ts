import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  addRow,
  changedSince,
  judge,
  outdatedSurvivors,
  rangesToRepeat,
  withRepeated,
} from './mutation-score.mjs'

const SOURCE = `export function isAllowed(age) {
  if (age < 18) return false
  return true
}
`
const CONDITION = { start: { line: 2, column: 7 }, end: { line: 2, column: 15 } }
const BODY = { start: { line: 1, column: 32 }, end: { line: 4, column: 2 } }
const SURVIVOR = { in: 'if (age < 18) return false', instead: 'age < 18', becomes: 'age <= 18' }

it('counts what a test noticed, and what it waited for in vain', () => {
  const { mutants, killed, score, faults } = judge(report('Killed', 'Timeout', 'Killed'), [])
  expect({ mutants, killed, score, faults }).toEqual({
    mutants: 3,
    killed: 3,
    score: 100,
    faults: [],
  })
})

it('fails for a mutant that no test notices, and names it by what it changes', () => {
  const many = Array.from({ length: 9 }, () => 'Killed')
  const { score, faults } = judge(report(...many, 'Survived'), [])
  expect(score).toBe(90)
  expect(faults).toEqual([
    `no test notices, and survivors.json has no reason: line 2: ${JSON.stringify(SURVIVOR)}`,
  ])
})

it('fails for one that no test reaches', () => {
  expect(judge(report('Killed', 'NoCoverage'), []).faults).toHaveLength(2)
})

it('accepts one that is explained', () => {
  const many = Array.from({ length: 9 }, () => 'Killed')
  expect(judge(report(...many, 'Survived'), explained(SURVIVOR)).faults).toEqual([])
})

it('fails below 85 %, however well the others are explained', () => {
  const { faults } = judge(report('Killed', 'Survived'), explained(SURVIVOR))
  expect(faults).toEqual(['50 % is less than 85 %'])
})

it('fails for an explanation of what a test notices', () => {
  expect(judge(report('Killed'), explained(SURVIVOR)).faults).toEqual([
    expect.stringContaining('a test notices it or it is gone'),
  ])
})

it('leaves a mutant that only takes long explained', () => {
  expect(judge(report('Timeout'), explained(SURVIVOR)).faults).toEqual([])
})

it('counts a mutant that could not be run neither way', () => {
  expect(judge(report('Killed', 'RuntimeError'), [])).toMatchObject({ mutants: 1, score: 100 })
})

it('describes a change of several lines in one', () => {
  const mutants = [{ status: 'Survived', location: BODY, replacement: '{}' }]
  const [, fault] = judge({ source: SOURCE, mutants }, []).faults
  expect(fault).toContain('"instead":"{ if (age < 18) return false return true }"')
})

it('repeats what no test has noticed and nobody has explained', () => {
  const file = report('Killed', 'Timeout', 'Survived', 'RuntimeError')
  expect(rangesToRepeat(file, [])).toEqual(['2:6-2:14'])
  expect(rangesToRepeat(file, explained(SURVIVOR))).toEqual([])
})

it('goes by what came out last, and leaves mutants of the same place that become something else', () => {
  const survived = report('Survived').mutants
  const other = survived.map(mutant => ({ ...mutant, replacement: 'true' }))
  const elsewhere = survived.map(mutant => ({ ...mutant, location: BODY }))
  const file = { source: SOURCE, mutants: [...survived, ...other, ...elsewhere] }
  expect(withRepeated(file, report('Killed')).mutants).toMatchObject([
    { status: 'Killed' },
    { status: 'Survived' },
    { status: 'Survived' },
  ])
})

it('replaces the row of a file, in the order of the files, and drops those that are gone', () => {
  const head = '# Scores\n\n| file | mutants |\n|---|--:|\n'
  const table = `${head}| gone | 1 | 1 | 0 | 100 | a | b |\n| two | 1 | 1 | 0 | 100 | a | b |\n`
  const row = { name: 'one', mutants: 4, killed: 3, score: 75, text: 'c', date: 'd' }
  const once = addRow(table, row, ['one', 'two'])
  expect(once).toBe(`${head}| one | 4 | 3 | 1 | 75 | c | d |\n| two | 1 | 1 | 0 | 100 | a | b |\n`)
  expect(addRow(once, { ...row, killed: 4, score: 100 }, ['one', 'two'])).toBe(
    `${head}| one | 4 | 4 | 0 | 100 | c | d |\n| two | 1 | 1 | 0 | 100 | a | b |\n`,
  )
})

describe('an explanation', () => {
  const instead = '{ if (age < 18) return false return true }'
  const body = { in: 'export function isAllowed(age) {', instead, becomes: '{}' }

  it('is found while its line is there, whatever follows', () => {
    expect(outdatedSurvivors(`const a = 1\n  ${SOURCE}`, explained(SURVIVOR, body))).toEqual([])
  })

  it.each([
    ['its line has changed', { ...SURVIVOR, in: 'if (age < 21) return false' }],
    ['its line is only a part of one', { ...SURVIVOR, in: 'if (age < 18)' }],
    ['its part has changed', { ...SURVIVOR, instead: 'age < 21' }],
    ['its part is in another line', { ...SURVIVOR, instead: 'return true' }],
    ['its part ends otherwise', { ...body, instead: `${instead} }` }],
  ])('is not if %s', (_, survivor) => {
    expect(outdatedSurvivors(SOURCE, explained(SURVIVOR, survivor))).toEqual([survivor])
  })
})

it('lists the files whose text has changed since their row', () => {
  const table = '| one | 1 | 1 | 0 | 100 | a | d |\n| two | 1 | 1 | 0 | 100 | a | d |\n'
  const textOf = (name: string) => (name === 'one' ? 'a' : 'b')
  expect(changedSince(table, textOf, ['one', 'two', 'new'])).toEqual(['two', 'new'])
})

describe('the files that are mutated', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  const { files } = JSON.parse(read('mutation/files.json')) as { files: Record<string, string[]> }
  const survivors = JSON.parse(read('mutation/survivors.json')) as Record<
    string,
    ReturnType<typeof explained>
  >
  const names = Object.keys(files)

  it('have the text that each explained survivor changes', () => {
    const outdated = Object.entries(survivors).flatMap(([name, groups]) =>
      outdatedSurvivors(read(`packages/core/src/lib/${name}.ts`), groups).map(
        (survivor: unknown) => `${name}: ${JSON.stringify(survivor)}`,
      ),
    )
    expect(outdated).toEqual([])
  })

  it('include all that have explained survivors, and have a row of scores each', () => {
    expect(Object.keys(survivors).filter(name => !names.includes(name))).toEqual([])
    const rows = read('mutation/scores.md').split('\n')
    expect(names.filter(name => !rows.some(row => row.startsWith(`| ${name} |`)))).toEqual([])
  })
})

function report(...statuses: string[]) {
  const mutants = statuses.map(status => ({
    status,
    location: CONDITION,
    replacement: 'age <= 18',
  }))
  return { source: SOURCE, mutants }
}

function explained(...mutants: (typeof SURVIVOR)[]) {
  return [{ reason: 'nobody is that old', mutants }]
}
