import { getToken } from '@siteauth/core/jwt'
import { type NextFetchEvent, NextRequest, NextResponse } from 'next/server.js'
import { vi } from 'vitest'
import SiteAuth from '../../../next/src/index.ts'
import type { CallName } from '../../src/lib/api/auth-calls.ts'
import { SECRET } from '../visitor.ts'
import type { Options } from '../webauthn/software-authenticator.ts'
import { PASSWORDS, requestOf, type World } from './world.ts'

/** One way to send a request. */
export interface Row {
  /**
   * Whether it does something for a signed-in user that it does not do for others: with a live session it must show what
   * belongs to the user or change it, so that the table cannot pass because a request is malformed.
   */
  readonly isForUser: boolean
  /** What happens while the session is still valid. */
  readonly prepare?: (world: World) => Promise<unknown>
  readonly send: (world: World, prepared: never) => Promise<unknown>
}

const row = <Prepared = undefined>(
  isForUser: boolean,
  send: (world: World, prepared: Prepared) => Promise<unknown>,
  prepare?: (world: World) => Promise<Prepared>,
): Row => ({ isForUser, send, ...(prepare && { prepare }) })

const forUser = <Prepared = undefined>(
  send: (world: World, prepared: Prepared) => Promise<unknown>,
  prepare?: (world: World) => Promise<Prepared>,
) => row(true, send, prepare)

const forAnyone = <Prepared = undefined>(
  send: (world: World, prepared: Prepared) => Promise<unknown>,
  prepare?: (world: World) => Promise<Prepared>,
) => row(false, send, prepare)

const get = (path: string) => (world: World) => world.browser.get(path)

/** A form with the token that was fetched while the session was valid. */
function post({ browser, csrfToken }: World, path: string, fields: Record<string, string> = {}) {
  const body = new URLSearchParams({ csrfToken, ...fields })
  return browser.send(path, { method: 'POST', body })
}

/** An attempt to link an account: the browser comes back from the provider. */
const linkAt = (provider: string) => async (world: World) =>
  world.agree(await post(world, `/signin/${provider}`), 'a-new-account')

/** A passkey that the browser has made, which has to be stored. */
async function makePasskey(world: World): Promise<string> {
  const asked = await world.browser.get('/webauthn-options/passkey?action=register')
  const { options } = (await asked.json()) as { options: Options }
  return JSON.stringify(world.device.create(options))
}

async function mailTo(world: World, email: string): Promise<URL> {
  await post(world, '/signin/mail', { email })
  const url = world.mails.at(-1)
  if (!url) throw new Error('no link was sent')
  return url
}

async function passwordMailToBob(world: World): Promise<Record<string, string>> {
  await post(world, '/password/forgot', { email: 'bob@other.test' })
  const url = world.passwordMails.at(-1)
  if (!url) throw new Error('no link was sent')
  return Object.fromEntries(url.searchParams)
}

const TYPED = { email: 'new@other.test' }
const SECOND = { provider: 'second', accountId: 'second-of-ann' }
const CHANGED = { currentPassword: PASSWORDS.ann, newPassword: PASSWORDS.new }

