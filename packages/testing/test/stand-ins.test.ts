import { AccessDenied } from '@siteauth/core/errors'
import { CALLS } from '@siteauth/core/internal'
import { useSession } from '@siteauth/react'
import { sessionOf } from '@siteauth/testing'
import { createAuthStandIn } from '@siteauth/testing/next'
import { SessionStandIn, type SessionStandInProps } from '@siteauth/testing/react'
import type { NextFetchEvent } from 'next/server.js'
import { NextRequest, NextResponse } from 'next/server.js'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'

// Other files, which come next, have the same environment.
afterEach(() => void vi.unstubAllEnvs())

const ada = sessionOf({ name: 'Ada' })
const request = () => new NextRequest('https://app.example.com/admin')
const context = { params: Promise.resolve({}) }
/** Next has two calls by other names. */
const inNext = (name: string) => ({ getSession: 'auth', update: 'unstable_update' })[name] ?? name

describe('the stand-in for auth()', () => {
  it('says who is signed in, wherever it is asked', async () => {
    const { auth, become } = createAuthStandIn()
    expect(await auth()).toBeNull()
    become(ada)
    expect(await auth()).toEqual(ada)
    const handler = auth(seen => NextResponse.json(seen.auth))
    expect(await (await handler(request(), context)).json()).toEqual(ada)
    expect((await auth.session(request())).session).toEqual(ada)
  })

  it('lets requests through, as a proxy does that nobody asked', async () => {
    const { auth } = createAuthStandIn({ session: ada })
    const passes = (response: Response) => response.headers.get('x-middleware-next') === '1'
    expect(passes(await auth(request(), {} as NextFetchEvent))).toBe(true)
    expect(passes(await auth(() => undefined)(request(), context))).toBe(true)
  })

  it('redirects by throwing, as Next does, and notes what was called', async () => {
    const { signIn, signOut, auth, calls } = createAuthStandIn({ session: ada })
    await expect(signIn('github', { redirectTo: '/account' })).rejects.toMatchObject({
      digest: 'NEXT_REDIRECT;push;/account;303;',
    })
    await expect(signOut()).rejects.toThrow('NEXT_REDIRECT')
    expect(await auth()).toBeNull()
    expect(calls).toEqual([
      { name: 'signIn', given: ['github', { redirectTo: '/account' }] },
      { name: 'signOut', given: [] },
    ])
  })

  it('answers as a value where the call wishes that', async () => {
    const { signIn } = createAuthStandIn()
    expect(await signIn('github', { redirect: false })).toBe('/api/auth/signin/github')
    expect(await signIn.attempt('credentials', { redirectTo: '/' })).toMatchObject({ ok: true })
  })

  it('does what a test says, and says so where it was told nothing', async () => {
    const standIn = createAuthStandIn({ replacements: { sessions: { list: async () => [] } } })
    expect(await standIn.sessions.list()).toEqual([])
    await expect(standIn.accounts.list()).rejects.toThrow('does not replace accounts.list')
  })

  it('has every call of the library, and notes each by its name', async () => {
    const { calls, ...standIn } = createAuthStandIn({ session: ada })
    const { attempt } = standIn.signIn
    const functions: Record<string, unknown> = { 'signIn.attempt': attempt }
    for (const name of Object.keys(CALLS)) {
      const [group = '', member] = inNext(name).split('.')
      const found = Reflect.get(standIn, group)
      functions[inNext(name)] = member === undefined ? found : Reflect.get(found, member)
    }
    const { auth, ...noted } = functions
    expect(auth).toBe(standIn.auth)
    for (const call of Object.values(noted)) {
      await (call as () => Promise<unknown>)().catch(() => {})
    }
    expect(calls.map(({ name }) => name)).toEqual(Object.keys(noted))
  })

  it('notes what a test answers itself', async () => {
    const end = vi.fn(async () => false)
    const { sessions, calls } = createAuthStandIn({ replacements: { sessions: { end } } })
    expect(await sessions.end('handle')).toBe(false)
    expect(await sessions.endOthers()).toBe(false)
    expect(end).toHaveBeenCalledWith('handle')
    expect(calls).toEqual([
      { name: 'sessions.end', given: ['handle'] },
      { name: 'sessions.endOthers', given: [] },
    ])
  })

  it('takes the words of a form', async () => {
    const { signOut, signIn } = createAuthStandIn({ session: ada })
    const form = new FormData()
    form.set('redirectTo', '/bye')
    await expect(signIn('credentials', form)).rejects.toMatchObject({
      digest: 'NEXT_REDIRECT;push;/bye;303;',
    })
    form.set('redirect', 'false')
    expect(await signIn('credentials', form)).toBe('/bye')
    expect(await signOut({ redirectTo: '/bye', redirect: false })).toBe('/bye')
  })
})

describe('the stand-in for requireSession()', () => {
  it('resolves with the session', async () => {
    const { requireSession, calls } = createAuthStandIn({ session: ada })
    expect(await requireSession()).toEqual(ada)
    expect(await requireSession({ allow: ({ user }) => user?.name === 'Ada' })).toEqual(ada)
    expect(calls).toEqual([])
  })

  it('rejects the options that the real one rejects', async () => {
    const { requireSession } = createAuthStandIn({ session: ada })
    for (const options of [{ except: ['/login'] }, { roles: ['admin'] }]) {
      await expect(requireSession(options as object)).rejects.toThrow(TypeError)
    }
  })

  it('leads to sign in, as Next does', async () => {
    const { requireSession } = createAuthStandIn()
    const to = (path: string) => ({ digest: `NEXT_REDIRECT;push;${path};303;` })
    await expect(requireSession()).rejects.toMatchObject(to('/api/auth/signin'))
    await expect(requireSession({ redirectTo: '/login' })).rejects.toMatchObject(to('/login'))
  })

  it('rejects users that allow does not want', async () => {
    const { requireSession } = createAuthStandIn({ session: ada })
    await expect(requireSession({ allow: async () => false })).rejects.toBeInstanceOf(AccessDenied)
  })

  it('does what a test says', async () => {
    const ben = sessionOf({ name: 'Ben' })
    const { requireSession } = createAuthStandIn({
      replacements: { requireSession: async () => ben },
    })
    expect(await requireSession()).toBe(ben)
  })
})

describe('the stand-in for SessionProvider', () => {
  let update: (data: unknown) => Promise<unknown> = async () => {}

  function Who(): ReactElement {
    const session = useSession()
    update = session.update
    return createElement('p', null, `${session.status}: ${session.data?.user?.name ?? 'nobody'}`)
  }

  const render = (props: SessionStandInProps) =>
    renderToString(createElement(SessionStandIn, props, createElement(Who)))

  it.each([
    ['authenticated: Ada', { session: ada }],
    ['unauthenticated: nobody', { session: null }],
    ['loading: nobody', {}],
  ])('shows what a test says: %s', (text, props) => {
    expect(render(props)).toBe(`<p>${text}</p>`)
  })

  it('hands changes to the test', async () => {
    const ben = sessionOf({ name: 'Ben' })
    const onUpdate = vi.fn(() => ben)
    render({ session: ada, onUpdate })
    expect(await update({ name: 'Ben' })).toBe(ben)
    expect(onUpdate).toHaveBeenCalledWith({ name: 'Ben' })
  })
})

describe('in production', () => {
  it('nobody is stood in for', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => createAuthStandIn()).toThrow('NODE_ENV')
    expect(() => renderToString(createElement(SessionStandIn, { session: ada }))).toThrow(
      'NODE_ENV',
    )
  })
})
