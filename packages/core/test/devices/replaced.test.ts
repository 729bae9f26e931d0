import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createPeople, handleOf, IPHONE, requestOf, rotate, sessionsOf } from './people.ts'

const MINUTE = 60_000
const COOKIE = '__Secure-authjs.session-token'

type Session = NonNullable<AuthConfig['session']>
type Setting = readonly [strategy: 'database' | 'jwt', session: Session]

const SETTINGS: Readonly<Record<string, Setting>> = {
  'in cookies': ['jwt', {}],
  'in rows': ['database', {}],
  'in hashed rows': ['database', { hashTokens: true }],
  'in rows that are being hashed': ['database', { hashTokens: 'migrate' }],
  'in rows, for an audience': ['database', { audience: 'shop' }],
  'in rows, limited': ['database', { absoluteAge: 3600 }],
}

describe.each(Object.entries(SETTINGS))('sessions %s', (_name, [strategy, session]) => {
  const create = () => createPeople(strategy, { session })

  it('keep their place in the list when they get a new token', async () => {
    const { auth, signIn, clock } = create()
    const ann = await signIn('ann', { 'user-agent': IPHONE })
    await signIn('ann')
    const before = await sessionsOf(ann)
    clock.now += 1000
    await rotate(auth, ann)
    const unnamed = { handle: expect.any(String), lastSeenAt: expect.any(String) }
    const after = await sessionsOf(ann)
    expect(after).toHaveLength(2)
    for (const each of before) expect(after).toContainEqual({ ...each, ...unnamed })
  })

  it('are listed once when somebody signs in over one', async () => {
    const { signIn } = create()
    const ann = await signIn('ann')
    await ann.post('/callback/password', { who: 'ann' })
    expect(await sessionsOf(ann)).toHaveLength(1)
  })

  it('go on with a new token after they have ended all others', async () => {
    const { auth, signIn, clock } = create()
    const ann = await signIn('ann')
    const other = await signIn('ann')
    await auth.sessions.endOthers(requestOf(ann))
    await rotate(auth, ann)
    clock.now += MINUTE
    expect(await ann.session()).not.toBeNull()
    expect(await other.session()).toBeNull()
  })

  it('end with all others of a session that got a new token', async () => {
    const { auth, signIn, clock } = create()
    const [ann, other] = [await signIn('ann'), await signIn('ann')]
    for (const each of [ann, other]) await rotate(auth, each)
    clock.now += MINUTE
    await auth.sessions.endOthers(requestOf(ann))
    expect(await ann.session()).not.toBeNull()
    expect(await other.session()).toBeNull()
    expect(await sessionsOf(ann)).toMatchObject([{ isCurrent: true }])
  })

  it('are ended by the handle of their new token', async () => {
    const { auth, signIn } = create()
    const [ann, other] = [await signIn('ann'), await signIn('ann')]
    await rotate(auth, other)
    expect(await auth.sessions.end(requestOf(ann), await handleOf(other))).toBe(true)
    expect(await other.session()).toBeNull()
  })

  it('are not listed, nor ended, with a token that was replaced', async () => {
    const { auth, signIn, at } = create()
    const ann = await signIn('ann')
    const old = at(ann)
    await rotate(auth, ann)
    expect(await sessionsOf(old)).toEqual([])
    expect(await auth.sessions.endOthers(requestOf(old))).toBe(false)
    expect(await ann.session()).not.toBeNull()
  })
})

it('what the column of a hashed session holds lists nobody’s sessions', async () => {
  const { auth, adapter, signIn } = createPeople('database', { session: { hashTokens: true } })
  await signIn('ann')
  const [row] = await adapter.listSessions('ann')
  const thief = new Visitor(auth.handle)
  thief.cookies.set(COOKIE, String(row?.sessionToken))
  expect(await sessionsOf(thief)).toEqual([])
  expect(await auth.sessions.endOthers(requestOf(thief))).toBe(false)
})
