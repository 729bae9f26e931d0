import { describe, expect, it, vi } from 'vitest'
import { recordingLogger } from '../../../../test/visitor.ts'
import type { Adapter, AdapterUser } from '../../base/adapter.ts'
import { AdapterError } from '../../base/errors.ts'
import { ADAPTER_METHODS, ADAPTER_PARTS, wrapAdapter } from './wrap-adapter.ts'

const ANN: AdapterUser = { id: '1', email: 'ann@example.com', emailVerified: null }

describe('a wrapped adapter', () => {
  it('answers what the adapter answers, at once or later', async () => {
    const { logger } = recordingLogger()
    const adapter = wrapAdapter({ getUser: () => ANN, getUserByEmail: async () => null }, logger)
    expect(await adapter.getUser?.('1')).toBe(ANN)
    expect(await adapter.getUserByEmail?.('x')).toBeNull()
  })

  it('has the methods that the adapter has, and no others', () => {
    const own = { getUser: () => ANN, createUser: undefined as never, helper: () => 1 }
    const adapter = wrapAdapter(own, recordingLogger().logger)
    expect(Object.keys(adapter)).toEqual(['getUser'])
  })

  it('may be an instance of a class, whose methods keep their object', async () => {
    class Store implements Adapter {
      readonly #users = new Map([['1', ANN]])
      getUser(id: string): AdapterUser | null {
        return this.#users.get(id) ?? null
      }
    }
    const adapter = wrapAdapter(new Store(), recordingLogger().logger)
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
      const adapter = wrapAdapter({ getUser }, recordingLogger().logger)
      const failure: unknown = await Promise.resolve(adapter.getUser?.('1')).catch(error => error)
      expect(failure).toBeInstanceOf(AdapterError)
      expect((failure as AdapterError).message).toContain('getUser')
      expect((failure as AdapterError).cause?.err?.message).toBe('down')
    },
  )

  it('tells the log which method is called, and never with what', async () => {
    const { logger, debugs } = recordingLogger()
    await wrapAdapter({ getUser: () => ANN }, logger).getUser?.('a secret id')
    expect(debugs).toEqual([['adapter_getUser']])
  })

  it('leaves the adapter itself alone', () => {
    const own = Object.freeze({ getUser: () => ANN })
    expect(wrapAdapter(own, recordingLogger().logger).getUser).not.toBe(own.getUser)
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
    expect(await callMethod(wrapAdapter(own, logger), name)).toBe(own)
    expect(method).toHaveBeenCalledWith('one', 'two')
    expect(debugs).toEqual([[`adapter_${name}`]])
  })

  it('fails with an AdapterError', async () => {
    const own = { [name]: () => Promise.reject(new Error('down')) }
    const call = callMethod(wrapAdapter(own, recordingLogger().logger), name)
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
    expect(await callMethod(partOf(wrapAdapter({ [part]: own }, logger), part), name)).toBe(own)
    expect(method).toHaveBeenCalledWith('one', 'two')
    expect(debugs).toEqual([[`adapter_${part}.${name}`]])
  })

  it.each([
    ['throws', { [name]: () => Promise.reject(new Error('down')) }],
    ['is missing', {}],
  ])('fails with an AdapterError if the method %s', async (_case, own) => {
    const wrapped = wrapAdapter({ [part]: own }, recordingLogger().logger)
    const call = callMethod(partOf(wrapped, part), name)
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
