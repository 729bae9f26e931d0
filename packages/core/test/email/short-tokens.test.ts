import type { EmailConfig } from '@siteauth/core/providers'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { guardedApplication } from '../limits/guarded.ts'

function createSite(generateVerificationToken: () => string) {
  const links: URL[] = []
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    generateVerificationToken,
    sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
  }
  const app = guardedApplication({ adapter: MemoryAdapter(), providers: [mail] })
  const ask = async () => {
    const answer = await app.visitor().post('/signin/mail', { email: 'ann@example.com' })
    return answer.headers.get('location') ?? ''
  }
  return { ...app, links, ask }
}

const tokens = {
  'four digits': '4711',
  'six digits': '123456',
  'nineteen digits': '1234567890123456789',
  'eight letters': 'WDJBMJHT',
  'fifteen hexadecimal digits': 'abcdef012345678',
  nothing: '',
}

describe('a token of the application', () => {
  it.each(Object.entries(tokens))(
    'is rejected if it has %s, and nothing is sent',
    async (_, token) => {
      const { ask, links, errors } = createSite(() => token)
      expect(await ask()).toContain('error=Configuration')
      expect(links).toEqual([])
      expect(errors[0]?.message).toMatch(/generateVerificationToken of "mail" .* set `code: true`/s)
    },
  )

  it.each([
    ['32 bytes', 'f0'.repeat(32)],
    ['a UUID', '9b2c6c1e-3d1f-4a57-9d44-2f7a3c1b0e5d'],
    ['eleven characters of base64url', 'dGhpcy1pc18'],
    ['twenty digits', '12345678901234567890'],
  ])('is sent if it has %s, and signs in', async (_, token) => {
    const { ask, links, visitor } = createSite(() => token)
    expect(await ask()).toContain('/verify-request')
    const ann = visitor()
    await ann.post('/callback/mail', { token, email: 'ann@example.com' })
    expect(links).toHaveLength(1)
    expect(await ann.session()).toMatchObject({ user: { email: 'ann@example.com' } })
  })

  it('that is easier to guess than it looks is not guessed from many networks', async () => {
    // Four digits that are written as 20.
    const write = (number: number) => String(number).padStart(20, '0')
    const { ask, visitor, told } = createSite(() => write(9))
    await ask()
    const isIn: boolean[] = []
    for (let guess = 0; guess < 12; guess++) {
      const thief = visitor(`203.0.${guess}.7`)
      await thief.post('/callback/mail', { token: write(guess), email: 'ann@example.com' })
      isIn.push((await thief.session()) !== null)
    }
    expect(isIn).not.toContain(true)
    expect(told).toContainEqual(
      expect.objectContaining({ kind: 'code', by: 'account', provider: 'mail' }),
    )
  })

  it('that is right resets the count of its address', async () => {
    const right = 'own-token-of-the-application'
    const { ask, visitor, clock } = createSite(() => right)
    for (let round = 0; round < 3; round++) {
      await ask()
      const wrong = visitor('203.0.113.7')
      for (let guess = 0; guess < 4; guess++) {
        await wrong.post('/callback/mail', {
          token: `wrong-token-${guess}-of-the-application`,
          email: 'ann@example.com',
        })
      }
      const ann = visitor()
      await ann.post('/callback/mail', { token: right, email: 'ann@example.com' })
      expect(await ann.session()).not.toBeNull()
      clock.now += 31_000
    }
  })
})
