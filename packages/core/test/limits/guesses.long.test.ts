import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { guardedApplication, guessFrom, tryPassword } from './guarded.ts'

const MINUTE = 60_000

/** A network for each number. */
const networkOf = (number: number) => `198.51.${number >> 8}.${number & 255}`

/** Somebody who guesses, each time from another network and in a new browser. */
async function guessEverywhere(
  app: ReturnType<typeof guardedApplication>,
  username: string,
  count: number,
) {
  const networks = Array.from({ length: count }, (_, index) => networkOf(index))
  return Promise.all(networks.map(network => guessFrom(app, network, username)))
}

describe('guesses at one account', () => {
  it('are five of 200 that come at once from 200 networks', async () => {
    const app = guardedApplication()
    const answers = await guessEverywhere(app, 'ann', 200)
    expect(answers.filter(answer => answer === 'refused')).toHaveLength(5)
    expect(app.guesses).toHaveLength(5)
  })

  it('are five over three nodes that share a store', async () => {
    const adapter = MemoryAdapter()
    const nodes = [1, 2, 3].map(() => guardedApplication({ adapter, session: { strategy: 'jwt' } }))
    await Promise.all(nodes.map(node => guessEverywhere(node, 'ann', 70)))
    expect(nodes.flatMap(({ guesses }) => guesses)).toHaveLength(5)
  })

  it('have to wait ever longer, and are never shut out for good', async () => {
    const app = guardedApplication()
    const waits: number[] = []
    for (let index = 0; waits.length < 6; index++) {
      const answer = await guessFrom(app, networkOf(index), 'ann')
      if (typeof answer !== 'number') continue
      waits.push(answer / 60)
      app.clock.now += answer * 1000
    }
    expect(waits).toEqual([3, 6, 12, 15, 15, 15])
  })

  it.each([[' ann '], ['ANN'], ['ａｎｎ']])(
    'are counted for the account also if it is spelled %j',
    async spelling => {
      const app = guardedApplication()
      await guessEverywhere(app, 'ann', 5)
      expect(await tryPassword(app.visitor(), spelling, 'wrong')).toBe(180)
    },
  )

  it('are counted also if the name comes as a list', async () => {
    const app = guardedApplication()
    await guessEverywhere(app, 'ann', 5)
    const fields = { username: ['ann'], password: 'wrong' }
    const response = await app.visitor().postJson('/callback/credentials', fields)
    expect(response.status).toBe(429)
  })

  it('are counted by each name that is given, so that another one hides nothing', async () => {
    const app = guardedApplication({
      providers: [
        {
          id: 'credentials',
          name: 'Credentials',
          type: 'credentials',
          credentials: { email: {}, username: {}, password: { type: 'password' } },
          authorize: () => null,
        },
      ],
    })
    const guess = (index: number) =>
      app
        .visitor(networkOf(index))
        .post('/callback/credentials', { email: 'ann@example.com', username: `any ${index}` })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(index)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('are counted by the usual names where a provider lists no fields', async () => {
    const guesses: unknown[] = []
    const provider = Credentials({
      authorize({ phone }: { phone?: unknown }) {
        guesses.push(phone)
        return null
      },
    })
    const app = guardedApplication({ providers: [provider] })
    for (let index = 0; index < 10; index++) {
      await app
        .visitor(networkOf(index))
        .post('/callback/credentials', { phone: '+49 1', pin: '0' })
    }
    expect(guesses).toHaveLength(5)
  })

  it('do not count for anybody else', async () => {
    const app = guardedApplication()
    await guessEverywhere(app, 'ann', 50)
    expect(await tryPassword(app.visitor(), 'ben', 'right ben')).toBe('in')
  })

  it('are refused before the password is looked at, also if it is right', async () => {
    const app = guardedApplication()
    await guessEverywhere(app, 'ann', 5)
    expect(await tryPassword(app.visitor(), 'ann', 'right ann')).toBe(180)
    expect(app.guesses).not.toContain('ann:right ann')
  })

  it('begin anew when somebody gets it right', async () => {
    const app = guardedApplication()
    for (let round = 0; round < 3; round++) {
      await guessEverywhere(app, 'ann', 4)
      expect(await tryPassword(app.visitor(`192.0.2.${round}`), 'ann', 'right ann')).toBe('in')
    }
  })

  it('look the same for accounts that exist and for those that do not', async () => {
    const app = guardedApplication()
    const known = await guessEverywhere(app, 'ann', 6)
    const unknown = await guessEverywhere(app, 'nobody', 6)
    expect(unknown).toEqual(known)
  })
})

describe('a browser that signed in before', () => {
  async function knownTo(app: ReturnType<typeof guardedApplication>): Promise<Visitor> {
    const visitor = app.visitor()
    expect(await tryPassword(visitor, 'ann', 'right ann')).toBe('in')
    await visitor.post('/signout')
    return visitor
  }

  it('gets in while strangers guess', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    await guessEverywhere(app, 'ann', 200)
    expect(await tryPassword(own, 'ann', 'right ann')).toBe('in')
  })

  it('gets in while somebody guesses from the same network', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    for (let index = 0; index < 40; index++) {
      await guessFrom(app, '192.0.2.1', `somebody ${index}`)
    }
    expect(await tryPassword(app.visitor(), 'ben', 'right ben')).toEqual(expect.any(Number))
    expect(await tryPassword(own, 'ann', 'right ann')).toBe('in')
  })

  it('has no more guesses than others have', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tryPassword(own, 'ann', 'wrong')),
    )
    expect(answers.filter(answer => answer === 'refused')).toHaveLength(5)
  })

  it('has none of its own for the accounts of others', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    await guessEverywhere(app, 'ben', 5)
    expect(await tryPassword(own, 'ben', 'wrong')).toBe(180)
  })

  it('is told by a cookie that is sealed, and says nobody’s name', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    const name = '__Host-siteauth.known'
    expect(own.cookies.get(name)).toMatch(/^eyJ/)
    const forged = app.visitor()
    forged.cookies.set(name, `${own.cookies.get(name)}x`)
    await guessEverywhere(app, 'ann', 5)
    expect(await tryPassword(forged, 'ann', 'right ann')).toBe(180)
  })

  it('has no guesses of its own at what is nobody’s, such as a voucher', async () => {
    const voucher = Credentials({
      id: 'voucher',
      name: 'Voucher',
      credentials: { voucher: {} },
      authorize: () => null,
    })
    const password = Credentials({
      credentials: { username: {} },
      authorize: ({ username }) => ({ id: String(username) }),
    })
    const app = guardedApplication({ providers: [password, voucher] })
    const statuses: number[] = []
    for (let browser = 0; browser < 8; browser++) {
      const visitor = app.visitor()
      await tryPassword(visitor, `mallory ${browser}`, '')
      for (let guess = 0; guess < 5; guess++) {
        statuses.push((await visitor.post('/callback/voucher', { voucher: 'x' })).status)
      }
    }
    expect(statuses.filter(status => status === 302)).toHaveLength(25)
  })

  it('is not known where it is to forget who was there', async () => {
    const app = guardedApplication()
    const visitor = app.visitor()
    const fields = { username: 'ann', password: 'right ann', remember: 'false' }
    await visitor.post('/callback/credentials', fields)
    expect(await visitor.session()).not.toBeNull()
    expect(visitor.cookies.has('__Host-siteauth.known')).toBe(false)
  })

  it('is known for thirty days', async () => {
    const app = guardedApplication()
    const own = await knownTo(app)
    app.clock.now += 31 * 24 * 60 * MINUTE
    await guessEverywhere(app, 'ann', 5)
    expect(await tryPassword(own, 'ann', 'right ann')).toBe(180)
  })
})

