import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { ANN, GOOD, passwordApplication, signUp } from './application.ts'
import { seenOf } from './seen-answer.ts'

const UNKNOWN = 'eve@example.com'

/** A store that says what it was asked. */
function watched(store: Adapter): { readonly calls: string[]; readonly adapter: Adapter } {
  const calls: string[] = []
  const watch = (name: string, member: unknown): unknown => {
    if (typeof member === 'function') {
      return (...args: unknown[]) => {
        calls.push(name)
        return member(...args)
      }
    }
    if (typeof member !== 'object' || member === null) return member
    const all = Object.entries(member).map(([each, inner]) => [
      each,
      watch(`${name}.${each}`, inner),
    ])
    return Object.fromEntries(all)
  }
  const entries = Object.entries(store).map(([name, member]) => [name, watch(name, member)])
  return { calls, adapter: Object.fromEntries(entries) as Adapter } // the same members, each watched
}

/** What somebody sees who asks about an address, from beginning to end. */
async function storyOf(
  visitor: Visitor,
  path: string,
  email: string,
  fields: Record<string, string>,
): Promise<unknown[]> {
  const html = { accept: 'text/html' }
  const answer = await visitor.post(path, { email, ...fields }, html)
  const seen = [await seenOf(answer, email)]
  const next = answer.headers.get('location')
  if (next) seen.push(await seenOf(await visitor.get(next, html), email))
  return seen
}

describe.each(['jwt', 'database'] as const)('known and unknown, with %s sessions', strategy => {
  it.each([
    ['signing in', '/signin/password', { password: 'a wrong password, this' }],
    ['signing up', '/password/sign-up', {}],
    ['forgetting', '/password/forgot', {}],
  ] as const)('cannot be told apart by %s', async (_, path, fields) => {
    const app = passwordApplication({ session: { strategy }, limits: {} })
    await signUp(app, ANN)
    await app.adapter.createUser({ id: 'bob', email: 'bob@example.com', emailVerified: new Date() })
    app.clock.now += 3_600_000
    const known = await storyOf(app.visitor(), path, ANN, fields)
    expect(await storyOf(app.visitor(), path, UNKNOWN, fields)).toEqual(known)
    expect(await storyOf(app.visitor(), path, 'bob@example.com', fields)).toEqual(known)
  })

  it('everybody gets one message, and only the message says who is known', async () => {
    const app = passwordApplication({ session: { strategy } })
    await signUp(app, ANN)
    app.mails.length = 0
    for (const wish of ['sign-up', 'forgot']) {
      for (const email of [ANN, UNKNOWN]) await app.visitor().post(`/password/${wish}`, { email })
    }
    expect(app.mails.map(({ to, reason }) => [to, reason])).toEqual([
      [ANN, 'existing-user'],
      [UNKNOWN, 'sign-up'],
      [ANN, 'reset'],
      [UNKNOWN, 'no-user'],
    ])
    expect(app.mails.every(({ url }) => url !== undefined)).toBe(true)
  })

  it.each([
    ['/signin/password', { password: 'a wrong password, this' }],
    ['/password/sign-up', {}],
    ['/password/forgot', {}],
  ] as const)('ask the store the same, in the same order: %s', async (path, fields) => {
    const { calls, adapter } = watched(MemoryAdapter())
    const app = passwordApplication({ session: { strategy }, limits: {}, adapter })
    await signUp(app, ANN)
    await adapter.createUser?.({ id: 'bob', email: 'bob@example.com', emailVerified: new Date() })
    await adapter.createUser?.({ id: 'kim', email: 'kim@example.com', emailVerified: null })
    app.clock.now += 3_600_000
    const askedBy = async (email: string) => {
      calls.length = 0
      await app.visitor().post(path, { email, ...fields })
      return [...calls]
    }
    // The first request after the clock was moved reads the clock of the store twice, whoever sends it.
    await askedBy('first@example.com')
    const unknown = await askedBy(UNKNOWN)
    expect(unknown).toContain('passwords.get')
    for (const email of [ANN, 'bob@example.com', 'kim@example.com']) {
      expect(await askedBy(email), email).toEqual(unknown)
    }
  })

  it('cost the store the same calls and one hash each', async () => {
    const hashed: number[] = []
    const app = passwordApplication(
      { session: { strategy } },
      {
        hashing: {
          argon2id: async (_, { outputLen }) => {
            hashed.push(outputLen)
            return new Uint8Array(outputLen)
          },
        },
        verifiers: [],
      },
    )
    await app.adapter.createUser({ id: 'ann', email: ANN, emailVerified: new Date() })
    const salt = 'AAECAwQFBgcICQoLDA0ODw'
    const hash = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${'B'.repeat(43)}`
    await app.adapter.passwords.set({ userId: 'ann', hash, changedAt: new Date() })
    const calls: string[] = []
    for (const [name, act] of Object.entries(app.adapter.passwords)) {
      const watched = (...args: never[]) => {
        calls.push(name)
        return act(...args)
      }
      Object.assign(app.adapter.passwords, { [name]: watched })
    }
    const costOf = async (email: string) => {
      calls.length = hashed.length = 0
      await app.visitor().post('/signin/password', { email, password: GOOD })
      return { calls: [...calls], hashed: [...hashed] }
    }
    const known = await costOf(ANN)
    expect(known).toEqual({ calls: ['get'], hashed: [32] })
    expect(await costOf(UNKNOWN)).toEqual(known)
  })
})
