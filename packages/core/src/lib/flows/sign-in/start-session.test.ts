import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ApprovedIdentity,
  continueWithoutApproval,
  type VerifiedIdentity,
} from './authorize-sign-in.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { startSession } from './start-session.ts'

type Parameter<Call extends (...args: never) => unknown> = Parameters<Call>[2]

declare const verified: VerifiedIdentity
declare const config: Parameters<typeof startSession>[0]
declare const request: Parameters<typeof startSession>[1]

describe('what a session starts for', () => {
  it('does not compile if nothing has approved the identity', () => {
    // @ts-expect-error the identity was verified, but `authorizeSignIn` was not asked
    const start = () => startSession(config, request, verified)
    // @ts-expect-error the same for the whole ending
    const complete = () => completeSignIn(config, request, verified)
    expect([start, complete]).toHaveLength(2)
    expectTypeOf<Parameter<typeof startSession>>().toEqualTypeOf<ApprovedIdentity>()
    expectTypeOf<Parameter<typeof completeSignIn>>().toEqualTypeOf<ApprovedIdentity>()
  })

  it('does not compile if nobody has said whether the proof can stop holding', () => {
    const approve = ({ user, account, isNewUser, attempt }: VerifiedIdentity) =>
      // @ts-expect-error `stillHolds` is missing
      continueWithoutApproval({ user, account, isNewUser, attempt })
    expect(approve).toBeTypeOf('function')
  })
})
