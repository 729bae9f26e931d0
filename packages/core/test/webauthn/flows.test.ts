import WebAuthn from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ADA, BOB, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

describe('signing up with a passkey', () => {
  it('creates a user, an account and a key, and signs the person in', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    expect(outcomeOf(await ada.register(ADA))).toBe(ORIGIN)
    expect(await ada.email()).toBe(ADA)
    const user = await application.adapter.getUserByEmail(ADA)
    expect(user).toMatchObject({ email: ADA, emailVerified: null })
    const id = ada.device.keys[0]?.id.toString('base64') ?? ''
    expect(await application.adapter.getAccount(id, 'passkey')).toEqual({
      type: 'webauthn',
      provider: 'passkey',
      providerAccountId: id,
      userId: user?.id,
    })
    expect(await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toEqual([
      {
        credentialID: id,
        providerAccountId: id,
        userId: user?.id,
        credentialPublicKey: ada.device.keys[0]?.publicKey.toString('base64'),
        counter: 0,
        credentialBackedUp: true,
        credentialDeviceType: 'multiDevice',
        transports: 'internal,hybrid',
      },
    ])
    expect(application.errors).toEqual([])
  })

  it('works with an adapter that has only the methods that the contract asks for', async () => {
    const { createUserWithAccount, createVerificationToken, useVerificationToken, ...contract } =
      MemoryAdapter()
    const ada = createPasskeyApplication({ adapter: contract }).person()
    await ada.register(ADA)
    await ada.signOut()
    expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    expect(await ada.email()).toBe(ADA)
  })

  it('works with sessions in the cookie', async () => {
    const config = { session: { strategy: 'jwt' as const } }
    const ada = createPasskeyApplication({ config }).person()
    await ada.register(ADA)
    expect(await ada.email()).toBe(ADA)
  })

  it('leads a new user to the page for new users', async () => {
    const config = { pages: { newUser: '/welcome' } }
    const ada = createPasskeyApplication({ config }).person()
    const response = await ada.register(ADA)
    expect(new URL(response.headers.get('location') ?? '').pathname).toBe('/welcome')
  })

  it('writes the address as the email provider would', async () => {
    const application = createPasskeyApplication()
    await application.person().register(' Ada@Example.COM ')
    expect(await application.adapter.getUserByEmail(ADA)).not.toBeNull()
  })

  it('leaves no user behind whose key could not be stored', async () => {
    const fails = () => {
      throw new Error('disk full')
    }
    const { linkAccountIf, ...others } = MemoryAdapter()
    for (const adapter of [
      { ...others, linkAccountIf: fails },
      { ...others, createAuthenticator: fails },
    ]) {
      const application = createPasskeyApplication({ adapter })
      expect(outcomeOf(await application.person().register(ADA))).toBe('Configuration')
      expect(await adapter.getUserByEmail(ADA)).toBeNull()
    }
  })

  it('signs one of two in who use copies of a key at once', async () => {
    let between = async () => {}
    const store = MemoryAdapter()
    const application = createPasskeyApplication({
      adapter: {
        ...store,
        async updateAuthenticatorCounter(...given) {
          await between()
          return store.updateAuthenticatorCounter(...given)
        },
      },
    })
    const ada = application.person(new SoftwareAuthenticator(ORIGIN, { counts: true }))
    await ada.register(ADA)
    await ada.signOut()
    const copy = application.person(ada.device)
    const [key] = ada.device.keys
    const counter = key?.counter ?? 0
    between = async () => {
      between = async () => {}
      if (key) key.counter = counter
      expect(outcomeOf(await copy.signIn())).toBe(ORIGIN)
    }
    expect(outcomeOf(await ada.signIn())).not.toBe(ORIGIN)
    expect(await ada.email()).toBeUndefined()
    expect(await copy.email()).toBe(ADA)
  })

  it('tells listeners of the user, the account and the sign-in', async () => {
    const heard: unknown[] = []
    const application = createPasskeyApplication({
      config: {
        events: {
          createUser: ({ user }) => void heard.push(['createUser', user.email]),
          linkAccount: ({ user, account }) =>
            void heard.push(['linkAccount', user.email, account.type]),
          signIn: ({ account, isNewUser }) => void heard.push(['signIn', account?.type, isNewUser]),
        },
      },
    })
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    await ada.signIn()
    expect(heard).toEqual([
      ['createUser', ADA],
      ['linkAccount', ADA, 'webauthn'],
      ['signIn', 'webauthn', true],
      ['signIn', 'webauthn', false],
    ])
  })

  it('is refused where the application wants people to sign in another way first', async () => {
    const application = createPasskeyApplication({ provider: { allowSignUp: false } })
    const response = await application.person().ask({ action: 'register', email: ADA })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'Invalid request' })
  })
})

