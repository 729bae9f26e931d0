import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterUser } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { agreeAt, signIn, usePasskey } from './steps.ts'
import { ADDRESS, createWorld, type Setting, userIn, type World } from './world.ts'

// What somebody found who was asked to break what the other files of this folder promise.

const OURS: Setting = { strategy: 'database', methods: 'ours', email: true }
const ADA = 'ada@example.test'

/** An application with a provider that signs everybody in as Ada, and links by email. */
async function setUp(
  provider: object = {},
  { adapter = MemoryAdapter(), ...config }: Partial<AuthConfig> & { adapter?: Adapter } = {},
) {
  const server = await createFakeServer({ alg: 'ES256' })
  const sent: string[] = []
  const auth = createTestAuth({
    adapter,
    providers: [
      {
        id: 'op',
        name: 'op',
        type: 'oidc',
        issuer: server.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        ...provider,
      },
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void sent.push(url),
      },
    ],
    callbacks: {
      session: ({ session, user, token }) => ({
        ...session,
        user: { ...session.user, id: user?.id ?? token.sub },
      }),
    },
    ports: { fetch: server.fetch },
    ...config,
  })
  const browser = () => new Visitor(auth.handle)
  return {
    adapter,
    server,
    browser,
    async goTo(visitor: Visitor) {
      const started = await visitor.post('/signin/op')
      return new URL(started.headers.get('location') ?? '')
    },
    async openLink(visitor: Visitor, email = ADA) {
      await visitor.post('/signin/mail', { email })
      return visitor.openLink(new URL(sent.at(-1) ?? ''))
    },
  }
}

describe('a provider that is not believed', () => {
  it.each(['jwt', 'database'] as const)(
    'is not believed because of an id_token that was stored, %s sessions',
    async strategy => {
      const { server, browser, goTo, openLink } = await setUp(
        { emailVerified: false },
        { session: { strategy } },
      )
      server.faults.claims = claims => ({ ...claims, sub: 'mallory', email_verified: true })
      const mallory = browser()
      await mallory.send(`/callback/op?${server.authorize(await goTo(mallory))}`)
      const ada = browser()
      await openLink(ada)
      expect(await userIn(ada)).not.toBeNull()
      expect(await userIn(mallory)).not.toBe(await userIn(ada))
      const again = browser()
      await again.send(`/callback/op?${server.authorize(await goTo(again))}`)
      expect(await userIn(again)).not.toBe(await userIn(ada))
    },
  )
})

describe('an attempt to add an account', () => {
  it.each([['none'], ['pkce']] as const)(
    'is not finished by an answer that somebody else sends, with the check %s',
    async check => {
      const { server, browser, goTo, adapter, openLink } = await setUp({ checks: [check] })
      const ada = browser()
      await openLink(ada)
      const adaId = (await userIn(ada)) ?? ''
      await goTo(ada)
      server.faults.claims = claims => ({ ...claims, sub: 'mallory', email: 'm@example.test' })
      const answer = server.authorize(await goTo(browser()))
      answer.delete('state')
      await ada.send(`/callback/op?${answer}`)
      expect(await adapter.listAccounts?.(adaId)).toEqual([])
    },
  )

  it('goes on where no state is configured', async () => {
    const { server, browser, goTo, adapter, openLink } = await setUp({ checks: ['pkce'] })
    const ada = browser()
    await openLink(ada)
    await ada.send(`/callback/op?${server.authorize(await goTo(ada))}`)
    expect(await adapter.listAccounts?.((await userIn(ada)) ?? '')).toHaveLength(1)
  })
})

describe('an answer that is posted', () => {
  const posted = { authorization: { params: { response_mode: 'form_post' } } }
  const headers = { origin: 'https://op.test', 'sec-fetch-site': 'cross-site' }
  const padding = 'x'.repeat(5000)

  it('signs in with a long token beside the code', async () => {
    const { server, browser, goTo } = await setUp(posted)
    const ada = browser()
    const body = server.authorize(await goTo(ada))
    body.set('id_token', padding)
    const cookie = [...ada.cookies].filter(([name]) => name.includes('authjs.state'))
    const kept = await ada.send('/callback/op', {
      method: 'POST',
      headers: { ...headers, cookie: cookie.map(pair => pair.join('=')).join('; ') },
      body,
    })
    await ada.send(kept.headers.get('location') ?? '')
    expect(await userIn(ada)).not.toBeNull()
  })

  it('does not get past the mark of the browser by being long', async () => {
    const { server, browser, goTo } = await setUp(posted)
    const [ada, mallory] = [browser(), browser()]
    const body = server.authorize(await goTo(mallory))
    body.set('user', padding)
    await ada.get('/csrf')
    for (const [name, value] of mallory.cookies) {
      if (name.includes('authjs.state')) ada.cookies.set(name, value)
    }
    const answer = await ada.send('/callback/op', { method: 'POST', headers, body })
    expect(answer.headers.get('location')).toContain('error=')
    expect(await userIn(ada)).toBeNull()
  })
})

