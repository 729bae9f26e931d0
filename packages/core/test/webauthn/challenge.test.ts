import Passkey from '@siteauth/core/providers/passkey'
import WebAuthn from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ADA, BOB, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

const MINUTE = 60_000
const CHALLENGE = '__Host-authjs.challenge'

describe('a challenge', () => {
  it('can be answered once, also by a browser that has kept its cookies', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const answer = ada.device.get(await ada.options())
    const cookies = new Map(ada.browser.cookies)
    expect(outcomeOf(await ada.answer('authenticate', answer))).toBe(ORIGIN)
    await ada.signOut()
    for (const [name, value] of cookies) ada.browser.cookies.set(name, value)
    expect(outcomeOf(await ada.answer('authenticate', answer))).toBe('WebAuthnVerificationError')
    expect(await ada.email()).toBeUndefined()
  })

  it('can be answered once, whichever of several servers is asked', async () => {
    const adapter = MemoryAdapter()
    const [one, two] = [
      createPasskeyApplication({ adapter }),
      createPasskeyApplication({ adapter }),
    ]
    const ada = one.person()
    await ada.register(ADA)
    await ada.signOut()
    const answer = ada.device.get(await ada.options())
    const elsewhere = two.person(ada.device)
    for (const [name, value] of ada.browser.cookies) elsewhere.browser.cookies.set(name, value)
    expect(outcomeOf(await ada.answer('authenticate', answer))).toBe(ORIGIN)
    expect(outcomeOf(await elsewhere.answer('authenticate', answer))).toBe(
      'WebAuthnVerificationError',
    )
    expect(await elsewhere.email()).toBeUndefined()
  })

  it('to add a passkey adds one, and not a second with another key', async () => {
    const adapter = MemoryAdapter()
    const [one, two] = [
      createPasskeyApplication({ adapter }),
      createPasskeyApplication({ adapter }),
    ]
    const ada = one.person()
    await ada.register(ADA)
    const options = await ada.options({ action: 'register' })
    const elsewhere = two.person()
    for (const [name, value] of ada.browser.cookies) elsewhere.browser.cookies.set(name, value)
    const devices = [new SoftwareAuthenticator(ORIGIN), new SoftwareAuthenticator(ORIGIN)]
    const outcomes = []
    for (const [index, person] of [elsewhere, ada].entries()) {
      const made = devices[index]?.create(options)
      if (made) outcomes.push(outcomeOf(await person.answer('register', made)))
    }
    expect(outcomes).toEqual([
      ORIGIN,
      expect.stringMatching(/WebAuthnVerificationError|InvalidCheck/),
    ])
    const user = await one.adapter.getUserByEmail(ADA)
    expect(await one.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(2)
  })

  it('is used up also by an answer that is refused', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const options = await ada.options()
    const refused = ada.device.get(options, { clientData: { origin: 'https://evil.example' } })
    expect(outcomeOf(await ada.answer('authenticate', refused))).toBe('WebAuthnVerificationError')
    expect([...ada.browser.cookies.keys()].filter(name => name.startsWith(CHALLENGE))).toEqual([])
    expect(outcomeOf(await ada.answer('authenticate', ada.device.get(options)))).toBe(
      'InvalidCheck',
    )
  })

  it.each([
    [4, ORIGIN],
    [6, 'InvalidCheck'],
  ])('that is answered after %i minutes leads to %s', async (minutes, outcome) => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const options = await ada.options()
    application.clock.now += minutes * MINUTE
    expect(outcomeOf(await ada.answer('authenticate', ada.device.get(options)))).toBe(outcome)
  })

  it('lives five minutes in the browser, out of reach of scripts', async () => {
    const response = await createPasskeyApplication().person().ask()
    const cookie = response.headers.getSetCookie().at(-1) ?? ''
    expect(cookie).toMatch(/^__Host-authjs\.challenge\.[\w-]{12}=/)
    for (const attribute of ['Max-Age=300', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
      expect(cookie).toContain(attribute)
    }
  })

  it('is of no use in another browser', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const answer = ada.device.get(await ada.options())
    const elsewhere = application.person(ada.device)
    expect(outcomeOf(await elsewhere.answer('authenticate', answer))).toBe('InvalidCheck')
  })

  it('of one provider is of no use at another', async () => {
    const signUp = { allowSignUpWithUnprovenEmail: true }
    const config = {
      providers: [Passkey(signUp), WebAuthn({ ...signUp, enableConditionalUI: false })],
    }
    const ada = createPasskeyApplication({ config }).person()
    await ada.register(ADA)
    await ada.signOut()
    const data = JSON.stringify(ada.device.get(await ada.options()))
    const response = await ada.browser.post('/callback/webauthn', { action: 'authenticate', data })
    expect(outcomeOf(response)).toBe('InvalidCheck')
  })

  it('for one person is of no use once another is signed in', async () => {
    const application = createPasskeyApplication()
    const [ada, bob] = [application.person(), application.person()]
    await ada.register(ADA)
    await bob.register(BOB)
    const options = await ada.options({ action: 'register' })
    for (const name of ['__Secure-authjs.session-token', '__Host-siteauth.bound']) {
      ada.browser.cookies.set(name, bob.browser.cookies.get(name) ?? '')
    }
    const made = new SoftwareAuthenticator(ORIGIN).create(options)
    expect(outcomeOf(await ada.answer('register', made))).toBe('InvalidCheck')
    for (const email of [ADA, BOB]) {
      const user = await application.adapter.getUserByEmail(email)
      expect(await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(1)
    }
  })

  it('to sign up adds nothing to whoever is signed in by then', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    const session = ada.browser.cookies.get('__Secure-authjs.session-token') ?? ''
    const eve = application.person()
    const options = await eve.options({ action: 'register', email: BOB })
    eve.browser.cookies.set('__Secure-authjs.session-token', session)
    await eve.answer('register', eve.device.create(options))
    expect(await eve.email()).toBe(BOB)
    const user = await application.adapter.getUserByEmail(ADA)
    expect(await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(1)
  })

  it.each(['forged', 'a session of ours'])('that is %s is refused', async kind => {
    const ada = createPasskeyApplication({ config: { session: { strategy: 'jwt' } } }).person()
    await ada.register(ADA)
    const session = ada.browser.cookies.get('__Secure-authjs.session-token') ?? ''
    await ada.signOut()
    const options = await ada.options()
    const [name = ''] = [...ada.browser.cookies.keys()].filter(each => each.startsWith(CHALLENGE))
    ada.browser.cookies.set(name, kind === 'forged' ? 'a.b.c.d.e' : session)
    expect(outcomeOf(await ada.answer('authenticate', ada.device.get(options)))).toBe(
      'InvalidCheck',
    )
  })
})

