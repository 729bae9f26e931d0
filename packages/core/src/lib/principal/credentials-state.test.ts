import { describe, expect, it } from 'vitest'
import { CHUNK_SIZE } from '../http/write-session-cookie.ts'
import { findReceivedSession } from './credentials-state.ts'

const NAME = '__Secure-authjs.session-token'
const FIRST = 'r'.repeat(CHUNK_SIZE)
const REAL = `${FIRST}end`
const PARTS = [`${NAME}.0=${FIRST}`, `${NAME}.1=end`]
const PLANTED = `${NAME}=mallory`
const OWNERS: Readonly<Record<string, string>> = { [REAL]: 'ann', mallory: 'mallory' }
const sessions = { userIdOf: async (token: string) => OWNERS[token] ?? null }

describe('findReceivedSession', () => {
  it.each([
    ['a whole cookie in front of the parts', [PLANTED, ...PARTS]],
    ['a part in front', [`${NAME}.1=x`, PLANTED, ...PARTS]],
    ['a part behind', [...PARTS, `${NAME}.1=x`, PLANTED]],
    ['a part in front and behind', [`${NAME}.1=x`, PLANTED, ...PARTS, `${NAME}.1=x`]],
    ['one part in front, another behind', [`${NAME}.0=x`, PLANTED, ...PARTS, `${NAME}.1=x`]],
    ['several parts in front', [`${NAME}.0=x`, `${NAME}.0=y`, PLANTED, ...PARTS]],
    ['a full part behind', [...PARTS, `${NAME}.0=${'z'.repeat(CHUNK_SIZE)}`, PLANTED]],
  ])('contests a session in parts beside %s', async (_, cookies) => {
    const own = await findReceivedSession(sessions, cookies.join('; '), NAME)
    expect(own?.isContested).toBe(true)
  })

  it('does not contest a session in parts that came alone', async () => {
    const own = await findReceivedSession(sessions, PARTS.join('; '), NAME)
    expect([own?.token, own?.isContested ?? false]).toEqual([REAL, false])
  })

  it('finds the token that belongs to a user beside a planted part', async () => {
    const own = await findReceivedSession(sessions, [...PARTS, `${NAME}.1=x`].join('; '), NAME)
    expect(own?.token).toBe(REAL)
  })
})