describe('a store', () => {
  it('without a table for passkeys is not asked for any where nobody uses them', async () => {
    const memory = MemoryAdapter()
    const adapter = {
      ...memory,
      listAuthenticatorsByUserId: () => {
        throw new Error('relation "authenticators" does not exist')
      },
    }
    const { browser, openLink } = await setUp({}, { adapter, session: { strategy: 'database' } })
    const user = { id: crypto.randomUUID(), email: ADA, emailVerified: null }
    await memory.createUser(user)
    const ada = browser()
    await openLink(ada)
    expect(await userIn(ada)).toBe(user.id)
  })

  it.each(['ours', 'published'] as const)(
    'that takes two spellings for one address keeps nobody out for one that nobody proved, %s',
    async methods => {
      const world = await createWorld({ ...OURS, methods })
      const { store } = world
      const squatter: AdapterUser = { id: 's', email: 'änn@example.test', emailVerified: null }
      await store.createUser(squatter)
      const { getUserByEmail, createUser } = store
      const plain = (email: string) => email.replace('ä', 'a')
      store.getUserByEmail = async email => {
        const row = await store.getUser('s')
        if (row?.email && plain(row.email) === plain(email)) return row
        return getUserByEmail(email)
      }
      store.createUser = async user => {
        if (await store.getUserByEmail(user.email)) throw new Error('there is one already')
        return createUser(user)
      }
      const ann = world.browsers['ann 1']
      await ann.post('/signin/mail', { email: ADDRESS.ann })
      await ann.openLink(world.links[0]?.url ?? new URL(''))
      expect(await userIn(ann)).not.toBeNull()
      expect(await userIn(ann)).not.toBe('s')
    },
  )
})

describe('an application that fails to take its passwords away', () => {
  it('keeps the owner out until it does, rather than letting two people into one user', async () => {
    let isBroken = true
    const { adapter, browser, openLink } = await setUp(
      {},
      {
        session: { strategy: 'database' },
        events: {
          emailClaimed() {
            if (isBroken) throw new Error('the table of passwords is locked')
          },
        },
      },
    )
    await adapter.createUser?.({ id: 'u1', email: ADA, emailVerified: null })
    const ada = browser()
    await openLink(ada)
    expect(await userIn(ada)).toBeNull()
    expect((await adapter.getUser?.('u1'))?.emailVerified).toBeNull()
    isBroken = false
    await openLink(ada)
    expect(await userIn(ada)).toBe('u1')
  })
})

describe('a password for a user whose address was proved a moment ago', () => {
  it('still lets its owner in, where the application kept it', async () => {
    const world = await createWorld(OURS)
    const user = await world.store.createUser({
      id: crypto.randomUUID(),
      email: ADDRESS.ann,
      emailVerified: new Date(),
    })
    world.passwords.set('ann', user.id)
    await world.browsers['ann 1'].post('/callback/password', { who: 'ann' })
    expect(await userIn(world.browsers['ann 1'])).toBe(user.id)
  })
})

describe('tenants with a way of their own to seal tokens', () => {
  it('do not take the sessions of each other', async () => {
    const encode: NonNullable<AuthConfig['jwt']>['encode'] = async ({ token }) =>
      Buffer.from(JSON.stringify(token)).toString('base64url')
    const decode: NonNullable<AuthConfig['jwt']>['decode'] = async ({ token = '' }) =>
      JSON.parse(Buffer.from(token, 'base64url').toString())
    const at = async (audience: string) =>
      setUp({}, { session: { strategy: 'jwt', audience }, jwt: { encode, decode } })
    const [one, other] = [await at('one'), await at('other')]
    const ada = one.browser()
    await one.openLink(ada)
    expect(await userIn(ada)).not.toBeNull()
    const moved = other.browser()
    for (const [name, value] of ada.cookies) moved.cookies.set(name, value)
    expect(await userIn(moved)).toBeNull()
  })
})

describe('somebody who was put out, at a server that has not heard of it', () => {
  const COOKIES: Setting = { strategy: 'jwt', methods: 'ours', email: true }

  it.each([
    ['account', (world: World, browser: Visitor) => agreeAt(world, browser, 'careful', 'mallory')],
    [
      'passkey',
      (world: World, browser: Visitor) => usePasskey(world, browser, 'mallory', 'register'),
    ],
  ])('cannot stay in by adding an %s', async (_name, prepare) => {
    const world = await createWorld(COOKIES)
    const mallory = world.browsers['mallory 1']
    const id = (await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)) ?? ''
    const prepared = await prepare(world, mallory)
    // Another server: what it ends is in the store, and this one has just looked.
    const elsewhere = createTestAuth({ adapter: world.store, session: { strategy: 'jwt' } })
    await elsewhere.users.endSessions(id)
    await world.store.unlinkAccount({ provider: 'loose', providerAccountId: 'mallory' })
    await (prepared instanceof URL ? mallory.send(prepared.href) : prepared?.())
    expect(await world.store.listAccounts(id)).toEqual([])
  })
})
