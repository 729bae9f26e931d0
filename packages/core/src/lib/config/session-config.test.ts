import { describe, expect, it } from 'vitest'
import {
  createTestAuth,
  readWithoutRenewal,
  recordingLogger,
  SECRET,
} from '../../../test/visitor.ts'
import { createAuth } from '../api/create-auth.ts'
import { encode } from '../session/jwt/jwt.ts'
import type { AuthConfig } from './options.ts'

const COOKIE = '__Secure-authjs.session-token'
const token = await encode({ token: { name: 'Ann' }, secret: SECRET, salt: COOKIE })

const request = () =>
  new Request('https://app.example.com/auth/session', { headers: { cookie: `${COOKIE}=${token}` } })

/** What came of a call: `answered`, or the name of the fault. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return (error as { type?: string }).type ?? String(error)
  }
}

/** The same of `GET session`, which tells the log and not the visitor. */
async function endpointOutcome(config: object, env: Record<string, string>): Promise<string> {
  const auth = createTestAuth(config, env)
  const { status } = await auth.handle(request())
  if (status === 200) return 'answered'
  return (auth.errors[0] as { type?: string } | undefined)?.type ?? `status ${status}`
}

/** What each way to a session says of a configuration. Each has an application of its own. */
async function outcomes(config: object, env: Record<string, string> = {}) {
  return {
    getSession: await outcome(createTestAuth(config, env).getSession(request())),
    withoutRenewal: await outcome(readWithoutRenewal(createTestAuth(config, env), request())),
    endpoint: await endpointOutcome(config, env),
  }
}

const allSay = (what: string) => ({ getSession: what, withoutRenewal: what, endpoint: what })

const odd = [null, '', '3600', 'soon', 0, -1, Number.NaN, Number.POSITIVE_INFINITY, true, {}, [], 7]
const faultyNumber = odd.filter(each => each !== 7)
const faultyAge = faultyNumber.map(each => [each])
const faultySize = faultyNumber.filter(each => each !== 0 && each !== Infinity).map(each => [each])

