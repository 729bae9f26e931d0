import { TooManyAttempts } from '@siteauth/core/errors'
import { bridgeLimiter } from '@siteauth/core/limits'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { guardedApplication, tryPassword } from './guarded.ts'

const WRONG = { username: 'ann', password: 'wrong' }

async function exhausted(config: Parameters<typeof guardedApplication>[0] = {}) {
  const app = guardedApplication(config)
  for (let guess = 0; guess < 5; guess++) await tryPassword(app.visitor(), 'ann', 'wrong')
  return { ...app, visitor: app.visitor() }
}

const asBrowser = (visitor: Visitor) =>
  visitor.post('/callback/credentials', WRONG, { accept: 'text/html', 'accept-language': 'de' })

describe('who tries too often', () => {
  it('sees the sign-in page, which says when to try again, with the name that was typed', async () => {
    const { visitor } = await exhausted()
    const response = await asBrowser(visitor)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('180')
    const page = await response.text()
    expect(page).toContain(
      'Zu viele Versuche. Versuchen Sie es <bdi>in 3 Minuten</bdi> noch einmal.',
    )
    expect(page).toContain('value="ann"')
    expect(page).not.toContain('wrong')
  })

  it('goes to the page of the application, where it has one', async () => {
    const { visitor } = await exhausted({ pages: { signIn: '/login' } })
    const response = await asBrowser(visitor)
    expect(response.status).toBe(302)
    const to = new URL(response.headers.get('location') ?? '')
    expect(to.pathname).toBe('/login')
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error: 'TooManyAttempts',
      code: '180',
    })
  })

  it('is told by a status as a script, with the URL that scripts expect', async () => {
    const { visitor } = await exhausted()
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await visitor.post('/callback/credentials', WRONG, headers)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('180')
    const { url } = (await response.json()) as { url: string }
    expect(new URL(url).searchParams.get('error')).toBe('TooManyAttempts')
  })

  it('is told by a status as a program', async () => {
    const { visitor } = await exhausted()
    const response = await visitor.post('/callback/credentials', WRONG)
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({ error: 'TooManyAttempts', retryAfter: 180 })
  })

  it('is told by an error at the function door', async () => {
    const { signIn } = await exhausted()
    const request = new Request('https://app.example.com/login', {
      headers: { 'x-test-address': '192.0.2.1' },
    })
    const failure = await signIn(request, 'credentials', WRONG).catch(error => error)
    expect(failure).toBeInstanceOf(TooManyAttempts)
    expect(failure).toMatchObject({ type: 'TooManyAttempts', retryAfter: 180 })
  })

  it('is told to the application, and not to the log, which would fill', async () => {
    const { visitor, told, errors } = await exhausted()
    const before = errors.length
    await asBrowser(visitor)
    expect(errors).toHaveLength(before)
    expect(told).toEqual([
      { kind: 'credentials', provider: 'credentials', by: 'account', retryAfter: 180 },
    ])
  })

  it('cannot have the page say anything', async () => {
    const app = guardedApplication()
    const text = encodeURIComponent('<b>1</b>')
    const page = await app.visitor().get(`/signin?error=TooManyAttempts&code=${text}`)
    expect(await page.text()).toContain('Try again <bdi>in 1 minute</bdi>.')
  })
})

