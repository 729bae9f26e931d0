import { CALLS, type CallName } from '@siteauth/core/internal'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import Password from '@siteauth/core/providers/password'
import SiteAuth, { type NextAuthConfig, PasswordRefused } from '@siteauth/next'
import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { signInAs } from '../../testing/src/index.ts'
import { runInNext } from './request-scope.ts'

const ORIGIN = 'https://example.com'
const FIRST = 'correct horse battery staple'
const SECOND = 'purple monkeys rarely dishwash'

function application(options: Partial<NextAuthConfig> = {}) {
  const mails: string[] = []
  const config: NextAuthConfig = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    basePath: '/api/auth',
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      GitHub({ clientId: 'id', clientSecret: 'secret' }),
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => (name ? { id: '1', name: String(name) } : null),
      }),
      Password({
        mail: ({ url }) => void (url && mails.push(url)),
        hashing: { scryptCost: { ln: 1, r: 1 }, algorithm: 'scrypt' },
      }),
    ],
    ...options,
  }
  const auth = SiteAuth(config)
  return {
    ...auth,
    mails,
    /** The headers of a browser in which Ann is signed in. */
    ann: async () => {
      const user = { id: '1', name: 'Ann', email: 'ann@example.com' }
      return (await signInAs(config, user, { url: ORIGIN })).headers
    },
  }
}

const formOf = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** Two calls have other names here. */
const NAMES: Partial<Record<CallName, string>> = { update: 'unstable_update' }

/** Makes a call of the list by its name. */
function call(app: ReturnType<typeof application>, name: CallName): Promise<unknown> {
  const [group = '', member] = (NAMES[name] ?? name).split('.')
  const found = Reflect.get(app, group)
  const args = name === 'signIn' ? ['credentials', { name: 'Ann' }] : [{}]
  return (member === undefined ? found : Reflect.get(found, member))(...args)
}

describe('while a page is being rendered', () => {
  const names = Object.keys(CALLS) as CallName[]
  const required = names.filter(name => CALLS[name].cookies === 'required')

  it.each(required)('%s is rejected, says where it can be called, and does nothing', async name => {
    const app = application({ session: { strategy: 'database' } })
    const headers = await app.ann()
    const { thrown, setCookies } = await runInNext('page', headers, () => call(app, name))
    expect(thrown).toBeInstanceOf(TypeError)
    const message = String(thrown)
    expect(message).toContain(`${name} sets a cookie. Next does not allow that while a page`)
    expect(message).toContain(`Call ${NAMES[name] ?? name}() in a server action`)
    expect(message).toContain('route handler')
    expect(setCookies).toEqual([])
    const { value } = await runInNext('page', headers, () => app.auth())
    expect(value).toMatchObject({ user: { name: 'Ann' } })
    const seen = await runInNext('page', headers, () => app.sessions.list())
    expect(seen.value).toHaveLength(1)
  })

  it.each([undefined, 'nobody-knows', 'webauthn'])(
    'signIn(%j) leads to the sign-in page',
    async provider => {
      const { signIn } = application()
      const to = { redirectTo: '/account' }
      const { digest, setCookies } = await runInNext('page', {}, () => signIn(provider, to))
      const url = `${ORIGIN}/api/auth/signin?callbackUrl=%2Faccount`
      expect(digest).toBe(`NEXT_REDIRECT;replace;${url};307;`)
      expect(setCookies).toEqual([])
    },
  )

  it('the lists can be read', async () => {
    const session = { strategy: 'jwt', track: true } as const
    const { listProviders, sessions, accounts, ann } = application({ session })
    const { value } = await runInNext('page', await ann(), () =>
      Promise.all([listProviders(), sessions.list(), accounts.list()]),
    )
    expect(value?.[0].map(({ id }) => id)).toEqual(['github', 'credentials', 'password'])
    expect(value?.[1]).toHaveLength(1)
    expect(value?.[2]).toEqual([])
  })

  it('a call that can do without cookies is made', async () => {
    const { accounts, ann } = application()
    const { thrown } = await runInNext('page', await ann(), () => accounts.getAccessToken('github'))
    expect(thrown).toMatchObject({ code: 'no_account' })
  })
})

