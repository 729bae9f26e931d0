import { inspect } from 'node:util'
import { Auth, type AuthConfig, createAuth, raw } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ANN,
  CALLBACK_COOKIE,
  CSRF_COOKIE,
  configFor,
  ORIGIN,
  PASSWORD,
  passwords,
  SESSION_COOKIE,
  STRATEGIES,
} from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { recordingLogger, Visitor } from '../visitor.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const SECRET = 'the secret that must never be seen in a log'
const WRONG = 'the wrong password of somebody'
const BEARER = 'the-token-of-somebody-who-calls-an-api'
const RETURN = '/inbox/of/ann'

/** Everything that was written, by console or logger. */
let written: string[] = []

beforeEach(() => {
  written = []
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      written.push(words.map(each => (typeof each === 'string' ? each : inspect(each))).join(' '))
    })
  }
})
afterEach(() => vi.restoreAllMocks())

/** Walks through an application and answers the secrets that came up. */
async function walkThrough(config: Partial<AuthConfig>): Promise<string[]> {
  const auth = createAuth(
    { providers: [passwords()], secret: SECRET, debug: true, ...config },
    { env: { NODE_ENV: 'test' } },
  )
  const secrets = new Set([SECRET, PASSWORD, WRONG, BEARER])
  const visitor = new Visitor(auth.handle)
  function remember(): void {
    for (const name of [SESSION_COOKIE, CSRF_COOKIE]) {
      const value = visitor.cookies.get(name)
      if (value) secrets.add(value).add(decodeURIComponent(value))
    }
  }
  const form = { username: ANN.name, callbackUrl: RETURN }
  const headers = { authorization: `Bearer ${BEARER}` }

  secrets.add(await visitor.csrfToken())
  for (const path of ['/signin', '/signout', '/error', '/providers', '/session', '/nothing']) {
    await visitor.get(path, headers)
  }
  await visitor.post('/callback/credentials', { ...form, password: WRONG }, headers)
  await visitor.post('/callback/credentials', { ...form, password: PASSWORD }, headers)
  remember()
  await visitor.get('/session', headers)
  await visitor.postJson('/session', { data: { password: PASSWORD } })
  remember()
  await auth.getSession({ headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }).catch(() => 0)

  // Forms that are refused: another site's, without a token, malformed, too large.
  await visitor.post('/signout', { password: PASSWORD }, { origin: 'https://evil.example' })
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', `password=${PASSWORD}`],
    ['application/json', `{"password":"${PASSWORD}"`],
    ['application/json', `password=${PASSWORD}`],
    ['application/json', `"${PASSWORD}"`],
    ['application/json', `{"password":"${PASSWORD}","x":"${'x'.repeat(300_000)}"}`],
    ['multipart/form-data', `password=${PASSWORD}`],
  ] as const) {
    const init = { method: 'POST', body, headers: { 'content-type': type, ...headers } }
    await visitor.send('/callback/credentials', init)
  }
  await visitor.post('/callback/unknown', { password: PASSWORD }, headers)

  // Sessions that cannot be opened.
  const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
  for (const broken of [
    token.slice(1),
    `${token.slice(0, -4)}AAAA`,
    `${token}.x`,
    token.slice(9),
  ]) {
    secrets.add(broken)
    await visitor.get('/session', { cookie: `${SESSION_COOKIE}=${broken}`, ...headers })
  }
  await visitor.post('/signout', {}, headers)
  await visitor.get('/session', { cookie: `${SESSION_COOKIE}=${token}` })
  secrets.delete('')
  return [...secrets]
}

function expectNone(secrets: readonly string[]): void {
  const all = written.join('\n')
  expect(all).not.toBe('')
  for (const secret of secrets) expect(all).not.toContain(secret)
  expect(all).not.toContain(RETURN)
  expect(all).not.toMatch(new RegExp(`${CALLBACK_COOKIE}=|${SESSION_COOKIE}=|${CSRF_COOKIE}=`))
}

/** A logger of the application that writes everything it is told, to any depth. */
function thorough(): AuthConfig['logger'] {
  function write(...words: unknown[]): void {
    written.push(inspect(words, { depth: 20, maxStringLength: null, showHidden: true }))
  }
  return { error: write, warn: write, debug: write }
}