describe('signing in with a passkey', () => {
  it('needs no name: the device says whose passkey it is', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    expect(await ada.email()).toBeUndefined()
    expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    expect(await ada.email()).toBe(ADA)
  })

  it('leads to where the visitor wanted to go', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const options = await ada.options({ action: 'authenticate' })
    const fields = { callbackUrl: '/orders' }
    const response = await ada.answer('authenticate', ada.device.get(options), fields)
    expect(outcomeOf(response)).toBe(`${ORIGIN}/orders`)
  })

  it('stores the new counter', async () => {
    const application = createPasskeyApplication()
    const ada = application.person(
      new SoftwareAuthenticator(ORIGIN, { counts: true, synced: false }),
    )
    await ada.register(ADA)
    await ada.signIn()
    await ada.signIn()
    const user = await application.adapter.getUserByEmail(ADA)
    const [key] = await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')
    expect(key).toMatchObject({ counter: 3, credentialDeviceType: 'singleDevice' })
  })

  it('gives the browser a session of its own each time', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    const before = ada.browser.cookies.get('__Secure-authjs.session-token')
    await ada.signIn()
    expect(ada.browser.cookies.get('__Secure-authjs.session-token')).not.toBe(before)
  })

  it('works in two tabs that both wait for a passkey', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const [first] = [await ada.options(), await ada.options()]
    expect(outcomeOf(await ada.answer('authenticate', ada.device.get(first)))).toBe(ORIGIN)
  })

  it('works in the three tabs that were opened last', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const offered = []
    for (let tab = 0; tab < 5; tab++) {
      application.clock.now += 1000
      offered.push(await ada.options())
    }
    const outcomes = []
    for (const options of offered) {
      outcomes.push(outcomeOf(await ada.answer('authenticate', ada.device.get(options))))
      await ada.signOut()
    }
    const refused = Array.from({ length: 2 }, () => 'InvalidCheck')
    expect(outcomes).toEqual([...refused, ORIGIN, ORIGIN, ORIGIN])
  })

  it('says that a key was removed without saying so to anybody who asks', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const user = await application.adapter.getUserByEmail(ADA)
    await application.adapter.deleteUser(user?.id ?? '')
    expect(outcomeOf(await ada.signIn())).toBe('WebAuthnVerificationError')
    expect(await ada.email()).toBeUndefined()
  })

  it('lets a key that cannot be found by its device be used with an address', async () => {
    const application = createPasskeyApplication({ kind: WebAuthn })
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const options = await ada.options({ email: ADA })
    expect(options.allowCredentials).toEqual([
      {
        id: ada.device.keys[0]?.id.toString('base64url'),
        type: 'public-key',
        transports: ['internal', 'hybrid'],
      },
    ])
    const answer = ada.device.get(options, { userHandle: null })
    expect(outcomeOf(await ada.answer('authenticate', answer))).toBe(ORIGIN)
  })
})

describe('a person who is signed in', () => {
  it('adds a passkey on a second device, and signs in with either', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    const phone = new SoftwareAuthenticator(ORIGIN)
    const options = await ada.options({ action: 'register' })
    expect(outcomeOf(await ada.answer('register', phone.create(options)))).toBe(ORIGIN)
    for (const device of [ada.device, phone]) {
      const elsewhere = application.person(device)
      await elsewhere.signIn()
      expect(await elsewhere.email()).toBe(ADA)
    }
    const user = await application.adapter.getUserByEmail(ADA)
    expect(await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(2)
  })

  it('is not asked to make a second passkey on the same device', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    const response = await ada.ask({ action: 'register' })
    const { options } = (await response.json()) as { options: { excludeCredentials: unknown[] } }
    expect(options.excludeCredentials).toEqual([
      {
        id: ada.device.keys[0]?.id.toString('base64url'),
        type: 'public-key',
        transports: ['internal', 'hybrid'],
      },
    ])
  })

  it('adds a passkey to themselves, whatever address or id the request names', async () => {
    const application = createPasskeyApplication()
    const bob = application.person()
    await bob.register(BOB)
    const ada = application.person()
    await ada.register(ADA)
    const victim = await application.adapter.getUserByEmail(BOB)
    const fields = {
      email: BOB,
      userId: victim?.id ?? '',
      id: victim?.id ?? '',
      sub: victim?.id ?? '',
    }
    const options = await ada.options({ action: 'register', ...fields })
    await ada.answer('register', new SoftwareAuthenticator(ORIGIN).create(options), fields)
    expect(await application.adapter.listAuthenticatorsByUserId(victim?.id ?? '')).toHaveLength(1)
    expect(await ada.email()).toBe(ADA)
  })

  it('can confirm who they are by a passkey of theirs', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
  })

  it('must say what they want', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    const response = await ada.ask()
    expect([response.status, await response.json()]).toEqual([400, { error: 'Invalid request' }])
  })
})

