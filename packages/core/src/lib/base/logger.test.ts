import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { SECRET, Visitor } from '../../../test/visitor.ts'
import { createAuth } from '../api/create-auth.ts'
import { AdapterError, AuthError, CredentialsSignin, SessionTokenError } from './errors.ts'
import { createLogger, type WarningCode } from './logger.ts'

let printed: string[]
let spies: Record<'error' | 'warn' | 'log', MockInstance>

beforeEach(() => {
  printed = []
  const print = (...pieces: unknown[]) => void printed.push(pieces.map(String).join(' '))
  spies = {
    error: vi.spyOn(console, 'error').mockImplementation(print),
    warn: vi.spyOn(console, 'warn').mockImplementation(print),
    log: vi.spyOn(console, 'log').mockImplementation(print),
  }
})

// What starts a new line, or moves the cursor, of whoever reads the log. Line feeds are looked at apart.
const controls = '\u0000\u0007\u0008\t\u000b\r\u001b[2J\u007f\u0085\u009b31m'

describe('the console', () => {
  it('shows the type of an error, its message, and where it was made', () => {
    createLogger({}).error(new AdapterError('The adapter failed.'))
    expect(printed[0]).toMatch(/^\[auth\]\[error\] AdapterError: The adapter failed\. Read more: /)
    expect(printed[1]).toMatch(/^ {4}at .*logger\.test\.ts/)
    expect(spies.error).toHaveBeenCalledTimes(2)
  })

  it('shows one line for what is no fault of the server', () => {
    createLogger({}).error(new CredentialsSignin('authorize returned no user.'))
    expect(printed).toHaveLength(1)
    expect(printed[0]).toMatch(
      /^\[auth\]\[error\] CredentialsSignin: authorize returned no user\. /,
    )
  })

  it('says where an error is explained', () => {
    createLogger({}).error(new AdapterError('The adapter failed.'))
    expect(printed[0]).toMatch(/ Read more: node_modules\/@siteauth\/core\/\S+#adaptererror$/)
  })

  it('shows what lies behind an error, down to its root, and the facts', () => {
    const root = new Error('connection refused')
    const adapter = new AdapterError('getUser failed.', { cause: root })
    const error = new SessionTokenError('Not read.', { cause: { err: adapter, provider: 'p' } })
    createLogger({}).error(error)
    const output = printed.join('\n')
    expect(printed[0]).toMatch(/^\[auth\]\[error\] SessionTokenError: Not read\. /)
    expect(output).toContain('[auth][cause]: AdapterError: getUser failed.\n    at ')
    expect(output).toContain('[auth][cause]: Error: connection refused\n    at ')
    expect(printed.at(-1)).toBe('[auth][details]: {\n  "provider": "p"\n}')
  })

  it('shows the cause of an error that is not ours', () => {
    const error = new TypeError('outer', { cause: new Error('inner') })
    createLogger({}).error(error)
    expect(printed[0]).toBe('[auth][error] TypeError: outer')
    expect(printed.join()).toContain('[auth][cause]: Error: inner')
  })

  it('survives causes that go round in a circle, and causes of any kind', () => {
    const error = new AuthError('round')
    error.cause = { err: error }
    createLogger({}).error(error)
    expect(printed.length).toBeLessThan(20)
    for (const cause of ['text', 7, null, Symbol('x'), [], () => {}]) {
      createLogger({}).error(new Error('x', { cause }))
    }
    expect(printed.filter(line => line.startsWith('[auth][error] Error: x'))).toHaveLength(6)
  })

  it('shows a warning by its code, with what to do about it', async () => {
    const codes: readonly WarningCode[] = [
      'debug-enabled',
      'csrf-disabled',
      'env-url-basepath-redundant',
      'env-url-basepath-mismatch',
      'experimental-webauthn',
      'generated-secret',
      'short-secret',
      'missing-client-id',
      'mount-basepath-mismatch',
      'repeated-provider-id',
    ]
    for (const code of codes) createLogger({}).warn(code)
    await vi.waitFor(() => expect(spies.warn).toHaveBeenCalledTimes(codes.length))
    for (const [index, code] of codes.entries()) {
      expect(printed[index]?.startsWith(`[auth][warn][${code}] `)).toBe(true)
      expect(printed[index]?.length).toBeGreaterThan(code.length + 30)
      expect(printed[index]?.endsWith(`/errors.md#${code}`)).toBe(true)
    }
  })

  it('shows what a warning is about, on one line', async () => {
    createLogger({}).warn('missing-client-id', '"a\nb" is missing AUTH_A_B_ID.')
    await vi.waitFor(() => expect(printed[0]).toContain(' "a b" is missing AUTH_A_B_ID. Read more'))
  })

  it('shows details only where they are asked for', () => {
    createLogger({}).debug('silent', { a: 1 })
    createLogger({ debug: true }).debug('loud', { a: 1 })
    createLogger({ debug: true }).debug('alone')
    expect(printed).toEqual(['[auth][debug]: loud {\n  "a": 1\n}', '[auth][debug]: alone'])
    expect(spies.log).toHaveBeenCalledTimes(2)
  })

  it('survives metadata that JSON cannot write', () => {
    const circular: Record<string, unknown> = { big: 10n, error: new Error('why'), none: undefined }
    circular['self'] = circular
    circular['list'] = [circular]
    createLogger({ debug: true }).debug('circular', circular)
    expect(printed[0]).toContain('"self": "[seen above]"')
    expect(printed[0]).toContain('"big": "10"')
    expect(printed[0]).toContain('"error": "Error: why"')
    createLogger({ debug: true }).debug('a function', () => {})
    createLogger({ debug: true }).error(new AuthError('x', { cause: circular }))
  })

  it('survives metadata that throws when it is looked at', () => {
    const hostile = {
      get secret(): never {
        throw new Error('do not look')
      },
    }
    expect(() => createLogger({ debug: true }).debug('hostile', hostile)).not.toThrow()
  })

  it('lets no control character through, wherever it stands', () => {
    const inner = new Error(`inner${controls}x`)
    inner.name = `Name${controls}`
    const error = new AuthError(`outer${controls}x`, {
      err: inner,
      [`key${controls}`]: `value${controls}`,
    })
    const logger = createLogger({ debug: true })
    logger.error(error)
    logger.error(new Error(`native${controls}`))
    logger.debug(`debug${controls}`, { [`key${controls}`]: controls })
    expect(printed.length).toBeGreaterThan(4)
    for (const line of printed) {
      const found = [...line].filter(each => controls.includes(each) && !/[[2J31m]/.test(each))
      expect(found).toEqual([])
    }
  })

  it('lets no message start a line of its own', () => {
    const forged = 'x\n[auth][error] Forged: nothing happened\n    at nowhere'
    const logger = createLogger({ debug: true })
    logger.error(new AuthError(forged))
    logger.error(new AuthError('outer', new Error(forged)))
    logger.error(new AuthError(new Error(forged), { reason: forged }))
    logger.error(new CredentialsSignin(forged))
    logger.debug(forged, { forged })
    const lines = printed.join('\n').split('\n')
    expect(lines.filter(line => line.startsWith('[auth][error] Forged'))).toEqual([])
    expect(lines.filter(line => line.trim() === 'at nowhere')).toEqual([])
  })
})

describe("an application's own logger", () => {
  it('gets everything as it is, and nothing is printed', () => {
    const own = { error: vi.fn(), warn: vi.fn(), debug: vi.fn() }
    const logger = createLogger({ logger: own })
    const error = new AuthError('x')
    const metadata = { a: 1 }
    logger.error(error)
    logger.warn('short-secret')
    logger.debug('message', metadata)
    expect(own.error).toHaveBeenCalledWith(error)
    expect(own.warn).toHaveBeenCalledWith('short-secret')
    expect(own.debug).toHaveBeenCalledWith('message', metadata)
    expect(printed).toEqual([])
  })

  it('replaces only the levels that it has', async () => {
    const own = { error: vi.fn() }
    const logger = createLogger({ logger: own })
    logger.error(new AuthError('x'))
    logger.warn('short-secret')
    expect(own.error).toHaveBeenCalledTimes(1)
    await vi.waitFor(() => expect(printed).toHaveLength(1))
  })

  it('decides by itself about details: the option debug is ignored', () => {
    createLogger({ logger: { error: () => {} }, debug: true }).debug('message')
    expect(printed).toEqual([])
    const debug = vi.fn()
    createLogger({ logger: { debug } }).debug('message')
    expect(debug).toHaveBeenCalledTimes(1)
  })

  it('keeps its own object', () => {
    class Collecting {
      readonly seen: string[] = []
      error(error: Error): void {
        this.seen.push(error.message)
      }
    }
    const own = new Collecting()
    createLogger({ logger: own as unknown as { error(error: Error): void } }).error(new Error('x'))
    expect(own.seen).toEqual(['x'])
  })

  it('that fails does no harm, and is reported', async () => {
    const throwing = createLogger({
      logger: {
        error: () => {
          throw new Error('disk full')
        },
      },
    })
    expect(() => throwing.error(new AuthError('x'))).not.toThrow()
    expect(printed[0]).toContain('disk full')
    const rejecting = { error: () => Promise.reject(new Error('network down')) }
    createLogger({ logger: rejecting }).error(new AuthError('x'))
    await vi.waitFor(() => expect(printed.join()).toContain('network down'))
  })
})

// LOG-TEST of the advisories: secrets never reach the log, with everything switched on.
describe('the log of a whole visit', () => {
  const PASSWORD = 'correct horse battery staple'
  const CLIENT_SECRET = 'the-secret-of-the-client'

  async function visit(authorize: () => never | { id: string; name: string }): Promise<string> {
    const auth = createAuth(
      {
        debug: true,
        secret: SECRET,
        providers: [
          {
            id: 'credentials',
            name: 'Password',
            type: 'credentials',
            credentials: { password: { type: 'password' } },
            authorize,
          },
          {
            id: 'oa',
            name: 'OA',
            type: 'oauth',
            clientId: 'client',
            clientSecret: CLIENT_SECRET,
            authorization: 'https://idp.example/authorize',
            token: 'https://idp.example/token',
            userinfo: 'https://idp.example/userinfo',
          },
        ],
        ports: { fetch: () => Promise.reject(new Error('no network in tests')) },
      },
      { env: { NODE_ENV: 'test' } },
    )
    const visitor = new Visitor(auth.handle)
    const secrets = [PASSWORD, CLIENT_SECRET, SECRET]
    const remember = () =>
      secrets.push(...[...visitor.cookies.values()].filter(each => each.length > 40))
    await visitor.post('/callback/credentials', { password: PASSWORD })
    remember()
    await visitor.session()
    await visitor.postJson('/session', { data: { card: '4111 1111 1111 1111' } })
    remember()
    const started = await visitor.post('/signin/oa')
    const state = new URL(started.headers.get('location') ?? 'https://x').searchParams.get('state')
    expect(state).toBeTruthy()
    remember()
    await visitor.get(`/callback/oa?code=the-one-time-code&state=${state}`)
    await visitor.get('/callback/oa?code=the-one-time-code&state=forged')
    await visitor.get('/session', { authorization: 'Bearer the-bearer-token' })
    for (const [name] of visitor.cookies) visitor.cookies.set(name, `${visitor.cookies.get(name)}x`)
    await visitor.session()
    await visitor.post('/signout', {})
    const output = printed.join('\n')
    for (const secret of [...secrets, 'the-one-time-code', 'the-bearer-token', '4111 1111']) {
      expect(output).not.toContain(secret)
      expect(output).not.toContain(decodeURIComponent(secret))
    }
    return output
  }

  it('holds no secret where all goes well', async () => {
    expect(await visit(() => ({ id: '1', name: 'Ann' }))).toContain('[auth][')
  })

  it('holds no secret where everything fails', async () => {
    const output = await visit(() => {
      throw new Error('the directory is down')
    })
    expect(output).toContain('the directory is down')
  })
})
