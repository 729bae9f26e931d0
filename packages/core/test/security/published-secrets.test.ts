import type { AuthConfig } from '@siteauth/core'
import { MissingSecret } from '@siteauth/core/errors'
import { decode, encode, getToken } from '@siteauth/core/jwt'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import { describe, expect, it } from 'vitest'
import { ORIGIN, SESSION_COOKIE } from '../spec/application.ts'
import { createTestAuth, SECRET } from '../visitor.ts'

const PRINTED = 'at-least-32-random-characters-of-your-own'
const AUTH_URL = ORIGIN

/** How an application answers to a request for the session, and what it logs. */
async function answerOf(config: Partial<AuthConfig>, env: Readonly<Record<string, string>> = {}) {
  const auth = createTestAuth(config, { AUTH_URL, ...env })
  const { status } = await auth.handle(new Request(`${ORIGIN}/auth/session`))
  const [error] = auth.errors
  return { status, message: error instanceof MissingSecret ? error.message : '' }
}

describe('A secret that the documentation printed', () => {
  it.each(['production', 'development', 'test', ''])(
    'is rejected with NODE_ENV=%s, and the error names the command that replaces it',
    async NODE_ENV => {
      const env = { NODE_ENV, AUTH_SECRET: PRINTED }
      const { status, message } = await answerOf({ secret: '' }, env)
      expect(status).toBe(500)
      expect(message).toContain('npx siteauth secret')
    },
  )

  it.each<[string, Partial<AuthConfig>]>([
    ['the only secret', { secret: PRINTED }],
    ['the oldest secret of several', { secret: [SECRET, PRINTED] }],
    ['a secret of tokens alone', { jwt: { secret: PRINTED } }],
    ['a secret in quotes, as Docker passes them on', { secret: `"${PRINTED}"` }],
    ['a secret in capitals', { secret: PRINTED.toUpperCase() }],
    [
      'the secret that the example for Next had',
      { secret: 'a-secret-for-development-only-0123456789' },
    ],
    [
      'the secret of mailed links',
      {
        providers: [Nodemailer({ server: 'smtp://localhost', from: 'a@b.test', secret: PRINTED })],
      },
    ],
  ])('is rejected as %s', async (_, config) => {
    const { status, message } = await answerOf(config)
    expect(status).toBe(500)
    expect(message).toContain('npx siteauth secret')
  })

  it('opens no session that was forged with it', async () => {
    const request = new Request(ORIGIN, { headers: { cookie: `${SESSION_COOKIE}=x` } })
    const auth = createTestAuth({ secret: PRINTED }, { AUTH_URL })
    await expect(auth.getSession(request)).rejects.toBeInstanceOf(MissingSecret)
  })

  it('is rejected by the functions that take a secret of their own', async () => {
    const salt = SESSION_COOKIE
    const headers = { authorization: 'Bearer x' }
    const rejected = [
      encode({ token: { sub: '1' }, secret: PRINTED, salt }),
      decode({ token: 'x', secret: [SECRET, PRINTED], salt }),
      getToken({ req: new Request(ORIGIN, { headers }), secret: PRINTED }),
    ]
    for (const each of rejected) await expect(each).rejects.toThrow('npx siteauth secret')
  })
})
