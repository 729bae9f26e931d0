import Passkey from '@siteauth/core/providers/passkey'
import WebAuthn from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { ADA, createPasskeyApplication, outcomeOf } from './passkey-application.ts'

/** Everything in an answer that is not random: its form, and how long its values are. */
async function shapeOf(response: Response): Promise<unknown> {
  const cookies = response.headers
    .getSetCookie()
    .map(cookie =>
      cookie.replace(/(?:csrf-token|challenge\.[\w-]+)=([^;]+)/, (_, value) => `=${value.length}`),
    )
  const body: unknown = await response.json()
  return { status: response.status, cookies, body: lengthsOf(body) }
}

function lengthsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lengthsOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      ['challenge', 'id'].includes(key) && typeof each === 'string' ? each.length : lengthsOf(each),
    ]),
  )
}

const NOBODY = 'eva@example.com' // as long as the address of somebody

describe('whether an address has an account', () => {
  it.each(['authenticate', 'register', undefined])(
    'is not told by the options to %s',
    async action => {
      const application = createPasskeyApplication({
        config: { ports: { now: () => 1_900_000_000_000 } },
      })
      await application.person().register(ADA)
      const [known, unknown] = await Promise.all(
        [ADA, NOBODY].map(async email => {
          const answer = await application.person().ask({ email, ...(action && { action }) })
          return JSON.stringify(await shapeOf(answer)).replaceAll(email, 'the address')
        }),
      )
      expect(known).toBe(unknown)
    },
  )

  it('is not asked of the store before a passkey was made or used', async () => {
    const application = createPasskeyApplication()
    await application.person().register(ADA)
    application.calls.length = 0
    for (const action of ['authenticate', 'register'])
      await application.person().ask({ action, email: ADA })
    expect(application.calls).toEqual([])
  })

  it('is not told by the list of keys: who has none seems to have one', async () => {
    const application = createPasskeyApplication({ kind: WebAuthn })
    const ada = application.person()
    await ada.register(ADA)
    const lists = []
    for (const email of [ADA, NOBODY, NOBODY]) {
      lists.push((await application.person().options({ email })).allowCredentials)
    }
    const [real, decoys, again] = lists
    for (const list of [real, decoys]) {
      expect(list?.length).toBeGreaterThan(0)
      for (const each of list ?? []) {
        expect(each).toEqual({
          id: expect.stringMatching(/^[\w-]{22,86}$/),
          type: 'public-key',
          transports: expect.any(Array),
        })
      }
    }
    expect(again).toEqual(decoys)
  })

  it('is not told by the list of keys of a user who has none', async () => {
    const application = createPasskeyApplication({ kind: WebAuthn })
    await application.adapter.createUser({ id: '1', email: ADA, emailVerified: null })
    const { allowCredentials } = await application.person().options({ email: ADA })
    expect(allowCredentials?.length).toBeGreaterThan(0)
  })

  it('is not told by how often the store is asked for the list of keys', async () => {
    const application = createPasskeyApplication({ kind: WebAuthn })
    await application.person().register(ADA)
    const counts = []
    for (const email of [ADA, NOBODY]) {
      application.calls.length = 0
      await application.person().ask({ email })
      counts.push(application.calls.length)
    }
    expect(counts).toEqual([2, 2])
  })

  it('differs from one application to the next in the keys that seem to be there', async () => {
    const lists = []
    for (const secret of [
      'one secret that is long enough to use',
      'two secrets that are long enough',
    ]) {
      const application = createPasskeyApplication({ kind: WebAuthn, config: { secret } })
      lists.push((await application.person().options({ email: NOBODY })).allowCredentials)
    }
    expect(lists[0]).not.toEqual(lists[1])
  })

  it('is told at last to somebody who signs up with it, and gives nothing else away', async () => {
    const application = createPasskeyApplication({ kind: Passkey })
    await application.person().register(ADA)
    const eve = application.person()
    expect(outcomeOf(await eve.register(ADA))).toBe('AccountNotLinked')
    expect(await eve.email()).toBeUndefined()
    const user = await application.adapter.getUserByEmail(ADA)
    expect(await application.adapter.listAuthenticatorsByUserId(user?.id ?? '')).toHaveLength(1)
  })

  it('is told to nobody where passkeys cannot be used to sign up', async () => {
    const application = createPasskeyApplication({ provider: { allowSignUp: false } })
    await application.adapter.createUser({ id: '1', email: ADA, emailVerified: null })
    const statuses = []
    for (const email of [ADA, NOBODY]) {
      statuses.push((await application.person().ask({ action: 'register', email })).status)
    }
    expect(statuses).toEqual([400, 400])
  })
})