/** Every endpoint, by its key in `listProtections`. */
export const ENDPOINT_ROWS: Readonly<Record<string, Row>> = {
  'GET session': forUser(get('/session')),
  'POST session': forUser(({ browser, csrfToken }) =>
    browser.send('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ csrfToken, data: { theme: 'dark' } }),
    }),
  ),
  'GET sessions': forUser(get('/sessions')),
  'POST sessions/end': forUser(world => post(world, '/sessions/end', { others: 'true' })),
  'GET accounts': forUser(get('/accounts')),
  'POST accounts/unlink': forUser(world => post(world, '/accounts/unlink', SECOND)),
  'GET access-token/oauth': forUser(get('/access-token/first')),
  'GET csrf': forAnyone(get('/csrf')),
  'GET providers': forAnyone(get('/providers')),
  'GET signin': forUser(get('/signin')),
  'POST signin': forAnyone(world => post(world, '/signin')),
  'POST signin/credentials': forAnyone(world => post(world, '/signin/credentials')),
  'POST signin/webauthn': forAnyone(world => post(world, '/signin/passkey')),
  'POST signin/oauth': forAnyone(world => post(world, '/signin/second')),
  'POST signin/email': forAnyone(world => post(world, '/signin/mail', TYPED)),
  'POST signin/password': forAnyone(world =>
    post(world, '/signin/password', { email: 'bob@other.test', password: PASSWORDS.bob }),
  ),
  'GET callback/oauth': forUser(
    ({ browser }, back: URL) => browser.send(back.href),
    linkAt('second'),
  ),
  'POST callback/oauth': forUser(async ({ browser }, { origin, pathname, searchParams }: URL) => {
    const headers = { origin: 'https://op.test', 'sec-fetch-site': 'cross-site' }
    const posted = await browser.send(origin + pathname, {
      method: 'POST',
      headers,
      body: searchParams,
    })
    // A form from another site comes without cookies, so the browser is redirected to bring them.
    const next = posted.headers.get('location')
    return next?.includes('/callback/') ? browser.send(next) : posted
  }, linkAt('posting')),
  'GET callback/email': forAnyone(
    ({ browser }, link: URL) => browser.send(link.href),
    world => mailTo(world, TYPED.email),
  ),
  'POST callback/email': forAnyone(
    (world, { origin, pathname, searchParams }: URL) =>
      post(world, origin + pathname, Object.fromEntries(searchParams)),
    world => mailTo(world, TYPED.email),
  ),
  'POST callback/credentials': forAnyone(world => post(world, '/callback/credentials')),
  'POST callback/webauthn': forUser(
    (world, data: string) => post(world, '/callback/passkey', { action: 'register', data }),
    makePasskey,
  ),
  'GET callback/password': forAnyone(
    ({ browser }, link: Record<string, string>) =>
      browser.get(`/callback/password?${new URLSearchParams(link)}`),
    passwordMailToBob,
  ),
  'POST callback/password': forAnyone(
    (world, link: Record<string, string>) =>
      post(world, '/callback/password', { ...link, password: PASSWORDS.new }),
    passwordMailToBob,
  ),
  'GET webauthn-options/webauthn': forUser(get('/webauthn-options/passkey?action=register')),
  'GET password': forUser(get('/password')),
  'POST password': forUser(world => post(world, '/password', CHANGED)),
  'POST password/remove': forUser(world => post(world, '/password/remove', { ...CHANGED })),
  'GET password/sign-up': forAnyone(get('/password/sign-up')),
  'POST password/sign-up': forAnyone(world => post(world, '/password/sign-up', TYPED)),
  'GET password/forgot': forAnyone(get('/password/forgot')),
  'POST password/forgot': forAnyone(world => post(world, '/password/forgot', TYPED)),
  'GET signout': forAnyone(get('/signout')),
  'POST signout': forAnyone(world => post(world, '/signout')),
  'GET signout/provider': forAnyone(get('/signout/provider')),
  'GET signout/return': forAnyone(get('/signout/return')),
  'POST backchannel-logout/oauth': forAnyone(world => post(world, '/backchannel-logout/first')),
  'GET frontchannel-logout/oauth': forAnyone(get('/frontchannel-logout/first?sid=1')),
  'GET assets': forAnyone(get('/assets/page.js')),
  'GET error': forAnyone(get('/error?error=Configuration')),
  'GET verify-request': forAnyone(get('/verify-request')),
}

/** What a call resolves with, and the cookies that it sets. */
async function called(
  world: World,
  call: (request: ReturnType<typeof requestOf>) => Promise<unknown>,
): Promise<unknown> {
  const request = requestOf(world)
  try {
    return await call(request)
  } finally {
    const lines = world.auth.takeSetCookies(request)
    world.setCookies.push(...lines)
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      world.browser.cookies.set(name, value)
    }
  }
}

