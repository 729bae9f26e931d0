import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { agreeAt, resetPassword, signIn, usePasskey } from '../accounts/steps.ts'
import { ADDRESS, createWorld, SECRETS, userIn, type World } from '../accounts/world.ts'
import { SESSION_COOKIE } from '../spec/application.ts'
import { rotate, type Visitor } from '../visitor.ts'
import { startSite } from './site-with-provider.ts'

const BINDING = '__Host-siteauth.bound'
const REAUTHENTICATE = '__Host-siteauth.reauthenticate'
const SIGN_IN_AGAIN = 'https://app.example.com/auth/signin?error=ReauthenticationRequired'
const DAY = 86_400_000

/** A sibling host can set a session cookie, but no cookie with a `__Host-` name. */
function plantSession(from: Visitor, into: Visitor): void {
  into.cookies.set(SESSION_COOKIE, from.cookies.get(SESSION_COOKIE) ?? '')
}

async function accountsOf({ store }: World, userId: string | null): Promise<readonly string[]> {
  const accounts = await store.listAccounts(userId ?? '')
  return accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`)
}

const to = (response: Response) => response.headers.get('location')

describe.each(['jwt', 'database'] as const)('with %s sessions', strategy => {
  async function begin(now?: () => number) {
    const world = await createWorld({ methods: 'ours', email: true, strategy }, now)
    return { world, ann: world.browsers['ann 1'], mallory: world.browsers['mallory 1'] }
  }

  describe('the session of an attacker that was planted where nobody is signed in', () => {
    async function plant() {
      const { world, ann, mallory } = await begin()
      const malloryId = await signIn(world, mallory, 'vouching', 'mallory')
      plantSession(mallory, ann)
      return { world, ann, malloryId }
    }

    it('adds no account: the victim is asked to sign in again, and is then a user of their own', async () => {
      const { world, ann, malloryId } = await plant()
      expect(to(await ann.post('/signin/loose'))).toBe(SIGN_IN_AGAIN)
      const annId = await signIn(world, ann, 'loose', 'ann')
      expect(annId).not.toBe(malloryId)
      expect(await accountsOf(world, malloryId)).toEqual(['vouching mallory'])
      expect(await accountsOf(world, annId)).toEqual(['loose ann'])
      // From now on, this browser was given its session.
      expect(ann.cookies.has(REAUTHENTICATE)).toBe(false)
      await signIn(world, ann, 'careful', 'ann')
      expect(await accountsOf(world, annId)).toEqual(['loose ann', 'careful ann'])
    })

    it('adds no passkey, but one that the victim has signs in', async () => {
      const { world, ann, malloryId } = await plant()
      const other = world.browsers['ann 2']
      const annId = await signIn(world, other, 'vouching', 'ann')
      await (await usePasskey(world, other, 'ann', 'register'))?.()
      const refused = await ann.get('/webauthn-options/passkey?action=register')
      expect(refused.status).toBe(403)
      expect(await refused.json()).toEqual({ error: 'ReauthenticationRequired' })
      expect(await accountsOf(world, malloryId)).toEqual(['vouching mallory'])
      await (await usePasskey(world, ann, 'ann', 'authenticate'))?.()
      expect(await userIn(ann)).toBe(annId)
    })

    it.each(['/signin?add=passkey', '/password'])(
      'does not see the page %s before the victim has signed in again',
      async page => {
        const { world, ann } = await plant()
        expect(to(await ann.get(page))).toBe(SIGN_IN_AGAIN)
        const signedIn = await ann.send((await agreeAt(world, ann, 'vouching', 'ann')).href)
        expect(to(signedIn)).toBe(`https://app.example.com/auth${page}`)
      },
    )

    it.each(['/password', '/password/remove'])('changes nothing by POST %s', async path => {
      const { world, ann, mallory } = await begin()
      await resetPassword(world, mallory, 'mallory')
      const [current, password] = SECRETS.mallory
      plantSession(mallory, ann)
      expect(to(await ann.post(path, { current, password }))).toBe(SIGN_IN_AGAIN)
      expect(await userIn(mallory)).not.toBeNull()
      const signedIn = await mallory.post('/signin/kept', {
        email: ADDRESS.mallory,
        password: current,
      })
      expect(to(signedIn)).not.toContain('error')
    })
  })

  it('a session of an earlier version works, and adds an account once its user has signed in again', async () => {
    const { world, ann } = await begin()
    const annId = await signIn(world, ann, 'vouching', 'ann')
    ann.cookies.delete(BINDING)
    expect(await userIn(ann)).toBe(annId)
    expect(to(await ann.post('/signin/loose', { callbackUrl: '/settings' }))).toBe(SIGN_IN_AGAIN)
    expect(
      await ann.get('/signin?error=ReauthenticationRequired').then(page => page.text()),
    ).toContain('Please sign in again to confirm that it is you.')
    const back = await agreeAt(world, ann, 'vouching', 'ann')
    expect(to(await ann.send(back.href))).toBe('https://app.example.com/settings')
    await signIn(world, ann, 'loose', 'ann')
    expect(await accountsOf(world, annId)).toEqual(['vouching ann', 'loose ann'])
  })

  it('is bound to one session: the cookie of another one is of no use', async () => {
    const { world, ann, mallory } = await begin()
    const malloryId = await signIn(world, mallory, 'vouching', 'mallory')
    await signIn(world, ann, 'vouching', 'ann')
    plantSession(mallory, ann)
    expect(to(await ann.post('/signin/loose'))).toBe(SIGN_IN_AGAIN)
    // Nor that of an earlier session of the same user.
    const earlier = mallory.cookies.get(BINDING) ?? ''
    await signIn(world, mallory, 'vouching', 'mallory')
    mallory.cookies.set(BINDING, earlier)
    expect(to(await mallory.post('/signin/loose'))).toBe(SIGN_IN_AGAIN)
    expect(await accountsOf(world, malloryId)).toEqual(['vouching mallory'])
  })

  it.each(['', 'x', 'a'.repeat(22), '.'])('a forged cookie %o binds nothing', async forged => {
    const { world, ann } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    ann.cookies.set(BINDING, forged)
    expect(to(await ann.post('/signin/loose'))).toBe(SIGN_IN_AGAIN)
  })

  it('stays bound while it is renewed, and while it is rotated', async () => {
    let now = Date.now()
    const { world, ann } = await begin(() => now)
    const annId = await signIn(world, ann, 'vouching', 'ann')
    for (let day = 0; day < 3; day++) {
      now += 2 * DAY
      const before = [ann.cookies.get(SESSION_COOKIE), ann.cookies.get(BINDING)]
      expect(await userIn(ann)).toBe(annId)
      expect(ann.cookies.get(BINDING)).toBe(before[1])
      await rotate(world.auth, ann)
      expect(ann.cookies.get(SESSION_COOKIE)).not.toBe(before[0])
    }
    await signIn(world, ann, 'loose', 'ann')
    expect(await accountsOf(world, annId)).toEqual(['vouching ann', 'loose ann'])
  })

  it('is bound by no renewal and no rotation that came without the cookie', async () => {
    let now = Date.now()
    const { world, ann } = await begin(() => now)
    const annId = await signIn(world, ann, 'vouching', 'ann')
    for (const wrong of [null, 'a'.repeat(22)]) {
      if (wrong) ann.cookies.set(BINDING, wrong)
      else ann.cookies.delete(BINDING)
      now += 2 * DAY
      expect(await userIn(ann)).toBe(annId)
      await rotate(world.auth, ann)
      expect(await userIn(ann)).toBe(annId)
      expect(ann.cookies.get(BINDING)).toBe(wrong ?? undefined)
    }
    expect(to(await ann.post('/signin/loose'))).toBe(SIGN_IN_AGAIN)
  })

  it('is removed by signing out', async () => {
    const { world, ann } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    await ann.post('/signout')
    expect(ann.cookies.has(BINDING)).toBe(false)
  })

  it('is not removed by signing out if it did not come', async () => {
    const { world, ann } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    ann.cookies.delete(BINDING)
    const lines = (await ann.post('/signout')).headers.getSetCookie()
    expect(lines.join()).toContain(SESSION_COOKIE)
    expect(lines.join()).not.toContain(BINDING)
  })

  it('takes 22 letters, for this host alone', async () => {
    const { world, ann } = await begin()
    const back = await agreeAt(world, ann, 'vouching', 'ann')
    const lines = (await ann.send(back.href)).headers.getSetCookie()
    expect(lines.find(line => line.startsWith(BINDING))).toMatch(
      /^__Host-siteauth\.bound=[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('goes when the browser is closed, if its session does', async () => {
    const { world, ann } = await begin()
    await resetPassword(world, ann, 'ann')
    await ann.post('/signout')
    const form = { email: ADDRESS.ann, password: SECRETS.ann[0], remember: 'false' }
    const lines = (await ann.post('/signin/kept', form)).headers.getSetCookie()
    expect(lines.find(line => line.startsWith(BINDING))).toMatch(
      /^__Host-siteauth\.bound=[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })
})

it('the log says why the user of an unbound session is asked to sign in again', async () => {
  const { visitor, begin, signInAs, auth } = startSite({})
  await signInAs('ann')
  visitor.cookies.delete(BINDING)
  expect((await begin()).searchParams.get('error')).toBe('ReauthenticationRequired')
  const why = /planted by another host.*has to sign in again in this browser first/
  expect(auth.debugs.flat()).toContainEqual(expect.stringMatching(why))
})

describe('where a site', () => {
  const options = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

  it.each<[string, Partial<AuthConfig>, string?]>([
    ['has no https', {}, 'http://localhost:3000/auth'],
    [
      'shares its sessions between hosts',
      { cookies: { sessionToken: { options: { ...options, domain: 'example.com' } } } },
    ],
    [
      'shares them under a name of its own, with the cookie that would bind them',
      {
        cookies: {
          sessionToken: { name: '__Secure-own', options: { ...options, domain: 'example.com' } },
          sessionBinding: { options: { ...options, domain: 'example.com' } },
        },
      },
    ],
    [
      'has a session cookie that no other host can set',
      { cookies: { sessionToken: { name: '__Host-own', options } } },
    ],
  ])('%s, no session is bound, and accounts are added', async (_, config, url) => {
    const { visitor, begin, signInAs } = startSite(config, url)
    expect(await signInAs('ann')).toMatchObject({ user: { name: 'ann' } })
    expect([...visitor.cookies.keys()].join()).not.toContain('siteauth.bound')
    expect((await begin()).host).toBe('id.provider.test')
    await visitor.post('/signout')
    expect(await visitor.session()).toBeNull()
  })

  it('stores no users, no session is bound', async () => {
    const { visitor, signInAs } = startSite({ adapter: undefined })
    for (const who of ['ann', 'ben']) {
      expect(await signInAs(who)).toMatchObject({ user: { name: who } })
      expect(visitor.cookies.has(BINDING)).toBe(false)
    }
  })

  it('has sessions without a user, they are not bound', async () => {
    const { visitor, signInAs } = startSite({
      session: { strategy: 'jwt', revocation: false },
      callbacks: {
        jwt: ({ token: { sub: _, ...claims } }) => claims,
        session: ({ session }) => session,
      },
    })
    expect(await signInAs('ann')).toMatchObject({ user: { name: 'ann' } })
    expect(visitor.cookies.has(BINDING)).toBe(false)
    visitor.cookies.set(BINDING, 'a'.repeat(22))
    await visitor.post('/signout')
    expect(await visitor.session()).toBeNull()
  })

  it('changes its secret, a session stays bound as long as the earlier one counts', async () => {
    const { visitor, signInAs, settings } = startSite({
      secret: 'the first secret, 32 characters!',
    })
    await signInAs('ann')
    const second = 'another secret, of 32 characters'
    for (const [secret, isBound] of [
      [[second, 'the first secret, 32 characters!'], true],
      [[second], false],
    ] as const) {
      const later = startSite({ ...settings, secret: [...secret] })
      for (const [name, value] of visitor.cookies) later.visitor.cookies.set(name, value)
      const session = await later.visitor.session()
      const { host } = await later.begin()
      expect([session !== null, host === 'id.provider.test']).toEqual([true, isBound || !session])
    }
  })

  it('has sessions in tokens without revocations, they are bound to their user', async () => {
    const { visitor, begin, signInAs } = startSite({
      session: { strategy: 'jwt', revocation: false },
    })
    await signInAs('mallory')
    const planted = visitor.cookies.get(SESSION_COOKIE) ?? ''
    expect((await begin()).host).toBe('id.provider.test')
    await visitor.post('/signout')
    await signInAs('ann')
    visitor.cookies.set(SESSION_COOKIE, planted)
    expect((await begin()).href).toBe(SIGN_IN_AGAIN)
  })
})
