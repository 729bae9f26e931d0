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
    const standIn = createAuthStandIn({ answers: { listSessions: async () => [] } })
    expect(await standIn.listSessions()).toEqual([])
    await expect(standIn.listAccounts()).rejects.toThrow('what listAccounts answers')
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