describe('the signIn callback', () => {
  const asked: unknown[] = []
  const answers = (answer: boolean | string) =>
    createPasskeyApplication({
      config: {
        callbacks: {
          signIn({ user, account }) {
            asked.push([user.email, account?.type])
            return answer
          },
        },
      },
    })

  it('is asked about the person and the account', async () => {
    asked.length = 0
    const ada = answers(true).person()
    await ada.register(ADA)
    await ada.signIn()
    expect(asked).toEqual([
      [ADA, 'webauthn'],
      [ADA, 'webauthn'],
    ])
  })

  it.each(['register', 'authenticate'] as const)('can refuse to %s', async action => {
    let may = action === 'authenticate'
    const application = createPasskeyApplication({ config: { callbacks: { signIn: () => may } } })
    const ada = application.person()
    const registered = await ada.register(ADA)
    await ada.signOut()
    may = false
    const response = action === 'register' ? registered : await ada.signIn()
    expect(outcomeOf(response)).toBe('AccessDenied')
    expect(await ada.email()).toBeUndefined()
    const user = await application.adapter.getUserByEmail(ADA)
    expect(user === null).toBe(action === 'register')
  })

  it.each(['register', 'authenticate'] as const)(
    'can send the visitor elsewhere instead of letting them %s',
    async action => {
      let answer: boolean | string = action === 'authenticate' || '/terms'
      const application = createPasskeyApplication({
        config: { callbacks: { signIn: () => answer } },
      })
      const ada = application.person()
      const registered = await ada.register(ADA)
      await ada.signOut()
      answer = '/terms'
      const response = action === 'register' ? registered : await ada.signIn()
      expect(outcomeOf(response)).toBe(`${ORIGIN}/terms`)
      expect(await ada.email()).toBeUndefined()
    },
  )
})

describe('the relying party', () => {
  it('is the application, unless it says otherwise', async () => {
    const relayingParty = {
      id: 'example.com',
      name: 'Example',
      origin: [ORIGIN, 'https://www.example.com'],
    }
    const defaults = await createPasskeyApplication()
      .person()
      .options({ action: 'register', email: ADA })
    expect(defaults.rp).toEqual({ id: 'app.example.com', name: 'app.example.com' })
    const application = createPasskeyApplication({ provider: { relayingParty } })
    const ada = application.person(new SoftwareAuthenticator('https://www.example.com'))
    const options = await ada.options({ action: 'register', email: ADA })
    expect(options.rp).toEqual({ id: 'example.com', name: 'Example' })
    expect(outcomeOf(await ada.answer('register', ada.device.create(options)))).toBe(ORIGIN)
  })

  it('can be decided for each request', async () => {
    const getRelayingParty = () => ({ id: 'example.com', name: 'Ex', origin: ORIGIN })
    const ada = createPasskeyApplication({ provider: { getRelayingParty } }).person()
    expect((await ada.options()).rpId).toBe('example.com')
    await ada.register(ADA)
    expect(await ada.email()).toBe(ADA)
  })
})

describe('getUserInfo', () => {
  it('lets the application say who signs up', async () => {
    const application = createPasskeyApplication({
      provider: {
        getUserInfo: (_, { query }) => ({
          user: { email: `${query['name']}@example.com`, name: 'Ada L.' },
          exists: false,
        }),
      },
    })
    const ada = application.person()
    const options = await ada.options({ action: 'register', name: 'ada' })
    expect(options.user).toMatchObject({ name: ADA, displayName: 'Ada L.' })
    await ada.answer('register', ada.device.create(options))
    expect(await application.adapter.getUserByEmail(ADA)).toMatchObject({ name: 'Ada L.' })
  })

  it.each(['ada@example.com@evil.test', '=?utf-8?q?ada?=@example.com', '\u212Aai@example.com'])(
    'signs nobody up as %j',
    async email => {
      const application = createPasskeyApplication({
        provider: { getUserInfo: () => ({ user: { email }, exists: false }) },
      })
      const answer = await application
        .person()
        .browser.get('/webauthn-options/passkey?action=register')
      expect(answer.status).toBe(400)
    },
  )

  it('cannot be used to sign up as somebody whom the application knows', async () => {
    const application = createPasskeyApplication({
      provider: {
        getUserInfo: () => ({ user: { id: '1', email: ADA, name: 'Ada' }, exists: true }),
      },
    })
    const eve = application.person()
    const options = await eve.options({ action: 'register' })
    expect(options.user).toMatchObject({ displayName: '' })
    expect(outcomeOf(await eve.answer('register', eve.device.create(options)))).toBe(
      'AccountNotLinked',
    )
    expect(await application.adapter.getUserByEmail(ADA)).toBeNull()
  })
})
