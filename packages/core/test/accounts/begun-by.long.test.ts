import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import type { Visitor } from '../visitor.ts'
import { agreeAt, signIn } from './steps.ts'
import { createWorld, type Setting, userIn, type World } from './world.ts'

const INVALID = 'https://app.example.com/auth/error?error=InvalidCheck'

const SETTINGS = (['jwt', 'database'] as const).flatMap(strategy =>
  (['ours', 'published'] as const).map(methods => ({ strategy, methods })),
)

async function accountsOf(world: World, browser: Visitor): Promise<string[]> {
  const accounts = await world.store.listAccounts((await userIn(browser)) ?? '')
  return accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`)
}

describe.each(SETTINGS)('$strategy sessions, the methods of $methods', given => {
  const setting: Setting = { ...given, email: true }

  it('an account is added to whoever asked for it while signed in', async () => {
    const world = await createWorld(setting)
    const ann = world.browsers['ann 1']
    await signIn(world, ann, 'loose', 'ann')
    await signIn(world, ann, 'careful', 'ann')
    expect(await accountsOf(world, ann)).toEqual(['loose ann', 'careful ann'])
  })

  it('an attempt that nobody began while signed in adds nothing to whoever is signed in by then', async () => {
    const world = await createWorld(setting)
    const ann = world.browsers['ann 1']
    const back = await agreeAt(world, ann, 'loose', 'mallory')
    await signIn(world, ann, 'vouching', 'ann')
    const userId = await userIn(ann)
    await ann.send(back.href)
    expect(await world.store.listAccounts(userId ?? '')).toHaveLength(1)
    // It signs its own person in, as the provider says.
    expect(await userIn(ann)).not.toBe(userId)
    expect(await accountsOf(world, ann)).toEqual(['loose mallory'])
  })

  it('an attempt of one user is of no use to another', async () => {
    const world = await createWorld(setting)
    const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
    await signIn(world, ann, 'vouching', 'ann')
    await signIn(world, mallory, 'vouching', 'mallory')
    const back = await agreeAt(world, mallory, 'loose', 'mallory')
    for (const [name, value] of mallory.cookies) {
      if (name.includes('authjs.state')) ann.cookies.set(name, value)
    }
    const answer = await ann.send(back.href)
    expect(answer.headers.get('location')).toBe(INVALID)
    expect(await accountsOf(world, ann)).toEqual(['vouching ann'])
    expect(await accountsOf(world, mallory)).toEqual(['vouching mallory'])
  })

  it('an attempt of one user is of no use to another in the same browser', async () => {
    const world = await createWorld(setting)
    const shared = world.browsers['ann 1']
    await signIn(world, shared, 'vouching', 'mallory')
    const back = await agreeAt(world, shared, 'loose', 'mallory')
    await shared.post('/signout')
    await signIn(world, shared, 'vouching', 'ann')
    const answer = await shared.send(back.href)
    expect(answer.headers.get('location')).toBe(INVALID)
    expect(await accountsOf(world, shared)).toEqual(['vouching ann'])
  })

  it('an attempt of a user is of no use once nobody is signed in', async () => {
    const world = await createWorld(setting)
    const ann = world.browsers['ann 1']
    await signIn(world, ann, 'vouching', 'ann')
    const back = await agreeAt(world, ann, 'loose', 'ann')
    await ann.post('/signout')
    const answer = await ann.send(back.href)
    expect(answer.headers.get('location')).toBe(INVALID)
    expect(await userIn(ann)).toBeNull()
  })

  it('somebody who leaves one browser while it adds an account stays signed in in the other', async () => {
    const world = await createWorld(setting)
    const { 'ann 1': leaving, 'ann 2': staying } = world.browsers
    await signIn(world, leaving, 'vouching', 'ann')
    const annId = await signIn(world, staying, 'vouching', 'ann')
    const back = await agreeAt(world, leaving, 'loose', 'ann')
    const { linkAccount, linkAccountIf } = world.store
    const leave = async () => {
      const tokens = new Set(leaving.cookies.values())
      for (const { sessionToken } of await world.store.listSessions(annId ?? '')) {
        if (tokens.has(sessionToken)) await world.store.deleteSession(sessionToken)
      }
    }
    world.store.linkAccount = async account => {
      await linkAccount(account)
      await leave()
    }
    // What is linked in one step with the check is linked before or not at all.
    world.store.linkAccountIf = async link => {
      await leave()
      return linkAccountIf(link)
    }
    const answer = await leaving.send(back.href)
    // A session in a cookie cannot be ended, so nobody has left there.
    const isEnded = setting.strategy === 'database'
    expect(answer.headers.get('location') === INVALID).toBe(isEnded)
    expect(await world.store.listAccounts(annId ?? '')).toHaveLength(isEnded ? 1 : 2)
    expect(await userIn(staying)).toBe(annId)
  })

  it('a planted attempt signs nobody in, even where its cookie can be planted', async () => {
    const world = await createWorld(setting)
    const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
    const back = await agreeAt(world, mallory, 'loose', 'mallory')
    await ann.get('/csrf')
    for (const [name, value] of mallory.cookies) {
      if (name.includes('authjs.state')) ann.cookies.set(name, value)
    }
    const answer = await ann.send(back.href)
    expect(answer.headers.get('location')).toBe(INVALID)
    expect(await userIn(ann)).toBeNull()
  })

  it('an account of one user is not added to another', async () => {
    const world = await createWorld(setting)
    const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
    await signIn(world, mallory, 'loose', 'mallory')
    await signIn(world, ann, 'vouching', 'ann')
    const answer = await ann.send((await agreeAt(world, ann, 'loose', 'mallory')).href)
    expect(answer.headers.get('location')).toContain('error=OAuthAccountNotLinked')
    expect(await accountsOf(world, ann)).toEqual(['vouching ann'])
  })
})

describe('the cookies of what is under way', () => {
  const nameOf = async (config: Partial<AuthConfig>) => {
    const { createTestAuth, Visitor } = await import('../visitor.ts')
    const provider = {
      id: 'op',
      name: 'op',
      type: 'oauth' as const,
      clientId: 'c',
      clientSecret: 's',
      authorization: 'https://op.test/authorize',
      token: 'https://op.test/token',
      userinfo: 'https://op.test/me',
    }
    const visitor = new Visitor(createTestAuth({ providers: [provider], ...config }).handle)
    await visitor.post('/signin/op')
    return [...visitor.cookies.keys()].find(name => name.includes('authjs.state'))
  }

  it('can be set by this very host alone', async () => {
    expect(await nameOf({})).toMatch(/^__Host-authjs\.state\./)
  })

  it('can be shared where the application says so', async () => {
    const cookies = { state: { options: { domain: 'example.com' } } }
    expect(await nameOf({ cookies })).toMatch(/^__Secure-authjs\.state\./)
  })
})
