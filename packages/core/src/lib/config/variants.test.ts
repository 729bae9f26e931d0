import { describe, expect, it } from 'vitest'
import { recordingLogger, SECRET } from '../../../test/visitor.ts'
import { resolveConfig } from './resolve.ts'
import { atPaths, forOwnCalls } from './variants.ts'

const { logger } = recordingLogger()
const good = resolveConfig({ providers: [], secret: SECRET, logger }, { env: {} })
const faulty = resolveConfig({ providers: [], logger }, { env: { NODE_ENV: 'production' } })

describe('variants of a configuration', () => {
  it('moves the endpoints and shares the rest', () => {
    const moved = atPaths(good, { route: '/a', public: '/b/a' })
    expect(moved.frame.paths).toEqual({ route: '/a', public: '/b/a' })
    expect(moved.config?.paths).toEqual({ route: '/a', public: '/b/a' })
    expect(moved.config?.https).toBe(good.config?.https)
    expect(good.frame.paths).toEqual({ route: '/auth', public: '/auth' })
  })

  it('leaves the CSRF check out, in the variant only', () => {
    expect(forOwnCalls(good).config?.csrf).toBeNull()
    expect(good.config?.csrf).not.toBeNull()
  })

  it('keeps faults', () => {
    expect(atPaths(faulty, { route: '', public: '' }).faults).toBe(faulty.faults)
    expect(forOwnCalls(faulty)).toBe(faulty)
  })
})
