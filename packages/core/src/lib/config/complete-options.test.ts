import { describe, expect, it, vi } from 'vitest'
import { recordingLogger, SECRET } from '../../../test/visitor.ts'
import type { RevocationLog } from '../base/stores.ts'
import { completeAccount } from './account-options.ts'
import { completeRevocation, completeSession } from './complete-options.ts'
import type { AuthConfig } from './options.ts'
import { requireConfig, resolveConfig } from './resolution/resolve-config.ts'
import { readSources } from './sources.ts'
import { findProblems } from './validation/validate-config.ts'

const log: RevocationLog = {
  end: () => [],
  find: () => [],
  since: () => ({ revocations: [], now: new Date(0) }),
}

/** The topics, with every option that has a default. */
const TOPICS = {
  account: [completeAccount({}), (account: object): Partial<AuthConfig> => ({ account })],
  session: [completeSession({}), (session: object): Partial<AuthConfig> => ({ session })],
  'session.revocation': [
    completeRevocation({}),
    (revocation: object): Partial<AuthConfig> => ({ session: { revocation } }),
  ],
} as const

const OPTIONS = Object.entries(TOPICS).flatMap(([topic, [completed, configure]]) =>
  Object.entries(completed).map(([name, value]) => [topic, name, value, configure] as const),
)

describe.each(OPTIONS)('the default of %s.%s', (_topic, name, value, configure) => {
  it.each([
    ['that is absent', {}],
    ['that is undefined', { [name]: undefined }],
    ['that is given as the default', { [name]: value }],
  ])('holds for an option %s, in the check and in use', (_case, given) => {
    const options = configured(configure(given))
    expect(findProblems(readSources(options, { env: { NODE_ENV: 'test' } }), new Map())).toEqual([])
    expect(decided(options)).toEqual(decided(configured(configure({}))))
  })

  it('is checked as a given value is', () => {
    const options = configured(configure({ [name]: {} }))
    expect(
      findProblems(readSources(options, { env: { NODE_ENV: 'test' } }), new Map()),
    ).not.toEqual([])
  })
})

it('compares a given pollSeconds with the default of maxStaleSeconds, which is in use then', async () => {
  const { maxStaleSeconds } = completeRevocation({})
  const options = configured({ session: { revocation: { log, pollSeconds: maxStaleSeconds + 1 } } })
  const [problem] = findProblems(readSources(options, { env: { NODE_ENV: 'test' } }), new Map())
  expect(problem?.message).toContain('maxStaleSeconds')
})

it('passes the completed settings to what reads the log of ended sessions', async () => {
  const { createReaders } = await import('./session-readers.ts')
  const view = await import('../revocation/revocation-view.ts')
  const openRevocationView = vi.fn(view.openRevocationView)
  vi.doMock('../revocation/revocation-view.ts', () => ({ ...view, openRevocationView }))
  try {
    const options = configured({ session: { revocation: { log, check: undefined } } })
    await createReaders(readSources(options, { env: { NODE_ENV: 'test' } })).revocations?.open()
    expect(openRevocationView).toHaveBeenCalledWith(
      log,
      expect.objectContaining(completeRevocation({})),
    )
  } finally {
    vi.doUnmock('../revocation/revocation-view.ts')
  }
})

function configured(more: Partial<AuthConfig>): AuthConfig {
  return {
    secret: SECRET,
    trustHost: true,
    providers: [],
    logger: recordingLogger().logger,
    ...more,
  }
}

/** The decisions that depend on these options. */
function decided(options: AuthConfig): object {
  const { account, remember, storesTokens, showsTokenErrors } = requireConfig(
    resolveConfig(options, { env: { NODE_ENV: 'test' } }),
  )
  return { account, remember, storesTokens, showsTokenErrors }
}
