import { describe, expect, it } from 'vitest'
import { ABSENCES, type AbsenceName } from './absences.ts'
import { doesSomething } from './does-something.ts'
import { EXCEPTIONS, type Exception } from './exceptions.ts'
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

const NOTHING = { data: [], effects: [], isGivenSession: false }

describe.each(SETTINGS)('a session of strategy $strategy, checked $check', setting => {
  const rows = ROWS.filter(([name]) => setting.strategy === 'jwt' || !(name in STORELESS_ROWS))
  const absences = Object.entries(ABSENCES).filter(
    ([, { appliesTo }]) => appliesTo?.(setting) ?? true,
  )

  it.each(rows)('%s: serves its user while it is valid', async (_name, row) => {
    const observed = await observe(await createWorld(setting), row)
    expect(doesSomething(observed)).toBe(row.isForUser)
  })

  describe.each(absences)('%s', (absence, { end }) => {
    it.each(rows)('%s: shows nothing, changes nothing and sets no cookie', async (name, row) => {
      const observed = await observe(await createWorld(setting), row, end)
      const exception = EXCEPTIONS.find(each => isFor(each, name, absence as AbsenceName, setting))
      // Shown as it was read, and no more: an exception that is no longer needed fails as well.
      const data = exception ? expect.arrayContaining([expect.any(String)]) : []
      expect(observed).toMatchObject({ ...NOTHING, data })
      if (exception) expect(observed.data).not.toEqual([])
    })
  })

  // An unreachable store is not the same as nobody.
  it.each(rows.filter(([, row]) => row.isForUser))(
    '%s: fails if the store is down',
    async (name, row) => {
      const isRead = EXCEPTIONS.some(each => isFor(each, name, 'store down', setting))
      if (isRead || name === 'GET signin') return
      const { status } = await observe(await createWorld(setting), row, ABSENCES['store down'].end)
      expect([503, 302, 'rejected']).toContain(status)
    },
  )
})

function isFor(
  { rows, absences, appliesTo }: Exception,
  row: string,
  absence: AbsenceName,
  setting: Setting,
): boolean {
  return rows.includes(row) && absences.includes(absence) && (appliesTo?.(setting) ?? true)
}
