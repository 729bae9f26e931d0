import * as client from '@siteauth/client'
import * as clientPasswords from '@siteauth/client/passwords'
import * as clientSessions from '@siteauth/client/sessions'
import type { ClientCalls } from '@siteauth/core/integration'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as passwordsOfNext from '../../next/src/passwords.ts'
import * as next from '../../next/src/react.ts'
import * as sessionsOfNext from '../../next/src/sessions.ts'
import * as react from '../../react/src/index.ts'
import * as passwordsOfReact from '../../react/src/passwords.ts'
import * as sessionsOfReact from '../../react/src/sessions.ts'
import * as solid from '../../solid/src/index.ts'
import * as passwordsOfSolid from '../../solid/src/passwords.ts'
import * as sessionsOfSolid from '../../solid/src/sessions.ts'
import * as svelte from '../../svelte/src/index.ts'
import * as passwordsOfSvelte from '../../svelte/src/passwords.ts'
import * as sessionsOfSvelte from '../../svelte/src/sessions.ts'
import * as vue from '../../vue/src/index.ts'
import * as passwordsOfVue from '../../vue/src/passwords.ts'
import * as sessionsOfVue from '../../vue/src/sessions.ts'

// The packages for pages have the same calls, which core declares. The types are part of the test: a function of
// `AuthClient`, or a group of `ClientCalls`, that a package lacks does not compile, nor does a call that is not tried below.

type Entries = client.AuthClient & ClientCalls<client.SubmitResult>

const PACKAGES: Readonly<Record<string, Entries>> = {
  client: { ...client, ...clientPasswords, ...clientSessions },
  next: { ...next, ...passwordsOfNext, ...sessionsOfNext },
  react: { ...react, ...passwordsOfReact, ...sessionsOfReact },
  solid: { ...solid, ...passwordsOfSolid, ...sessionsOfSolid },
  svelte: { ...svelte, ...passwordsOfSvelte, ...sessionsOfSvelte },
  vue: { ...vue, ...passwordsOfVue, ...sessionsOfVue },
}

const EMAIL = 'ann@example.com'
const STAYS = { redirect: false } as const

/** How each function of the main entry is called, and what it requests. */
const FUNCTIONS: {
  readonly [Name in keyof client.AuthClient]: readonly [(from: Entries) => unknown, string]
} = {
  getSession: [({ getSession }) => getSession(), 'GET session'],
  getCsrfToken: [({ getCsrfToken }) => getCsrfToken(), 'GET csrf'],
  getProviders: [({ getProviders }) => getProviders(), 'GET providers'],
  signIn: [({ signIn }) => signIn('github', STAYS), 'POST signin/github'],
  signOut: [({ signOut }) => signOut(STAYS), 'POST signout'],
}

/** The same for the calls of groups. */
const GROUPS: {
  readonly [Group in keyof ClientCalls<unknown>]: {
    readonly [Name in keyof ClientCalls<unknown>[Group]]: readonly [
      (from: Entries) => unknown,
      string,
    ]
  }
} = {
  sessions: {
    list: [({ sessions }) => sessions.list(), 'GET sessions'],
    end: [({ sessions }) => sessions.end('handle'), 'POST sessions/end'],
    endOthers: [({ sessions }) => sessions.endOthers(), 'POST sessions/end'],
  },
  passwords: {
    sendLink: [
      ({ passwords }) => passwords.sendLink({ purpose: 'sign-up', email: EMAIL }),
      'POST password/sign-up',
    ],
    choose: [
      ({ passwords }) => passwords.choose({ email: EMAIL, token: 'token', password: 'new' }),
      'POST callback/password',
    ],
    change: [
      ({ passwords }) => passwords.change({ currentPassword: 'old', newPassword: 'new' }),
      'POST password',
    ],
    remove: [
      ({ passwords }) => passwords.remove({ currentPassword: 'old' }),
      'POST password/remove',
    ],
  },
}

afterEach(() => vi.unstubAllGlobals())

/** A page whose server accepts everything. Returns what it is sent. */
function openPage() {
  const requests: { readonly line: string; readonly body: string }[] = []
  vi.stubGlobal('location', new URL('https://example.com/account'))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = url.replace('/api/auth/', '').replace(/\?.*/, '')
    requests.push({ line: `${method} ${path}`, body: String(body) })
    const github = { id: 'github', type: 'oauth' }
    return Response.json(
      path === 'providers' ? { github } : { url: 'https://example.com/', ended: true },
    )
  })
  return requests
}

describe.each(Object.entries(PACKAGES))('@siteauth/%s', (_name, entries) => {
  const calls = [FUNCTIONS, GROUPS.sessions, GROUPS.passwords].flatMap(group =>
    Object.entries(group),
  )

  it.each(calls)('sends %s to its endpoint', async (_call, [make, line]) => {
    const requests = openPage()
    await make(entries)
    expect(requests.at(-1)?.line).toBe(line)
  })

  it('has no call that core does not declare', () => {
    for (const group of ['sessions', 'passwords'] as const) {
      expect(Object.keys(entries[group])).toEqual(Object.keys(GROUPS[group]))
    }
  })
})

it('sends the fields of a form as it sends options', async () => {
  const requests = openPage()
  const form = new FormData()
  form.set('currentPassword', 'old')
  form.set('newPassword', 'new')
  form.set('redirectTo', '/done')
  await clientPasswords.passwords.change(form)
  await clientPasswords.passwords.change({
    currentPassword: 'old',
    newPassword: 'new',
    redirectTo: '/done',
  })
  const [first, second] = requests.filter(({ line }) => line === 'POST password')
  expect(first?.body).toContain('currentPassword=old&newPassword=new&callbackUrl=%2Fdone')
  expect(second).toEqual(first)
})
