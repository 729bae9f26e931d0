import { describe, expect, it } from 'vitest'
import { recordingLogger, SECRET } from '../../../test/visitor.ts'
import { requireConfig, resolveConfig } from './resolution/resolve-config.ts'
import { atPaths } from './site-address.ts'

const { logger } = recordingLogger()
const good = requireConfig(
  resolveConfig({ providers: [], secret: SECRET, logger }, { env: { NODE_ENV: 'test' } }),
)
const faulty = resolveConfig(
  { providers: [], trustHost: false, logger },
  { env: { NODE_ENV: 'production' } },
)

describe('variants of a configuration', () => {
  it('moves the endpoints and shares the rest', () => {
    const moved = requireConfig(atPaths(good, { route: '/a', public: '/b/a' }))
    expect(moved.paths).toEqual({ route: '/a', public: '/b/a' })
    expect(moved.https).toBe(good.https)
    expect(good.paths).toEqual({ route: '/auth', public: '/auth' })
  })

  it('keeps faults', () => {
    expect(faulty.problems).toHaveLength(2)
    expect(atPaths(faulty, { route: '', public: '' }).problems).toBe(faulty.problems)
  })
})
