import { describe, expect, it } from 'vitest'
import { ABSENCES, type AbsenceName } from './absences.ts'
import { doesSomething } from './does-something.ts'
import { COOKIES, EXCEPTIONS, type Exception } from './exceptions.ts'
import { observe } from './observe.ts'
import { CALL_ROWS, ENDPOINT_ROWS, type Row, STORELESS_ROWS } from './rows.ts'
import { createWorld, type Setting } from './world.ts'

// Who sent a request has one answer: every endpoint and every call, for every way in which a session stops being somebody's.

const SETTINGS: readonly Setting[] = [
  { strategy: 'database', check: 'always' },
  { strategy: 'jwt', check: 'always' },
  { strategy: 'jwt', check: 'on-renewal' },
]

const ROWS: readonly (readonly [name: string, row: Row])[] = [
  ...Object.entries(ENDPOINT_ROWS),
  ...Object.entries(CALL_ROWS),
  ...Object.entries(STORELESS_ROWS),
]

interface Cell {
  readonly name: string
  readonly row: Row
  readonly setting: Setting
}

/**
 * How much of the table is tried: each row with each absence in all settings, or each row with every second absence and each
 * absence with every second row, in one setting, another one for each. Cells with an exception, or for which a cookie is named,
 * are always tried.
 */
export type Extent = 'all' | 'half'

/** Describes the table. A cell in which something is shown, changed or set names what documents it. */
export function describeTable(extent: Extent): void {
  const set = new Set<string>()

  describe('while it is valid, a session', () => {
    // The other settings are left to `rows.test.ts` and the whole table.
    const cells = cellsOf(undefined, extent === 'all' ? SETTINGS : SETTINGS.slice(0, 1), 'all')
    it.each(cells)(
      '$setting.strategy, $setting.check: $name serves its user',
      async ({ row, setting }) => {
        const observed = await observe(await createWorld(setting), row)
        expect(doesSomething(observed)).toBe(row.isForUser)
      },
    )
  })

  describe.each(Object.keys(ABSENCES) as AbsenceName[])('%s', absence => {
    const cells = cellsOf(absence, SETTINGS, extent)
    it.each(cells)(
      '$setting.strategy, $setting.check: $name shows, changes and sets nothing',
      async cell => {
        const world = await createWorld(cell.setting)
        const observed = await observe(world, cell.row, ABSENCES[absence].end)
        const exception = EXCEPTIONS.find(each => isFor(each, cell, absence))
        // Shown as it was read, and no more: an exception that is no longer needed fails as well.
        expect(observed).toMatchObject({
          isGivenSession: false,
          data: exception && !exception.effects ? expect.arrayContaining([expect.any(String)]) : [],
          effects: exception?.effects ?? [],
        })
        expect(observed.data.length > 0).toBe(exception !== undefined && !exception.effects)
        const named = COOKIES.filter(
          ({ rows, absences }) => rows.includes(cell.name) && (absences?.includes(absence) ?? true),
        )
        expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining([...observed.cookies]))
        for (const name of observed.cookies) set.add(`${cell.name} ${name}`)
        // An unreachable store is not the same as nobody.
        if (
          absence === 'store down' &&
          cell.row.isForUser &&
          !exception &&
          cell.name !== 'GET signin'
        )
          expect([503, 302, 'rejected']).toContain(observed.status)
      },
    )
  })

  it.each(COOKIES)('a cookie that is named is set: $name, $purpose', ({ name, rows }) => {
    expect(rows.filter(row => !set.has(`${row} ${name}`))).toEqual([])
  })
}

/** The cells of an absence; with half of the table, the rows and the settings take turns. */
function cellsOf(
  absence: AbsenceName | undefined,
  settings: readonly Setting[],
  extent: Extent,
): readonly Cell[] {
  const offset = absence ? Object.keys(ABSENCES).indexOf(absence) : 0
  return ROWS.flatMap(([name, row], at) => {
    const possible = settings.filter(
      setting =>
        (setting.strategy === 'jwt' || !(name in STORELESS_ROWS)) &&
        (absence === undefined || (ABSENCES[absence].appliesTo?.(setting) ?? true)),
    )
    const turn = at + offset
    const isTried = turn % 2 === 0 || (absence !== undefined && isNamed(name, absence))
    const one = isTried ? [possible[Math.floor(turn / 2) % possible.length]] : []
    const taken = extent === 'all' ? possible : one
    return taken.flatMap(setting => (setting ? { name, row, setting } : []))
  })
}

/** Whether an exception or a cookie names a cell. */
function isNamed(row: string, absence: AbsenceName): boolean {
  return [...EXCEPTIONS, ...COOKIES].some(
    ({ rows, absences }) => rows.includes(row) && absences?.includes(absence) === true,
  )
}

function isFor(
  { rows, absences, appliesTo }: Exception,
  { name, setting }: Cell,
  absence: AbsenceName,
): boolean {
  return rows.includes(name) && absences.includes(absence) && (appliesTo?.(setting) ?? true)
}
