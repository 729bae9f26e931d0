import { describe, expect, it, vi } from 'vitest'
import { recordingLogger } from '../../../../test/visitor.ts'
import { AdapterError, EventError } from '../../base/errors.ts'
import type { Adapter, AdapterUser } from '../../base/model.ts'
import {
  ADAPTER_METHODS,
  ADAPTER_PARTS,
  EVENTS,
  guardAdapter,
  guardEvents,
} from './wrap-adapter.ts'

const ANN: AdapterUser = { id: '1', email: 'ann@example.com', emailVerified: null }

describe('a guarded adapter', () => {
  it('answers what the adapter answers, at once or later', async () => {
    const { logger } = recordingLogger()
    const adapter = guardAdapter({ getUser: () => ANN, getUserByEmail: async () => null }, logger)
    expect(await adapter.getUser?.('1')).toBe(ANN)
    expect(await adapter.getUserByEmail?.('x')).toBeNull()
  })

  it('has the methods that the adapter has, and no others', () => {
    const own = { getUser: () => ANN, createUser: undefined as never, helper: () => 1 }
    const adapter = guardAdapter(own, recordingLogger().logger)
    expect(Object.keys(adapter)).toEqual(['getUser'])
  })

  it('may be an instance of a class, whose methods keep their object', async () => {
    class Store implements Adapter {
      readonly #users = new Map([['1', ANN]])
      getUser(id: string): AdapterUser | null {
        return this.#users.get(id) ?? null
      }
    }
    const adapter = guardAdapter(new Store(), recordingLogger().logger)
    expect(await adapter.getUser?.('1')).toBe(ANN)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])(
    'that %s fails with an error that names the method and keeps the cause',
    async (_what, getUser) => {
      const adapter = guardAdapter({ getUser }, recordingLogger().logger)
      const failure: unknown = await Promise.resolve(adapter.getUser?.('1')).catch(error => error)
      expect(failure).toBeInstanceOf(AdapterError)
      expect((failure as AdapterError).message).toContain('getUser')
      expect((failure as AdapterError).cause?.err?.message).toBe('down')
    },
  )

  it('tells the log which method is called, and never with what', async () => {
    const { logger, debugs } = recordingLogger()
    await guardAdapter({ getUser: () => ANN }, logger).getUser?.('a secret id')
    expect(debugs).toEqual([['adapter_getUser']])
  })

  it('leaves the adapter itself alone', () => {
    const own = Object.freeze({ getUser: () => ANN })
    expect(guardAdapter(own, recordingLogger().logger).getUser).not.toBe(own.getUser)
  })
})

// The compiler asks for every member of the types in these tables: a member that one of them lacks would be dropped.
describe.each(Object.keys(ADAPTER_METHODS))('the method %s of an adapter', name => {
  it('keeps its object and its arguments, and is logged', async () => {
    const { logger, debugs } = recordingLogger()
    const method = vi.fn(function (this: unknown, ..._args: unknown[]) {
      return this
    })
    const own = { [name]: method }
    expect(await callMethod(guardAdapter(own, logger), name)).toBe(own)
    expect(method).toHaveBeenCalledWith('one', 'two')
    expect(debugs).toEqual([[`adapter_${name}`]])
  })

  it('fails with an AdapterError', async () => {
    const own = { [name]: () => Promise.reject(new Error('down')) }
    const call = callMethod(guardAdapter(own, recordingLogger().logger), name)
    await expect(call).rejects.toThrow(AdapterError)
    await expect(call).rejects.toThrow(name)
  })
})

const PART_METHODS = Object.entries(ADAPTER_PARTS).flatMap(([part, methods]) =>
  Object.keys(methods ?? {}).map(name => [part, name] as const),
)

describe.each(PART_METHODS)('the part %s of an adapter and its method %s', (part, name) => {
  it('keeps its object and its arguments, and is logged', async () => {
    const { logger, debugs } = recordingLogger()
    const method = vi.fn(function (this: unknown, ..._args: unknown[]) {
      return this
    })
    const own = { [name]: method }
    expect(await callMethod(partOf(guardAdapter({ [part]: own }, logger), part), name)).toBe(own)
    expect(method).toHaveBeenCalledWith('one', 'two')
    expect(debugs).toEqual([[`adapter_${part}.${name}`]])
  })

  it.each([
    ['throws', { [name]: () => Promise.reject(new Error('down')) }],
    ['is missing', {}],
  ])('fails with an AdapterError if the method %s', async (_case, own) => {
    const guarded = guardAdapter({ [part]: own }, recordingLogger().logger)
    const call = callMethod(partOf(guarded, part), name)
    await expect(call).rejects.toThrow(AdapterError)
    await expect(call).rejects.toThrow(`${part}.${name}`)
  })
})

function partOf(adapter: object, part: string): object {
  return (adapter as Record<string, object>)[part] ?? {}
}

function callMethod(store: object, name: string): unknown {
  const methods = store as Record<string, (...args: unknown[]) => unknown>
  return methods[name]?.('one', 'two')
}

describe.each(Object.entries(EVENTS))('a listener for %s', (name, failure) => {
  it('receives the message', async () => {
    const listener = vi.fn()
    const events = guardEvents({ [name]: listener }, recordingLogger().logger)
    await callMethod(events, name)
    expect(listener).toHaveBeenCalledWith('one')
  })

  it(`that fails: the error is ${failure}`, async () => {
    const { logger, errors } = recordingLogger()
    const call = callMethod(
      guardEvents({ [name]: () => Promise.reject(new Error('deaf')) }, logger),
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

describe('guarded listeners', () => {
  it('hear what happens, and are waited for', async () => {
    let heard = ''
    const events = guardEvents(
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
    await guardEvents({ signOut }, logger).signOut?.({ token: null })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(EventError)
    expect((errors[0] as EventError).cause?.err?.message).toBe('deaf')
  })

  it('are those that there are', () => {
    const { logger } = recordingLogger()
    expect(guardEvents(undefined, logger)).toEqual({})
    const some = { signIn: vi.fn(), session: undefined as never, unknown: vi.fn() }
    expect(Object.keys(guardEvents(some, logger))).toEqual(['signIn'])
  })

  it('keep their object', async () => {
    const events = {
      count: 0,
      signOut() {
        this.count++
      },
    }
    await guardEvents(events, recordingLogger().logger).signOut?.({ token: null })
    expect(events.count).toBe(1)
  })
})