const calling =
  (call: (world: World, request: ReturnType<typeof requestOf>) => Promise<unknown>) =>
  (world: World) =>
    called(world, request => call(world, request))

/** Every call, by its key in `CALLS`. */
export const CALL_ROWS: Readonly<Record<CallName, Row>> = {
  getSession: forUser(calling(({ auth }, request) => auth.getSession(request))),
  signIn: forAnyone(calling(({ auth }, request) => auth.signIn(request, 'second'))),
  signOut: forAnyone(calling(({ auth }, request) => auth.signOut(request))),
  update: forUser(calling(({ auth }, request) => auth.update(request, { theme: 'dark' }))),
  listProviders: forAnyone(calling(({ auth }, request) => auth.listProviders(request))),
  'sessions.list': forUser(calling(({ auth }, request) => auth.sessions.list(request))),
  'sessions.end': forUser(
    calling(({ auth, otherHandle }, request) => auth.sessions.end(request, otherHandle)),
  ),
  'sessions.endOthers': forUser(calling(({ auth }, request) => auth.sessions.endOthers(request))),
  'sessions.rotate': forUser(calling(({ auth }, request) => auth.sessions.rotate(request))),
  'sessions.onEnd': forAnyone(
    calling(async ({ auth }, request) => {
      const reasons: string[] = []
      const stop = await auth.sessions.onEnd(request, reason => void reasons.push(reason))
      stop()
      return reasons
    }),
  ),
  'accounts.list': forUser(calling(({ auth }, request) => auth.accounts.list(request))),
  'accounts.unlink': forUser(calling(({ auth }, request) => auth.accounts.unlink(request, SECOND))),
  'accounts.getAccessToken': forUser(
    calling(({ auth }, request) => auth.accounts.getAccessToken(request, 'first')),
  ),
  'accounts.fetch': forUser(
    calling(async ({ auth, usedTokens }, request) => {
      const response = await auth.accounts.fetch(request, 'first', 'https://api.test/me')
      return [await response.text(), ...usedTokens]
    }),
  ),
  'passwords.sendLink': forAnyone(
    calling(({ auth }, request) =>
      auth.passwords.sendLink(request, { purpose: 'sign-up', email: TYPED.email }),
    ),
  ),
  'passwords.choose': forAnyone(
    (world, link: Record<string, string>) =>
      called(world, request =>
        world.auth.passwords.choose(request, {
          email: link['email'],
          token: link['token'],
          password: PASSWORDS.new,
        }),
      ),
    passwordMailToBob,
  ),
  'passwords.change': forUser(
    calling(({ auth }, request) => auth.passwords.change(request, CHANGED)),
  ),
  'passwords.remove': forUser(
    calling(({ auth }, request) => auth.passwords.remove(request, CHANGED)),
  ),
  'users.endSessions': forAnyone(({ auth, bobId }) => auth.users.endSessions(bobId)),
  'users.revokeAccess': forAnyone(({ auth, bobId }) => auth.users.revokeAccess(bobId)),
}

/** What reads sessions without a store: with the `jwt` strategy only. */
export const STORELESS_ROWS: Readonly<Record<string, Row>> = {
  getToken: forUser(async ({ browser, clock }) => {
    // It has no clock of its own to set.
    vi.useFakeTimers({ now: clock.now, toFake: ['Date'] })
    try {
      const req = { headers: { cookie: browser.cookieHeader() } }
      return await getToken({ req, secret: SECRET, secureCookie: true })
    } finally {
      vi.useRealTimers()
    }
  }),
  'a proxy of Next without an adapter': forUser(async world => {
    const { auth } = SiteAuth({ ...world.withoutStore, basePath: '/auth', trustHost: true })
    const proxy = auth(request => NextResponse.json(request.auth))
    const { headers, url } = requestOf(world)
    return (await proxy(new NextRequest(url, { headers }), {} as NextFetchEvent)) as Response
  }),
}
