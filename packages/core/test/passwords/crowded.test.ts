import type { HashArgon2 } from '@siteauth/core/passwords'
import { describe, expect, it, vi } from 'vitest'
import type { Limiter } from '../../src/lib/base/stores.ts'
import type { Visitor } from '../visitor.ts'
import {
  ANN,
  BETTER,
  change,
  GOOD,
  outcome,
  passwordApplication,
  signIn,
  signUp,
} from './application.ts'

// A visitor who is turned away because too many passwords are waiting has guessed nothing. If that counted, a
// crowd could lock out the owner of an account without a single check.

/** An application whose hashes can be held up. */
async function crowdedApplication() {
  let release: () => void = () => {}
  let held: Promise<void> = Promise.resolve()
  const argon2id: HashArgon2 = async (password, { outputLen }) => {
    await held
    const hash = new Uint8Array(outputLen)
    hash.set(password.slice(0, outputLen))
    return hash
  }
  const limiter = {
    take: vi.fn<Limiter['take']>(() => 0),
    forget: vi.fn<Limiter['forget']>(),
  }
  const application = passwordApplication(
    { limits: { limiter } },
    { hashing: { argon2id, concurrency: 1, argon2Cost: { m: 8, t: 1 } } },
  )
  const owner = await signUp(application)
  const guess = application.visitor()
  await guess.post('/signin/password', { email: 'nobody@example.com', password: GOOD })

  /** Fills the queue, runs, and lets everybody go on. */
  async function whileCrowded<Result>(run: () => Promise<Result>): Promise<Result> {
    held = new Promise(resolve => {
      release = resolve
    })
    const crowd = Array.from({ length: 101 }, (_, at) =>
      signIn(application.visitor(), `visitor${at}@example.com`),
    )
    await vi.waitFor(() => expect(countedFor('password')).toBeGreaterThan(101))
    await new Promise(resolve => setTimeout(resolve, 20)) // until the last of them is in the queue
    limiter.take.mockClear()
    try {
      return await run()
    } finally {
      release()
      await Promise.all(crowd)
    }
  }

  function countedFor(kind: string): number {
    return limiter.take.mock.calls.filter(([key]) => key.startsWith(`${kind}.`)).length
  }

  return { application, owner, limiter, whileCrowded, countedFor }
}

const FLOWS: readonly (readonly [string, (owner: Visitor) => Promise<string>])[] = [
  ['signing in', owner => signIn(owner, ANN)],
  ['changing the password', owner => change(owner, GOOD, BETTER)],
  [
    'removing the password',
    async owner => outcome(await owner.post('/password/remove', { currentPassword: GOOD })),
  ],
]

describe.each(FLOWS)('%s while too many passwords are waiting', (_name, run) => {
  it('is refused, and is not counted as an attempt', async () => {
    const { owner, whileCrowded, countedFor } = await crowdedApplication()
    const came = await whileCrowded(() => run(owner))
    expect(came).toBe('too many')
    expect(countedFor('password')).toBe(0)
  })
})

describe.each(FLOWS)('%s', (_name, run) => {
  it('is counted as an attempt, and forgotten if the password is right', async () => {
    const { owner, limiter, countedFor } = await crowdedApplication()
    limiter.take.mockClear()
    limiter.forget.mockClear()
    await run(owner)
    expect(countedFor('password')).toBeGreaterThan(0)
    expect(limiter.forget).toHaveBeenCalledWith(expect.stringMatching(/^password\./))
  })
})