describe('guesses from one network', () => {
  it('are thirty at once, whichever the account', async () => {
    const app = guardedApplication()
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => guessFrom(app, '192.0.2.1', `somebody ${index}`)),
    )
    expect(answers.filter(answer => answer === 'refused')).toHaveLength(30)
  })

  it('are counted for all addresses of a household', async () => {
    const app = guardedApplication()
    const answers: unknown[] = []
    for (let index = 0; index < 40; index++) {
      const address = `2001:db8::${index.toString(16)}`
      answers.push(await guessFrom(app, address, `somebody ${index}`))
    }
    expect(answers.filter(answer => answer === 'refused')).toHaveLength(30)
  })

  it('use up nothing of an account once there are too many', async () => {
    const app = guardedApplication()
    for (let index = 0; index < 30; index++) {
      await guessFrom(app, '192.0.2.1', `somebody ${index}`)
    }
    for (let index = 0; index < 20; index++) await guessFrom(app, '192.0.2.1', 'ann')
    expect(await tryPassword(app.visitor('192.0.2.9'), 'ann', 'right ann')).toBe('in')
  })

  it('are not counted together where nobody knows the network, which is said once', async () => {
    const app = guardedApplication()
    for (let index = 0; index < 40; index++) {
      expect(await guessFrom(app, '', `somebody ${index}`)).toBe('refused')
    }
    expect(app.warnings.filter(code => code === 'unknown-client-address')).toHaveLength(1)
  })
})
