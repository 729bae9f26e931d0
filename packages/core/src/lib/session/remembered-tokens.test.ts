import { describe, expect, it } from 'vitest'
import { readWithoutRenewal } from '../../../test/visitor.ts'
import { createAuth } from '../api/create-auth.ts'
import type { JWT } from '../base/session.ts'
import type { AuthConfig } from '../config/options.ts'
import { createSealer } from '../crypto/jwe.ts'
import { primitives } from '../crypto/node.ts'
import { encode } from './jwt/jwt.ts'
import { createJwtReader } from './jwt/jwt-reader.ts'
import type { TokenFacts } from './jwt/jwt-session.ts'
import { createTokenMemory } from './jwt/token-cache.ts'

const secret = 'a secret of at least 32 characters!!'
const salt = 'authjs.session-token'

/** An application, a visitor of it who comes again and again, and the clock of both. */
async function setUp(config: Partial<AuthConfig>, claims: JWT = { sub: '1', name: 'Ann' }) {
  let now = Date.now()
  const ports = { now: () => now }
  const auth = createAuth(
    { secret, trustHost: true, providers: [], ports, ...config },
    { env: { NODE_ENV: 'test' } },
  )
  const token = await encode({ token: claims, secret, salt, maxAge: 3600 })
  return {
    token,
    read: (sent = token) => readWithoutRenewal(auth, { headers: { cookie: `${salt}=${sent}` } }),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('a token that comes again', () => {
  it('is the same person as before', async () => {
    const { read } = await setUp({})
    const first = await read()
    expect(first).toMatchObject({ user: { name: 'Ann' } })
    expect(await read()).toEqual(first)
  })

  it('has expired when its time has come', async () => {
    const { read, pass } = await setUp({})
    expect(await read()).not.toBeNull()
    pass(2 * 3600 * 1000)
    expect(await read()).toBeNull()
  })

  it('is nobody when one character of it is another', async () => {
    const { read, token } = await setUp({ logger: { error: () => {} } })
    expect(await read()).not.toBeNull()
    const end = token.at(-5) === 'A' ? 'B' : 'A'
    expect(await read(`${token.slice(0, -5)}${end}${token.slice(-4)}`)).toBeNull()
  })

  it('does not show what an earlier request did to its session', async () => {
    const { read } = await setUp({})
    const session = await read()
    if (session?.user) session.user.name = 'Mallory'
    expect(await read()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('does not show what an earlier request did to its claims', async () => {
    const seen: unknown[] = []
    const { read } = await setUp(
      {
        callbacks: {
          session({ session, token }) {
            const roles = token['roles'] as string[]
            seen.push([...roles])
            roles.push('admin')
            return session
          },
        },
      },
      { sub: '1', roles: ['reader'] },
    )
    await read()
    await read()
    await read()
    expect(seen).toEqual([['reader'], ['reader'], ['reader']])
  })

  it('does not share what the application put where a name should be', async () => {
    const { read } = await setUp({}, { name: { first: 'Ann' } as never })
    const session = await read()
    Object.assign(session?.user?.name as unknown as object, { first: 'Mallory' })
    expect(await read()).toMatchObject({ user: { name: { first: 'Ann' } } })
  })

  it("is read by the application's own decode each time", async () => {
    let asked = 0
    const decode = () => {
      asked++
      return { sub: '1', name: 'Ann', iat: Math.floor(Date.now() / 1000) }
    }
    const { read } = await setUp({ jwt: { decode } })
    await read()
    await read()
    expect(asked).toBe(2)
  })
})

describe('opening', () => {
  async function countingReader(memory: ReturnType<typeof createTokenMemory<TokenFacts>> | null) {
    let opened = 0
    const sealer = createSealer(primitives, [secret], salt)
    const reader = createJwtReader({
      lifetime: { maxAge: 3600, updateAge: 1800 },
      jwt: undefined,
      codec: {
        open: token => {
          opened++
          return sealer.open(token, Date.now())
        },
        seal: claims => sealer.seal(claims, 3600, Date.now()),
      },
      isWatched: false,
      expose: undefined,
      revocations: null,
      openTracker: null,
      isRevocationOff: false,
      memory,
      report: () => {},
      now: Date.now,
    })
    const token = await sealer.seal({ sub: '1' }, 3600, Date.now())
    await reader.read(token, { canRenew: false })
    await reader.read(token, { canRenew: false })
    return opened
  }

  it('happens once where tokens are remembered', async () => {
    expect(await countingReader(createTokenMemory(100_000))).toBe(1)
  })

  it('happens each time where they are not', async () => {
    expect(await countingReader(null)).toBe(2)
  })
})
