import { type AuthConfig, skipCSRFCheck } from '@siteauth/core'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { SECRET, type Visitor } from '../visitor.ts'
import { startSite } from './site-with-provider.ts'

// A sign-in is finished only in the browser that has begun it. What tells browsers apart is the token of forms, or a cookie of its
// own if other hosts can plant that one, or it does not come back from another site.

type Cookies = NonNullable<AuthConfig['cookies']>

/** The cookie that the first request of a sign-in sets beside the one of the attempt, without its value. */
async function bindingSetBy(cookies: Cookies, url?: string): Promise<readonly string[]> {
  const { visitor } = startSite({ cookies }, url).enter()
  const csrfToken = await visitor.csrfToken()
  const { headers } = await visitor.send('/signin/op', {
    method: 'POST',
    body: new URLSearchParams({ csrfToken }),
  })
  return headers
    .getSetCookie()
    .filter(line => !/^[\w-]+\.state\.|callback-url/.test(line))
    .map(line => line.replace(/=[^;]{100,}/, '='))
}

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'
const UNPLANTABLE = `__Host-authjs.csrf-token=; ${ATTRIBUTES}`
const RETURNING = `__Host-siteauth.browser=; ${ATTRIBUTES}`
const OF_DOMAIN = { domain: 'example.com' }

describe('a sign-in on https', () => {
  it.each<[string, NonNullable<Cookies['csrfToken']>, readonly string[]]>([
    ['goes by the token of forms', {}, []],
    ['goes by that under another name with __Host-', { name: '__Host-forms' }, []],
    ['sets a cookie if that has another name', { name: 'forms' }, [UNPLANTABLE]],
    [
      'sets one if that has a name with __Host- at its end',
      { name: 'forms__Host-' },
      [UNPLANTABLE],
    ],
    [
      'sets one for this host alone, whatever the attributes are of that',
      { name: 'forms', options: { ...OF_DOMAIN, path: '/auth', secure: false } },
      [UNPLANTABLE],
    ],
    ['sets another one if that is strict', { options: { sameSite: 'strict' } }, [RETURNING]],
    ['sets another one if that is strict by true', { options: { sameSite: true } }, [RETURNING]],
    [
      'sets another one if that is strict and has another name',
      { name: 'forms', options: { sameSite: 'strict' } },
      [RETURNING],
    ],
  ])('%s', async (_, csrfToken, lines) => {
    expect(await bindingSetBy({ csrfToken })).toEqual(lines)
  })

  it('sets none if hosts share its attempts and its sessions', async () => {
    const sessionToken = { options: OF_DOMAIN }
    for (const sameSite of ['lax', 'strict'] as const) {
      const csrfToken = { name: 'forms', options: { ...OF_DOMAIN, sameSite } }
      expect(await bindingSetBy({ sessionToken, csrfToken })).toEqual([])
    }
  })
})

it('a sign-in on http sets none either', async () => {
  for (const sameSite of ['lax', 'strict'] as const) {
    const csrfToken = { options: { sameSite } }
    expect(await bindingSetBy({ csrfToken }, 'http://localhost:3000/auth')).toEqual([])
  }
})

/** Everything that a browser has but cookies with a `__Host-` name, which no other host can set. */
function plant(from: Visitor, into: Visitor): void {
  for (const [name, value] of from.cookies) {
    if (!name.startsWith('__Host-')) into.cookies.set(name, value)
  }
}

const named = { state: { name: 'state' } }

describe('a sign-in that another browser has begun', () => {
  it.each<[string, Cookies]>([
    ['the token of forms', named],
    [
      'the token of forms, which is strict',
      { ...named, csrfToken: { options: { sameSite: 'strict' } } },
    ],
    ['the token of forms, which has another name', { ...named, csrfToken: { name: 'forms' } }],
  ])('is refused, with %s', async (_, cookies) => {
    const site = startSite({ cookies })
    const [mallory, ann] = [site.enter(), site.enter()]
    await ann.begin()
    const back = mallory.agree(await mallory.begin(), 'mallory')
    plant(mallory.visitor, ann.visitor)
    const refused = await ann.visitor.send(back)
    expect(refused.headers.get('location')).toContain('error=InvalidCheck')
    expect(await ann.visitor.session()).toBeNull()
    expect(await ann.signInAs('ann')).toMatchObject({ user: { name: 'ann' } })
  })
})