describe('limits', () => {
  it.each([
    ['production', undefined, true],
    ['production', false, false],
    ['development', undefined, false],
    ['development', true, true],
  ])('in %s, told %j: %s', async (NODE_ENV, limits, isLimited) => {
    const app = guardedApplication({ limits }, { NODE_ENV })
    const visitor = app.visitor()
    for (let guess = 0; guess < 10; guess++) await tryPassword(visitor, 'ann', 'wrong')
    expect(app.guesses).toHaveLength(isLimited ? 5 : 10)
    await tryPassword(visitor, 'ben', 'right ben')
    expect(visitor.cookies.has('__Host-siteauth.known')).toBe(isLimited)
  })

  it('can have other rules, or none', async () => {
    const rules = {
      credentials: { account: [{ burst: 2, refillSeconds: 60 }] },
      email: false,
    } as const
    const app = guardedApplication({ limits: { rules } })
    for (let guess = 0; guess < 10; guess++) await tryPassword(app.visitor(), 'ann', 'wrong')
    expect(app.guesses).toHaveLength(2)
  })

  it.each([
    [{ limits: 5 as never }, 'limits must be true, false'],
    [{ limits: { limiter: {} as never } }, 'take and forget'],
    [{ limits: { rules: { pasword: false } as never } }, 'limits.rules.pasword limits nothing'],
    [
      { limits: { rules: { code: { network: { burst: 0, refillSeconds: 1 } } } } },
      'a burst of 1 or more',
    ],
    [
      { limits: { rules: { code: { account: [{ burst: 1, refillSeconds: 0 }] } } } },
      'greater than 0',
    ],
    [{ clientAddress: { trustedProxies: -1 } }, 'clientAddress must be'],
    [{ clientAddress: 'x-forwarded-for' as never }, 'clientAddress must be'],
  ])('are checked when the application starts: %j', async (config, message) => {
    const app = guardedApplication(config)
    expect((await app.visitor().get('/csrf')).status).toBe(500)
    expect(app.errors.map(error => error.message).join()).toContain(message)
  })

  it('of emails are one in half a minute and five in an hour to one address', async () => {
    const sent: string[] = []
    const app = guardedApplication({
      adapter: MemoryAdapter(),
      providers: [
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: ({ identifier }) => void sent.push(identifier),
        },
      ],
    })
    const ask = async (email: string) =>
      (await app.visitor().post('/signin/mail', { email })).headers.get('retry-after')
    expect(await ask('ann@example.com')).toBeNull()
    expect(await ask('ANN@example.com')).toBe('30')
    expect(await ask('ben@example.com')).toBeNull()
    for (let mail = 0; mail < 4; mail++) {
      app.clock.now += 30_000
      expect(await ask('ann@example.com')).toBeNull()
    }
    app.clock.now += 30_000
    expect(await ask('ann@example.com')).toBe(String(12 * 60 - 150))
    expect(sent.filter(address => address === 'ann@example.com')).toHaveLength(5)
  })

  it('hold by the memory of the process where the store is down, which is said', async () => {
    const adapter = MemoryAdapter()
    let isDown = true
    const app = guardedApplication({
      adapter,
      session: { strategy: 'jwt' },
      limits: {
        limiter: {
          take(...attempt) {
            if (isDown) throw new Error('the store is down')
            return adapter.limiter.take(...attempt)
          },
          forget: key => adapter.limiter.forget(key),
        },
      },
    })
    for (let guess = 0; guess < 20; guess++) {
      await tryPassword(app.visitor(`198.51.100.${guess}`), 'ann', 'wrong')
    }
    expect(app.guesses).toHaveLength(5)
    expect(app.errors.filter(error => error.message.includes('could not be counted'))).toHaveLength(
      1,
    )
    isDown = false
    app.clock.now += 5000
    expect(await tryPassword(app.visitor(), 'ann', 'wrong')).toBe('refused')
  })

  it('can be counted by rate-limiter-flexible', async () => {
    const windows: object[] = []
    const counts = new Map<string, number>()
    const app = guardedApplication({
      limits: {
        limiter: bridgeLimiter(window => {
          windows.push(window)
          return {
            async consume(key) {
              const count = (counts.get(key) ?? 0) + 1
              counts.set(key, count)
              // As it does: with an object that is no error.
              if (count > window.points) throw { msBeforeNext: 61_000, remainingPoints: 0 }
            },
            async delete(key) {
              return counts.delete(key)
            },
          }
        }),
      },
    })
    for (let guess = 0; guess < 5; guess++) await tryPassword(app.visitor(), 'ann', 'wrong')
    expect(await tryPassword(app.visitor(), 'ann', 'wrong')).toBe(61)
    expect(windows).toEqual([
      { points: 30, duration: 60 },
      { points: 5, duration: 900 },
    ])
    expect(await tryPassword(app.visitor(), 'ben', 'right ben')).toBe('in')
    expect([...counts.values()].sort()).toEqual([6, 7])
  })
})