describe.each(['action', 'route handler'] as const)('in an %s', place => {
  it('the sessions are listed, ended and given new tokens', async () => {
    const app = application({ session: { strategy: 'database' } })
    const [desk, phone] = [await app.ann(), await app.ann()]
    const { value: listed } = await runInNext(place, desk, () => app.sessions.list())
    expect(listed).toHaveLength(2)
    const rotated = await runInNext(place, desk, () => app.sessions.rotate())
    expect(rotated.value).toMatchObject({ user: { name: 'Ann' } })
    expect(rotated.setCookies.join()).toContain('session-token=')
    const cookie = rotated.setCookies.map(line => line.split(';', 1)[0]).join('; ')
    expect((await runInNext(place, { cookie }, () => app.sessions.endOthers())).value).toBe(true)
    expect((await runInNext(place, phone, () => app.auth())).value).toBeNull()
    const own = (await runInNext(place, { cookie }, () => app.sessions.list())).value?.[0]
    const ended = await runInNext(place, { cookie }, () => app.sessions.end(own?.handle ?? ''))
    expect(ended.value).toBe(true)
    expect(ended.setCookies.join()).toMatch(/session-token=;/)
    expect((await runInNext(place, { cookie }, () => app.sessions.endOthers())).value).toBe(false)
  })

  it('passwords are chosen and changed, with redirects', async () => {
    const { passwords, auth, mails } = application()
    const redirect = (url: string) => `NEXT_REDIRECT;push;${ORIGIN}${url};303;`
    const asked = await runInNext(place, {}, () =>
      passwords.sendLink(
        formOf({ purpose: 'sign-up', email: 'ada@example.com', $ACTION_KEY: 'x' }),
      ),
    )
    expect(asked.digest).toContain(`${ORIGIN}/api/auth/verify-request?`)
    const proof = Object.fromEntries(new URL(mails[0] ?? '').searchParams)
    const chosen = await runInNext(place, {}, () =>
      passwords.choose(formOf({ ...proof, password: FIRST, redirectTo: '/welcome' })),
    )
    expect(chosen.digest).toBe(redirect('/welcome'))
    const cookie = chosen.setCookies.map(line => line.split(';', 1)[0]).join('; ')
    const { value } = await runInNext(place, { cookie }, () => auth())
    expect(value).toMatchObject({ user: { email: 'ada@example.com' } })
    const wrong = await runInNext(place, { cookie }, () =>
      passwords.change({ currentPassword: 'not this one', newPassword: SECOND }),
    )
    expect(wrong.thrown).toBeInstanceOf(PasswordRefused)
    const changed = await runInNext(place, { cookie }, () =>
      passwords.change({ currentPassword: FIRST, newPassword: SECOND, redirectTo: '/settings' }),
    )
    expect(changed.digest).toBe(redirect('/settings'))
  })

  it('redirect: false resolves with the URL, also as a field of a form', async () => {
    const { signIn, signOut, passwords } = application()
    const said = { redirectTo: '/bye', redirect: 'false', email: 'ada@example.com', name: 'Ann' }
    const { value } = await runInNext(place, {}, async () => [
      await signIn('credentials', formOf(said)),
      await signIn('credentials', { ...said, redirect: false }),
      await signOut({ redirectTo: '/bye', redirect: false }),
      await passwords.sendLink(formOf(said)),
      await passwords.sendLink({ purpose: 'sign-up', email: 'ada@example.com', redirect: false }),
    ])
    expect(value?.slice(0, 3)).toEqual(Array(3).fill(`${ORIGIN}/bye`))
    expect(value?.[3]).toContain(`${ORIGIN}/api/auth/verify-request?`)
    expect(value?.[4]).toBe(value?.[3])
  })

  it('an attempt to sign in has a result, and never redirects', async () => {
    const { signIn } = application()
    const [entered, refused] = [
      await runInNext(place, {}, () => signIn.attempt('credentials', { name: 'Ann' })),
      await runInNext(place, {}, () => signIn.attempt('credentials', formOf({ name: '' }))),
    ]
    expect(entered.value).toEqual({ ok: true, status: 200, url: `${ORIGIN}/` })
    expect(entered.setCookies.join()).toContain('session-token=')
    expect(refused.value).toMatchObject({ ok: false, status: 401, error: 'CredentialsSignin' })
  })

  it('a callbackUrl is a path of the application, as redirectTo is', async () => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop')
    const { signIn } = application()
    const said = { name: 'Ann', callbackUrl: '/account' }
    const { value } = await runInNext(place, {}, async () => [
      await signIn('credentials', { ...said, redirect: false }),
      await signIn('credentials', formOf({ ...said, redirect: 'false' })),
      await signIn('credentials', formOf({ ...said, redirect: 'false', redirectTo: '/other' })),
      (await signIn.attempt('credentials', formOf(said))).url,
    ])
    const account = `${ORIGIN}/shop/account`
    expect(value).toEqual([account, account, `${ORIGIN}/shop/other`, account])
  })

  it('the fields that Next adds to a form are not those of the visitor', async () => {
    const authorize = vi.fn(() => ({ id: '1', name: 'Ann' }))
    const { signIn } = application({ providers: [Credentials({ credentials: {}, authorize })] })
    const form = formOf({ $ACTION_ID_1: '', name: 'Ann', redirectTo: '/' })
    await runInNext(place, {}, () => signIn('credentials', form))
    expect(authorize).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(authorize.mock.calls)).not.toContain('$ACTION_')
  })

  it('a cookie that comes too late is an error that says so', async () => {
    let finish = () => {}
    const { signOut, ann } = application({ events: { signOut: () => finish() } })
    const { thrown, setCookies } = await runInNext(place, await ann(), (_request, store) => {
      // From here on, Next allows no cookie.
      finish = () => {
        store.phase = 'render'
      }
      return signOut()
    })
    expect(thrown).toBeInstanceOf(TypeError)
    expect(String(thrown)).toContain('Call signOut() in a server action')
    expect((thrown as Error).cause).toBeInstanceOf(Error)
    expect(setCookies).toEqual([])
  })
})

describe('the sessions of any user', () => {
  it('are ended without a request', async () => {
    const app = application({ session: { strategy: 'database' } })
    const headers = await app.ann()
    const { value } = await runInNext('page', headers, () => app.auth())
    await app.users.endSessions((value as { user?: { id?: string } }).user?.id ?? '1')
    expect((await runInNext('page', headers, () => app.auth())).value).toBeNull()
  })
})
