import { describe, expect, it } from 'vitest'
import { CALLS } from '../../src/lib/api/auth-calls.ts'
import { listProtections } from '../../src/lib/endpoints/routes.ts'
import { doesSomething } from './does-something.ts'
import { observe } from './observe.ts'
import { CALL_ROWS, ENDPOINT_ROWS, STORELESS_ROWS } from './rows.ts'
import { createWorld } from './world.ts'

// The table itself, for one kind of session. What its rows do for sessions that have ended is in `table-suite.ts`.

const ROWS = Object.entries({ ...ENDPOINT_ROWS, ...CALL_ROWS, ...STORELESS_ROWS })

describe('the table of requests', () => {
  it('has a row for every endpoint', () => {
    expect(Object.keys(ENDPOINT_ROWS).sort()).toEqual(Object.keys(listProtections()).sort())
  })

  it('has a row for every call', () => {
    expect(Object.keys(CALL_ROWS).sort()).toEqual(Object.keys(CALLS).sort())
  })

  // A row that shows nothing while the session is valid would also show nothing after it has ended.
  it.each(ROWS)('%s: serves a signed-in user, if the row says so', async (_name, row) => {
    const observed = await observe(await createWorld({ strategy: 'jwt', check: 'always' }), row)
    expect(doesSomething(observed)).toBe(row.isForUser)
  })
})