it.each<[string, Partial<AuthConfig>]>([
  ['of its own', { cookies: named }],
  ['without a prefix', { useSecureCookies: false }],
])(
  'a sign-in that another browser has begun on http, where a strict token of forms binds none, is refused on https, with a name %s',
  async (_, { cookies, ...config }) => {
    const csrfToken = { options: { sameSite: 'strict' } } as const
    const shared = { ...config, cookies: { ...cookies, csrfToken } }
    const [http, https] = [startSite(shared, 'http://app.example.com/auth'), startSite(shared)]
    const [mallory, ann] = [http.enter(), https.enter()]
    const back = mallory.agree(await mallory.begin(), 'mallory').replace('http:', 'https:')
    plant(mallory.visitor, ann.visitor)
    const refused = await ann.visitor.send(back)
    expect(refused.headers.get('location')).toContain('error=InvalidCheck')
    expect(await ann.visitor.session()).toBeNull()
  },
)

describe('a sign-in that nothing binds to a browser', () => {
  type Site = ReturnType<typeof startSite>

  /** Begins at one server and ends at another. Returns the session. */
  async function signIn(first: Site, second = first): Promise<unknown> {
    const [{ visitor, agree }, later] = [first.enter(), second.enter()]
    // Without the check of forms, there is no token of forms.
    const { csrfToken = '' } = await (await visitor.get('/csrf')).json().catch(() => ({}))
    const body = new URLSearchParams({ csrfToken })
    const { headers } = await visitor.send('/signin/op', { method: 'POST', body })
    const back = agree(new URL(headers.get('location') ?? ''), 'ann')
    for (const [name, value] of visitor.cookies) later.visitor.cookies.set(name, value)
    await later.visitor.send(back)
    return later.visitor.session()
  }
  const ANN = { user: { name: 'ann' } }

  it.each<[string, Partial<AuthConfig>, string?]>([
    ['without the check of forms', { skipCSRFCheck }],
    [
      'by a strict token of forms on http',
      { cookies: { csrfToken: { options: { sameSite: 'strict' } } } },
      'http://localhost:3000/auth',
    ],
    [
      'by a strict token of forms that hosts share',
      {
        cookies: {
          sessionToken: { options: OF_DOMAIN },
          csrfToken: { name: 'forms', options: { ...OF_DOMAIN, sameSite: 'strict' } },
        },
      },
    ],
  ])('is finished all the same, %s', async (_, config, url) => {
    expect(await signIn(startSite(config, url))).toMatchObject(ANN)
  })

  it('is finished by a server that would bind it', async () => {
    expect(await signIn(startSite({ skipCSRFCheck }), startSite({}))).toMatchObject(ANN)
  })

  it('is finished if Auth.js began it', async () => {
    const { settings } = startSite({})
    const [provider] = settings.providers as readonly object[]
    const providers = [{ ...provider, checks: ['pkce'] } as never]
    const { visitor } = startSite({ providers }).enter()
    const name = '__Secure-authjs.pkce.code_verifier'
    const token = { value: 'v'.repeat(43), provider: 'op' }
    visitor.cookies.set(name, await encode({ token, secret: SECRET, salt: name, maxAge: 900 }))
    await visitor.get('/callback/op?code=ann')
    expect(await visitor.session()).toMatchObject(ANN)
  })

  it('is finished by a server that no longer binds any', async () => {
    expect(await signIn(startSite({}), startSite({ skipCSRFCheck }))).toMatchObject(ANN)
  })
})

it('a sign-in on http is finished although another host has planted a token of forms of its own', async () => {
  const { auth, enter } = startSite({}, 'http://localhost:3000/auth')
  const [mallory, ann] = [enter(), enter()]
  await mallory.visitor.csrfToken()
  const back = ann.agree(await ann.begin(), 'ann')
  const cookies = [...mallory.visitor.cookies, ...ann.visitor.cookies]
  const cookie = cookies.map(([name, value]) => `${name}=${value}`).join('; ')
  const { headers } = await auth.handle(new Request(back, { headers: { cookie } }))
  expect(headers.getSetCookie().join()).toContain('authjs.session-token=')
})