describe.each(STRATEGIES)('With %s sessions and debug on', strategy => {
  it('the console never sees a secret, a password, a token or a cookie', async () => {
    expectNone(await walkThrough(configFor(strategy)))
  })

  it('neither does a logger of the application, to any depth', async () => {
    expectNone(await walkThrough({ ...configFor(strategy), logger: thorough() }))
  })

  it('nor when the application fails at every turn', async () => {
    function broken(): never {
      throw new Error('out of order')
    }
    let reads = 0
    const failing: Partial<AuthConfig>[] = [
      { callbacks: { signIn: broken } },
      { callbacks: { jwt: broken } },
      { callbacks: { jwt: ({ token }) => (reads++ > 0 ? broken() : token) } },
      { callbacks: { session: broken } },
      { callbacks: { redirect: broken } },
      { events: { signIn: broken, session: broken, signOut: broken } },
      { providers: [Credentials({ authorize: broken })] },
      { jwt: { encode: broken } },
      { jwt: { decode: broken } },
    ]
    for (const config of failing) {
      reads = 0
      for (const logger of [undefined, thorough()]) {
        const all = { ...configFor(strategy), ...config, ...(logger && { logger }) }
        expectNone(await walkThrough(all))
      }
    }
  })
})

describe('With a store that fails', () => {
  it.each(['createSession', 'getSessionAndUser', 'deleteSession', 'updateSession'] as const)(
    'at %s, what it was asked for is not logged',
    async name => {
      const { adapter } = memoryAdapter([ANN])
      const broken = { ...adapter, [name]: () => Promise.reject(new Error('connection lost')) }
      const session = { updateAge: 0 }
      expectNone(await walkThrough({ adapter: broken, session }))
      expectNone(await walkThrough({ adapter: broken, session, logger: thorough() }))
    },
  )
})

describe('A failure that is thrown to the caller', () => {
  it.each([
    ['application/json', `password=${PASSWORD}`],
    ['application/json', `{"password":"${PASSWORD}"`],
    ['application/json', `"${PASSWORD}"`],
    ['application/json', PASSWORD],
    ['application/x-www-form-urlencoded', `password=${PASSWORD}`],
  ])('does not carry what was sent: %s %s', async (type, body) => {
    const { logger } = recordingLogger()
    const headers = { 'content-type': type, cookie: `${SESSION_COOKIE}=${BEARER}` }
    const request = new Request(`${ORIGIN}/auth/signout`, { method: 'POST', body, headers })
    const config = { providers: [], secret: SECRET, trustHost: true, logger, raw } as const
    const failure: unknown = await Auth(request, { ...config, providers: [] }).catch(error => error)
    expect(failure).toBeInstanceOf(Error)
    const text = inspect(failure, { depth: 20, showHidden: true })
    for (const secret of [PASSWORD, PASSWORD.slice(0, 7), SECRET, BEARER]) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('What visitors send', () => {
  it('cannot forge lines of the log, nor move the cursor of who reads it', async () => {
    const auth = createAuth(
      { providers: [passwords()], secret: SECRET, debug: true, trustHost: ['app.example.com'] },
      { env: { NODE_ENV: 'test' } },
    )
    const evil = '\u001b[2J\u0007x'
    const visitor = new Visitor(auth.handle)
    const forged = encodeURIComponent(`\r\n[auth][error] forged${evil}`)
    await visitor.get(`/callback/${forged}`)
    await visitor.get(`/${forged}`)
    await visitor.get('/session', { host: `evil${evil}`, 'x-forwarded-host': evil })
    await visitor.post('/signout', {}, { origin: `https://evil.example${evil}` })
    await visitor.get('/session', { cookie: `${SESSION_COOKIE}=${forged}` })
    await visitor.send(`/callback/${forged}`, { method: 'POST' })
    expect(written.length).toBeGreaterThan(3)
    for (const line of written) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
      expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      for (const part of line.split('\n')) expect(part).not.toMatch(/^\[auth\]\[error\] forged/)
    }
  })
})
