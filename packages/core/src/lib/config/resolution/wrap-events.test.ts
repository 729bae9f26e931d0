import { describe, expect, it, vi } from 'vitest'
import { recordingLogger } from '../../../../test/visitor.ts'
import { EventError } from '../../base/errors.ts'
import { EVENTS, wrapEvents } from './wrap-events.ts'

describe.each(Object.entries(EVENTS))('a listener for %s', (name, failure) => {
  it('receives the message', async () => {
    const listener = vi.fn()
    const events = wrapEvents({ [name]: listener }, recordingLogger().logger)
    await callMethod(events, name)
    expect(listener).toHaveBeenCalledWith('one')
  })

  it(`that fails: the error is ${failure}`, async () => {
    const { logger, errors } = recordingLogger()
    const call = callMethod(
      wrapEvents({ [name]: () => Promise.reject(new Error('deaf')) }, logger),
      name,
    )
    const thrown = await Promise.resolve(call).then(
      () => [],
      (error: unknown) => [error],
    )
    expect(failure === 'thrown' ? thrown : errors).toEqual([expect.any(EventError)])
    expect(failure === 'thrown' ? errors : thrown).toEqual([])
  })
})

describe('wrapped listeners', () => {
  it('hear what happens, and are waited for', async () => {
    let heard = ''
    const events = wrapEvents(
      {
        createUser: async ({ user }) => {
          await Promise.resolve()
          heard = user.name ?? ''
        },
      },
      recordingLogger().logger,
    )
    await events.createUser?.({ user: { name: 'Ann' } })
    expect(heard).toBe('Ann')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('deaf')
      },
    ],
    ['rejects', () => Promise.reject(new Error('deaf'))],
  ])('do no harm where one %s: it is logged', async (_what, signOut) => {
    const { logger, errors } = recordingLogger()
    await wrapEvents({ signOut }, logger).signOut?.({ token: null })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(EventError)
    expect((errors[0] as EventError).cause?.err?.message).toBe('deaf')
  })

  it('are those that there are', () => {
    const { logger } = recordingLogger()
    expect(wrapEvents(undefined, logger)).toEqual({})
    const some = { signIn: vi.fn(), session: undefined as never, unknown: vi.fn() }
    expect(Object.keys(wrapEvents(some, logger))).toEqual(['signIn'])
  })

  it('keep their object', async () => {
    const events = {
      count: 0,
      signOut() {
        this.count++
      },
    }
    await wrapEvents(events, recordingLogger().logger).signOut?.({ token: null })
    expect(events.count).toBe(1)
  })
})

function callMethod(store: object, name: string): unknown {
  const methods = store as Record<string, (...args: unknown[]) => unknown>
  return methods[name]?.('one', 'two')
}