describe('a fault that touches sessions is the same wherever a session is read', () => {
  it.each(faultyAge)('session.maxAge: %j', async maxAge => {
    expect(await outcomes({ session: { maxAge } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each(faultyAge)('session.absoluteAge: %j', async absoluteAge => {
    expect(await outcomes({ session: { absoluteAge } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each(faultyAge)('jwt.maxAge: %j', async maxAge => {
    expect(await outcomes({ jwt: { maxAge } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each(faultySize)('session.updateAge: %j', async updateAge => {
    expect(await outcomes({ session: { updateAge } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each(faultySize)('jwt.cacheBytes: %j', async cacheBytes => {
    expect(await outcomes({ jwt: { cacheBytes } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each([['cookie'], ['JWT'], [''], [7], [true]])('session.strategy: %j', async strategy => {
    expect(await outcomes({ session: { strategy } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each([[''], [null], [7], [true], [['a']]])('session.audience: %j', async audience => {
    expect(await outcomes({ session: { audience } })).toEqual(allSay('InvalidConfiguration'))
  })

  it.each([['id'], [null], [{}], [['']], [[7]], [['id', null]], [['toString']]])(
    'session.expose: %j',
    async expose => {
      expect(await outcomes({ session: { expose } })).toEqual(allSay('InvalidConfiguration'))
    },
  )

  it.each([[null], [true], ['all'], [{ check: 'now' }], [{ pollSeconds: '10' }], [{ log: {} }]])(
    'session.revocation: %j',
    async revocation => {
      expect(await outcomes({ session: { revocation } })).toEqual(allSay('InvalidConfiguration'))
    },
  )

  it.each([[undefined], [null], [''], [[]], [['']], [[SECRET, '']], [[SECRET, null]], [7], [[7]]])(
    'secret: %j',
    async secret => {
      expect(await outcomes({ secret })).toEqual(allSay('MissingSecret'))
    },
  )

  it.each([[['']], [[SECRET, '']], [[null]], [[7]], [7], [{}]])('jwt.secret: %j', async secret => {
    expect(await outcomes({ jwt: { secret } })).toEqual(allSay('MissingSecret'))
  })

  it.each([[false], [[]], ['app.example.com'], ['yes'], [7], [{}], [''], [[7]], [[null]]])(
    'trustHost: %j',
    async trustHost => {
      expect(await outcomes({ trustHost })).toEqual(allSay('UntrustedHost'))
    },
  )

  it.each([
    ['InvalidConfiguration', { AUTH_URL: 'nonsense' }],
    ['InvalidConfiguration', { AUTH_TRUST_HOST: 'perhaps' }],
    ['UntrustedHost', { AUTH_TRUST_HOST: 'no' }],
  ])('%s by the environment: %j', async (type, env) => {
    expect(await outcomes({}, env)).toEqual(allSay(type))
  })

  it.each([
    ['InvalidConfiguration', { cookies: { sessionToken: { name: 'a;b' } } }],
    ['MissingAdapter', { session: { strategy: 'database' } }],
    ['MissingAdapterMethods', { adapter: {} }],
  ])('%s by %j', async (type, config) => {
    expect(await outcomes(config)).toEqual(allSay(type))
  })

  it('where several are at fault, too', async () => {
    const session = { maxAge: '1', updateAge: '1' }
    expect(await outcomes({ session, trustHost: [] })).toEqual(allSay('UntrustedHost'))
    expect(await outcomes({ session, pages: { signIn: 'x' } })).toEqual(
      allSay('InvalidConfiguration'),
    )
  })
})

describe('what is no fault is none wherever a session is read', () => {
  it.each([
    ['nothing', {}],
    ['an age', { session: { maxAge: 0.5, updateAge: 0 }, jwt: { maxAge: 7 } }],
    ['sessions that are never renewed', { session: { updateAge: Number.POSITIVE_INFINITY } }],
    ['no cache', { jwt: { cacheBytes: 0 } }],
    ['a cache without end', { jwt: { cacheBytes: Number.POSITIVE_INFINITY } }],
    ['an audience', { session: { audience: 'tenant' } }],
    ['columns', { session: { expose: ['id'] } }],
    ['no columns', { session: { expose: [] } }],
    ['no revocation', { session: { revocation: false } }],
    ['several secrets', { secret: [SECRET, SECRET] }],
    ['a secret of tokens', { jwt: { secret: SECRET } }],
    ['an empty secret of tokens, which is none', { jwt: { secret: '' } }],
    ['no secrets of tokens', { jwt: { secret: [] } }],
    ['hosts', { trustHost: ['app.example.com'] }],
    ['groups of options that are not given', { session: undefined, jwt: null, callbacks: null }],
    ['a strategy that is not given', { session: { strategy: null } }],
    ['a host that is not given', { trustHost: null }],
  ])('%s', async (_what, config) => {
    expect(await outcomes(config)).toEqual(allSay('answered'))
  })
})

it('logs all faults once, however they are found', async () => {
  const { logger, errors } = recordingLogger()
  const config = { providers: [], logger, secret: SECRET, session: { maxAge: '1', updateAge: -1 } }
  const auth = createAuth(config as unknown as AuthConfig, { env: { NODE_ENV: 'test' } }) // not its type: that is the fault
  await outcome(auth.getSession(request()))
  await auth.handle(request())
  await outcome(readWithoutRenewal(auth, request()))
  expect(errors.map(({ message }) => /session\.\w+/.exec(message)?.[0])).toEqual([
    'session.maxAge',
    'session.updateAge',
  ])
})

it('reads sessions while something else is at fault, such as a page', async () => {
  expect(await outcomes({ pages: { signIn: 'login' } })).toEqual({
    ...allSay('answered'),
    endpoint: 'InvalidConfiguration',
  })
})
