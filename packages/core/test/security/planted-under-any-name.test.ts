import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { startSite } from './site-with-provider.ts'

// A sibling host can set every cookie whose name does not start with `__Host-`, whatever the application calls it.

const SIGN_IN_AGAIN = 'https://app.example.com/auth/signin?error=ReauthenticationRequired'
const BINDING = '__Host-siteauth.bound'

type Cookies = Required<NonNullable<AuthConfig['cookies']>>
type Site = ReturnType<typeof startSite>

const OF_DOMAIN = { domain: 'example.com' }

const SITES: readonly (readonly [string, Partial<AuthConfig>])[] = [
  ['__Secure-my.session', named('__Secure-my.session')],
  ['my.session', named('my.session')],
  ['my.session without Secure', named('my.session', { secure: false })],
  ['__host-my.session, which old browsers do not protect', named('__host-my.session')],
  ['__Secure-my.session below a path', named('__Secure-my.session', { path: '/auth' })],
  ['that of http', { useSecureCookies: false }],
  ['my.session, where no cookie is Secure', { ...named('my.session'), useSecureCookies: false }],
  [
    'that of Auth.js, beside a token of forms and attempts with names of their own',
    { cookies: { csrfToken: { name: 'csrf' }, state: { name: 'state' } } },
  ],
  [
    'that of Auth.js, beside attempts with a name of their own and a strict token of forms',
    { cookies: { csrfToken: { options: { sameSite: 'strict' } }, state: { name: 'state' } } },
  ],
  [
    'that of Auth.js, beside attempts below a path and a strict token of forms',
    {
      cookies: {
        csrfToken: { options: { sameSite: 'strict' } },
        state: { options: { path: '/auth' } },
      },
    },
  ],
  [
    'that of Auth.js, beside a token of forms and attempts with a domain',
    { cookies: { csrfToken: { name: 'csrf', options: OF_DOMAIN }, state: { options: OF_DOMAIN } } },
  ],
  [
    'that of Auth.js, beside a strict token of forms and attempts with a domain',
    {
      cookies: {
        csrfToken: { name: 'csrf', options: { ...OF_DOMAIN, sameSite: 'strict' } },
        state: { options: OF_DOMAIN },
      },
    },
  ],
]

const KINDS = (['jwt', 'database'] as const).flatMap(strategy =>
  SITES.map(([name, config]) => ({ name, strategy, config })),
)

function named(name: string, options: Cookies['sessionToken']['options'] = {}) {
  return { cookies: { sessionToken: { name, options } } }
}

/** Gives the victim what a sibling host can set: everything of the attacker's but cookies with a `__Host-` name. */
function plant(from: Visitor, into: Visitor): void {
  for (const [name, value] of from.cookies) {
    if (!name.startsWith('__Host-')) into.cookies.set(name, value)
  }
}

const findUser = ({ settings }: Site, who: string) =>
  (settings.adapter as Required<Adapter>).getUserByAccount({
    provider: 'op',
    providerAccountId: who,
  })

