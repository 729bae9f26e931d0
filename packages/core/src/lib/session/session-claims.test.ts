import { describe, expect, it } from 'vitest'
import { keysOf } from '../revocation/keys/revocation-keys.ts'
import type { SessionLimits } from './lifetime.ts'
import { FORMAT_ENTRIES } from './limit-formats.ts'
import { readSessionLimits } from './read-session-limits.ts'
import { SESSION_CLAIM } from './revocation.ts'
import { LIMIT_READERS } from './session-claims.ts'
import { nameWith, parseSessionLimits } from './session-name.ts'

/** A value of each limit. A limit that is added to the type needs one here. */
const SAMPLES: Required<SessionLimits> = {
  bgn: 1_700_000_000_000,
  cap: 1_800_000_000_000,
  tmp: true,
  rk: { at: 1_700_000_000, sid: 'a'.repeat(22), sub: 'b'.repeat(22) },
}

describe.each(FORMAT_ENTRIES)('the limit %s', name => {
  const limits = { [name]: SAMPLES[name] }

  it('survives in the name of a row, alone and with all others', () => {
    expect(parseSessionLimits(nameWith('random', limits))).toEqual(limits)
    expect(parseSessionLimits(nameWith('random', SAMPLES))[name]).toEqual(SAMPLES[name])
  })

  it('survives in a token, and in what the token can be revoked by', () => {
    const token = { sub: '1', [SESSION_CLAIM]: { sid: 'a session', gen: 0, ...limits } }
    expect(readSessionLimits(token)[name]).toEqual(SAMPLES[name])
    expect(keysOf(token, null).claims[name]).toEqual(SAMPLES[name])
  })

  it('is ignored if the claim holds something else', () => {
    for (const member of [null, 'text', {}, [], false]) {
      expect(LIMIT_READERS[name](member)).toBeUndefined()
    }
  })
})

it.each([{ at: '1' }, { at: 1, sid: 7 }, { at: 1, sub: 7 }, { at: 1, sid: 7, sub: 'b' }])(
  'the claim of what a provider can end a session by is ignored if it is %j',
  member => {
    expect(LIMIT_READERS.rk(member)).toBeUndefined()
  },
)

describe('the name of a row', () => {
  it('is stored as it was before: other versions share the store', () => {
    const began = SAMPLES.bgn?.toString(36)
    const capped = SAMPLES.cap?.toString(36)
    const provider = `ps44we8~s${'a'.repeat(22)}~u${'b'.repeat(22)}`
    expect(nameWith('r', SAMPLES)).toBe(`r~b${began}~c${capped}~t~${provider}`)
    expect(nameWith('r', {})).toBe('r')
  })

  it.each([
    { at: 1_700_000_000, sid: 'a'.repeat(22) },
    { at: 1_700_000_000, sub: 'b'.repeat(22) },
    { at: 1_700_000_000 },
  ])('has what a provider can end a session by, as far as it is known: %j', rk => {
    const { rk: read } = parseSessionLimits(nameWith('random', { ...SAMPLES, rk }))
    expect(read).toEqual({ sid: undefined, sub: undefined, ...rk })
  })

  it('has only the limits that it was given', () => {
    expect(parseSessionLimits('0f8c7d3a')).toEqual({})
    expect(parseSessionLimits('0f8c~x1')).toEqual({})
  })
})