describe('the endpoint that takes the answer', () => {
  it('refuses forms without the token of the page', async () => {
    const application = createPasskeyApplication()
    const ada = application.person()
    await ada.register(ADA)
    await ada.signOut()
    const data = JSON.stringify(ada.device.get(await ada.options()))
    const response = await ada.browser.send('/callback/passkey', {
      method: 'POST',
      body: new URLSearchParams({ action: 'authenticate', data }),
    })
    expect(outcomeOf(response)).toBe('MissingCSRF')
    expect(await ada.email()).toBeUndefined()
  })

  it('refuses forms of other sites', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const data = JSON.stringify(ada.device.get(await ada.options()))
    const headers = { origin: 'https://evil.example' }
    const fields = { action: 'authenticate', data }
    const response = await ada.browser.post('/callback/passkey', fields, headers)
    expect(outcomeOf(response)).toBe('MissingCSRF')
  })

  it.each([
    ['no action', {}],
    ['an unknown action', { action: 'delete' }],
  ])('calls %s a mistake of the page', async (_, fields) => {
    const ada = createPasskeyApplication().person()
    const response = await ada.browser.post('/callback/passkey', { data: '{}', ...fields })
    expect(outcomeOf(response)).toBe('Configuration')
  })

  it.each([
    '',
    'x',
    '[]',
    'null',
    '{}',
    '{"id":1}',
    '{"id":"AAAA"}',
    '{"id":"AAAA","response":[]}',
  ])('refuses %j where the answer of the browser should be', async data => {
    const ada = createPasskeyApplication().person()
    const response = await ada.browser.post('/callback/passkey', { action: 'register', data })
    expect(outcomeOf(response)).toBe('WebAuthnVerificationError')
  })
})

describe('the endpoint that asks', () => {
  it.each(['', 'delete', 'REGISTER'])('refuses the action %j', async action => {
    const response = await createPasskeyApplication().person().ask({ action })
    expect([response.status, await response.json()]).toEqual([400, { error: 'Invalid action' }])
  })

  it.each(['', 'no address', 'a@example.com,b@example.com'])(
    'refuses to make a passkey for %j',
    async email => {
      const response = await createPasskeyApplication().person().ask({ action: 'register', email })
      expect([response.status, await response.json()]).toEqual([400, { error: 'Invalid request' }])
    },
  )

  it('lets nobody keep its answer', async () => {
    const response = await createPasskeyApplication().person().ask()
    expect(response.headers.get('cache-control')).toContain('no-store')
  })
})