describe.each(KINDS)('with $strategy sessions and a session cookie named $name', kind => {
  const { strategy, config } = kind
  const start = (more: Partial<AuthConfig> = {}) =>
    startSite({ session: { strategy }, ...config, ...more })

  it('a planted session adds no account: the victim becomes a user of their own', async () => {
    const site = start()
    const mallory = site.enter()
    const victim = site.enter()
    await mallory.signInAs('mallory')
    plant(mallory.visitor, victim.visitor)
    expect(await victim.visitor.session()).toMatchObject({ user: { name: 'mallory' } })
    expect((await victim.begin()).href).toBe(SIGN_IN_AGAIN)
    expect(await victim.signInAs('ann')).toMatchObject({ user: { name: 'ann' } })
    expect((await findUser(site, 'ann'))?.id).not.toBe((await findUser(site, 'mallory'))?.id)
  })

  it('an attempt that was planted with its session adds no account when the victim comes back', async () => {
    const site = start()
    const mallory = site.enter()
    const victim = site.enter()
    await mallory.signInAs('mallory')
    const back = mallory.agree(await mallory.begin(), 'ann')
    plant(mallory.visitor, victim.visitor)
    await victim.visitor.send(back)
    expect(await findUser(site, 'ann')).toBeNull()
  })

  it('a sign-in that the attacker has begun is not finished in the browser of the victim', async () => {
    const site = start()
    const mallory = site.enter()
    const victim = site.enter()
    const back = mallory.agree(await mallory.begin(), 'mallory')
    plant(mallory.visitor, victim.visitor)
    await victim.visitor.send(back)
    expect(await victim.visitor.session()).toBeNull()
    expect(await findUser(site, 'mallory')).toBeNull()
  })

  it('a user who signed in here adds an account', async () => {
    const site = start()
    const { visitor, begin, signInAs } = site.enter()
    await signInAs('ann')
    expect(visitor.cookies.get(BINDING)).toMatch(/^[\w-]{22}$/)
    expect((await begin()).host).toBe('id.provider.test')
    await signInAs('second')
    expect((await findUser(site, 'second'))?.id).toBe((await findUser(site, 'ann'))?.id)
    await visitor.post('/signout')
    expect(visitor.cookies.has(BINDING)).toBe(false)
  })

  it('a session of an earlier version is asked for a sign-in once', async () => {
    const { visitor, begin, signInAs } = start().enter()
    await signInAs('ann')
    visitor.cookies.delete(BINDING)
    expect((await begin()).href).toBe(SIGN_IN_AGAIN)
    await signInAs('ann')
    expect((await begin()).host).toBe('id.provider.test')
  })
})

it('a sign-in can be finished on another host if sessions, attempts and the token of forms have a domain', async () => {
  const shared = { options: OF_DOMAIN }
  const csrfToken = { name: 'csrf', ...shared }
  const site = startSite({ cookies: { sessionToken: shared, state: shared, csrfToken } })
  const [one, other] = [site.enter(), site.enter()]
  const back = one.agree(await one.begin(), 'ann')
  plant(one.visitor, other.visitor)
  await other.visitor.send(back)
  expect(await other.visitor.session()).toMatchObject({ user: { name: 'ann' } })
})

describe.each(SITES)('in parts, with a session cookie named %s,', (_name, config) => {
  it('a planted session adds no account', async () => {
    const site = startSite({
      ...config,
      session: { strategy: 'jwt' },
      callbacks: { jwt: ({ token }) => ({ ...token, text: 'x'.repeat(6000) }) },
    })
    const mallory = site.enter()
    const victim = site.enter()
    await mallory.signInAs('mallory')
    expect([...mallory.visitor.cookies.keys()].filter(name => /\.[01]$/.test(name))).toHaveLength(2)
    plant(mallory.visitor, victim.visitor)
    expect((await victim.begin()).href).toBe(SIGN_IN_AGAIN)
    await victim.signInAs('ann')
    expect((await findUser(site, 'ann'))?.id).not.toBe((await findUser(site, 'mallory'))?.id)
  })
})

describe('the cookie that binds a session', () => {
  const readErrors = async (cookies: Partial<Cookies>) => {
    const { auth } = startSite({ cookies, adapter: MemoryAdapter() })
    await auth.handle(new Request('https://app.example.com/auth/session'))
    return auth.errors.map(({ message }) => message).join('\n')
  }

  it.each<[string, Cookies['sessionBinding']]>([
    ['a name that other hosts can set', { name: 'bound' }],
    ['the prefix __Secure-', { name: '__Secure-bound' }],
    ['a domain', { options: { domain: 'example.com' } }],
    ['another path', { options: { path: '/auth' } }],
  ])('cannot have %s where the session could be planted', async (_what, sessionBinding) => {
    expect(await readErrors({ sessionBinding })).toContain('cookies.sessionBinding needs a name')
  })

  it.each<[string, Partial<Cookies>]>([
    ['another name with that prefix', { sessionBinding: { name: '__Host-bound' } }],
    [
      'any name beside a session that is not to be bound',
      { sessionBinding: { name: 'bound' }, sessionToken: { options: { domain: 'example.com' } } },
    ],
  ])('can have %s', async (_what, cookies) => {
    expect(await readErrors(cookies)).toBe('')
  })
})
