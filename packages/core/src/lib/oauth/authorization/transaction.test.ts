import { describe, expect, it } from 'vitest'
import { primitives } from '#crypto'
import { InvalidCheck } from '../../base/errors.ts'
import { createSealer, type Sealer } from '../../crypto/jwe.ts'
import { STATE_PURPOSE } from '../../crypto/purposes.ts'
import {
  createTransaction,
  type OpenedTransaction,
  openTransaction,
  sealTransaction,
  transactionError,
} from './transaction.ts'

const NOW = Date.UTC(2026, 10, 16)
const NAMES = {
  state: 'authjs.state',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  nonce: 'authjs.nonce',
}
const provider = {
  id: 'op',
  type: 'oidc',
  issuer: 'https://op.test',
  discovery: undefined,
  token: { url: 'https://op.test/token', params: [] },
  checks: { state: true, pkce: true, nonce: true },
} as const
type Provider = Omit<typeof provider, 'checks' | 'id' | 'issuer' | 'token'> & {
  id: string
  issuer: string | undefined
  token: { url: string; params: readonly [] }
  checks: { state: boolean; pkce: boolean; nonce: boolean }
}
const redirectUri = 'https://app.test/auth/callback/op'

function createSealers(secret = 'secret') {
  const sealers = new Map<string, Sealer>()
  return (purpose: string): Sealer => {
    const sealer = sealers.get(purpose) ?? createSealer(primitives, [secret], purpose)
    sealers.set(purpose, sealer)
    return sealer
  }
}
const sealerFor = createSealers()
const randomHex = (bytes: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')

async function begin(
  cookies: Record<string, string>,
  { now = NOW, by = provider as Provider, proxyOrigin = undefined as string | undefined } = {},
) {
  const slot = randomHex(6)
  const attempt = { redirectUri, returnTo: 'https://app.test/here', proxyOrigin, slot }
  const transaction = await createTransaction(by, attempt, { sealerFor, randomHex, now })
  const context = { cookieName: NAMES.state, formPost: false, sealerFor, now }
  const cookie = await sealTransaction(transaction, context)
  cookies[cookie.name] = cookie.value
  return { transaction, cookie }
}

function end(
  state: string | null | undefined,
  cookies: Record<string, string>,
  {
    now = NOW,
    by = provider as Provider,
    sealers = sealerFor,
    attempts = attemptsIn(cookies),
  } = {},
): Promise<OpenedTransaction> {
  return openTransaction(by, {
    state: state ?? null,
    cookies,
    attempts,
    cookieNames: NAMES,
    redirectUri,
    sealerFor: sealers,
    now,
  })
}

/** The cookies of attempts, as they come to the callback. */
const attemptsIn = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .filter(([name]) => name.startsWith(`${NAMES.state}.`))
    .map(([name, value]) => ({ name, value }))

const without = (...checks: ('state' | 'pkce' | 'nonce')[]): Provider => ({
  ...provider,
  checks: {
    state: !checks.includes('state'),
    pkce: !checks.includes('pkce'),
    nonce: !checks.includes('nonce'),
  },
})

describe('an attempt', () => {
  it('is found again by its state, and is then used up', async () => {
    const cookies = {}
    const { transaction, cookie } = await begin(cookies)
    const opened = await end(transaction.state, cookies)
    const { codeChallenge, ...expected } = transaction
    expect(codeChallenge).toMatch(/^[\w-]{43}$/)
    expect(opened).toEqual({ ok: true, transaction: expected, cookiesToClear: [cookie.name] })
  })

  it('has its own values, of 32 random bytes', async () => {
    const one = await begin({})
    const two = await begin({})
    for (const name of ['state', 'codeVerifier', 'nonce'] as const) {
      expect(one.transaction[name]).toMatch(/^[0-9a-f]{64}$/)
      expect(one.transaction[name]).not.toBe(two.transaction[name])
    }
  })

  it('has a cookie that tells nothing, is named after the state and lives 15 minutes', async () => {
    const { transaction, cookie } = await begin({})
    expect(cookie.name).toBe(`authjs.state.${transaction.state?.slice(-12)}`)
    expect(cookie).toMatchObject({ maxAge: 900, crossSite: false })
    expect(cookie.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(cookie.value.length).toBeLessThan(1500)
    const opened = await sealerFor('authjs.state').open(cookie.value, NOW)
    expect(opened).toMatchObject({ claims: { value: transaction.state, provider: 'op' } })
  })

  it('has a cookie that a browser keeps, through a proxy as well', async () => {
    const attempt = {
      redirectUri,
      returnTo: 'https://app.test/'.padEnd(256, 'x'),
      proxyOrigin: redirectUri,
      slot: randomHex(6),
    }
    const transaction = await createTransaction(provider, attempt, {
      sealerFor,
      randomHex,
      now: NOW,
    })
    const context = { cookieName: NAMES.state, formPost: true, sealerFor, now: NOW }
    const cookie = await sealTransaction(transaction, context)
    expect(cookie.crossSite).toBe(true)
    expect(cookie.value.length + cookie.name.length).toBeLessThan(2000)
  })

  it('carries a state that a proxy can read', async () => {
    const cookies = {}
    const { transaction } = await begin(cookies, { proxyOrigin: redirectUri })
    const opened = await sealerFor(STATE_PURPOSE).open(transaction.state ?? '', NOW)
    expect(opened).toMatchObject({ claims: { random: expect.any(String), origin: redirectUri } })
    expect(await end(transaction.state, cookies)).toMatchObject({ ok: true })
  })
})

describe('an answer is refused', () => {
  it('without a cookie', async () => {
    const { transaction } = await begin({})
    expect(await end(transaction.state, {})).toEqual({
      ok: false,
      reason: 'missing',
      cookiesToClear: [],
    })
  })

  it.each([[null], [''], ['undefined'], ['null'], ['x'.repeat(64)]])(
    'with the state %j, and the attempt under way goes on',
    async state => {
      const cookies = {}
      await begin(cookies)
      expect(await end(state, cookies)).toEqual({
        ok: false,
        reason: 'missing',
        cookiesToClear: [],
      })
    },
  )

  it.each(['state', 'pkce', 'nonce'] as const)(
    'that nobody requested and that comes without a cookie, if %s is the only check',
    async only => {
      const others = (['state', 'pkce', 'nonce'] as const).filter(each => each !== only)
      expect(await end(null, {}, { by: without(...others) })).toEqual({
        ok: false,
        reason: 'missing',
        cookiesToClear: [],
      })
    },
  )

  it('with a state that only ends alike, and the attempt under way goes on', async () => {
    const cookies = {}
    const { transaction } = await begin(cookies)
    const state = `x${transaction.state?.slice(1)}`
    expect(await end(state, cookies)).toEqual({
      ok: false,
      reason: 'of another state',
      cookiesToClear: [],
    })
  })

  it('after 15 minutes', async () => {
    const cookies = {}
    const { transaction } = await begin(cookies)
    expect(await end(transaction.state, cookies, { now: NOW + 916_000 })).toMatchObject({
      ok: false,
      reason: 'expired',
    })
  })

  it('at another provider', async () => {
    const cookies = {}
    const { transaction, cookie } = await begin(cookies)
    for (const by of [
      { ...provider, id: 'other' },
      { ...without('nonce'), id: 'other' },
      { ...without('pkce', 'nonce'), id: 'other' },
    ]) {
      expect(await end(transaction.state, cookies, { by })).toEqual({
        ok: false,
        reason: 'of another provider',
        cookiesToClear: [cookie.name],
      })
    }
    const stateless = { ...without('state'), id: 'other' }
    expect(await end(null, cookies, { by: stateless })).toMatchObject({ ok: false })
  })

  it('of another server behind the same provider', async () => {
    const cookies = {}
    const { transaction } = await begin(cookies)
    const by = { ...provider, issuer: 'https://moved.test' }
    expect(await end(transaction.state, cookies, { by })).toMatchObject({
      reason: 'of another server',
    })
  })

  it('of another server that has no issuer, but another token endpoint', async () => {
    const cookies = {}
    const plain = { ...provider, issuer: undefined }
    const { transaction } = await begin(cookies, { by: plain })
    const by = { ...plain, token: { ...provider.token, url: 'https://moved.test/token' } }
    expect(await end(transaction.state, cookies, { by })).toMatchObject({
      reason: 'of another server',
    })
  })

  it('with a cookie that was sealed by somebody else, changed, or moved', async () => {
    const cookies: Record<string, string> = {}
    const { transaction, cookie } = await begin(cookies)
    const { state } = transaction
    const sealers = createSealers('another secret')
    expect(await end(state, cookies, { sealers })).toMatchObject({ reason: 'unreadable' })
    const changed = { [cookie.name]: `${cookie.value.slice(0, -1)}!` }
    expect(await end(state, changed)).toMatchObject({ reason: 'unreadable' })
    const other = await begin({})
    expect(await end(state, { [cookie.name]: other.cookie.value })).toMatchObject({
      reason: 'unreadable',
    })
    const session = await sealerFor('authjs.session-token').seal({ sub: 'x' }, 900, NOW)
    expect(await end(state, { [cookie.name]: session })).toMatchObject({ reason: 'unreadable' })
    const foreign = await sealerFor('authjs.state').seal({ value: state, provider: 'op' }, 900, NOW)
    expect(await end(state, { [cookie.name]: foreign })).toMatchObject({ reason: 'unreadable' })
  })

  it('where the attempt lacks a check that is wanted by now', async () => {
    for (const check of ['pkce', 'nonce'] as const) {
      const cookies = {}
      const { transaction } = await begin(cookies, { by: without(check) })
      expect(await end(transaction.state, cookies)).toMatchObject({ ok: false, reason: 'missing' })
    }
  })

  it('with an error that says why and nothing that is secret', () => {
    const error = transactionError('of another provider', 'op')
    expect(error).toBeInstanceOf(InvalidCheck)
    expect(error.message).toContain('is one of another provider')
    expect(transactionError('expired', 'op').message).toContain('is expired')
    expect(transactionError('missing', 'op').cause).toEqual({ provider: 'op', reason: 'missing' })
  })
})

describe('without state', () => {
  it('the newest attempt at that provider is taken', async () => {
    const cookies = {}
    const by = without('state')
    await begin(cookies, { by, now: NOW - 2000 })
    const newest = await begin(cookies, { by, now: NOW - 1000 })
    await begin(cookies, { by: { ...by, id: 'other' } })
    expect(newest.transaction.state).toBeUndefined()
    expect(await end(null, cookies, { by })).toMatchObject({
      ok: true,
      transaction: { codeVerifier: newest.transaction.codeVerifier },
      cookiesToClear: [newest.cookie.name],
    })
  })

  it('an answer may bring a state that nobody gave', async () => {
    const by = without('state')
    const cookies = {}
    const { cookie, transaction } = await begin(cookies, { by })
    // Also one that ends like the name of the cookie.
    for (const state of ['of the provider', `of the provider ${transaction.id}`]) {
      expect(await end(state, cookies, { by })).toMatchObject({
        ok: true,
        cookiesToClear: [cookie.name],
      })
    }
  })

  it('and without any check an answer that nobody asked for is taken', async () => {
    const by = without('state', 'pkce', 'nonce')
    expect(await end(null, {}, { by })).toEqual({
      ok: true,
      transaction: {
        id: '',
        provider: 'op',
        issuer: 'https://op.test',
        redirectUri,
        createdAt: NOW,
      },
      cookiesToClear: [],
    })
  })
})

describe('what an attempt remembers', () => {
  /** Begins an attempt with more than `begin` does. */
  async function beginWith(
    more: Partial<Parameters<typeof createTransaction>[1]>,
    by: Provider = provider,
  ) {
    const attempt = {
      redirectUri,
      returnTo: undefined,
      proxyOrigin: undefined,
      slot: randomHex(6),
      ...more,
    }
    const transaction = await createTransaction(by, attempt, { sealerFor, randomHex, now: NOW })
    const cookies: Record<string, string> = {}
    const context = { cookieName: NAMES.state, formPost: true, cookies, sealerFor, now: NOW }
    const cookie = await sealTransaction({ ...transaction, maxAge: 60 }, context)
    cookies[cookie.name] = cookie.value
    return { transaction, cookie, cookies }
  }

  it('is all there when the answer comes', async () => {
    const more = {
      browser: 'b',
      addTo: 'ann',
      remember: false,
      returnTo: 'https://app.test/x',
      start: { time: 7 },
    }
    const { transaction, cookie, cookies } = await beginWith(more)
    const { codeChallenge: _, ...expected } = transaction
    expect(expected).toMatchObject(more)
    expect(cookie.crossSite).toBe(true)
    expect(await end(transaction.state, cookies)).toEqual({
      ok: true,
      transaction: { ...expected, maxAge: 60 },
      cookiesToClear: [cookie.name],
    })
  })

  it('has a state if an account is to be added, whatever the provider checks', async () => {
    const by = without('state', 'pkce', 'nonce')
    const { transaction, cookies } = await beginWith({ addTo: 'ann' }, by)
    const { state = '' } = transaction
    expect(state).toMatch(/^[0-9a-f]{64}$/)
    expect(await end(state, cookies, { by })).toMatchObject({
      ok: true,
      transaction: { addTo: 'ann' },
    })
    expect(await end(`x${state.slice(1)}`, cookies, { by })).toEqual({
      ok: false,
      reason: 'of another state',
      cookiesToClear: [],
    })
    // An answer that brings none is one that nobody requested, and adds nothing.
    const unasked = await end(null, cookies, { by })
    expect(unasked).toMatchObject({ ok: true, cookiesToClear: [] })
    expect(unasked.ok && unasked.transaction.addTo).toBeUndefined()
  })

  it.each(['id', 'provider', 'redirectUri', 'createdAt'])(
    'cannot be read without its %s',
    async member => {
      const { transaction, cookie, cookies } = await beginWith({})
      const { codeChallenge: _, state: value, ...claims } = transaction
      const sealed = { ...claims, value, [member]: undefined }
      const failure = { ok: false, reason: 'unreadable', cookiesToClear: [cookie.name] }
      cookies[cookie.name] = await sealerFor(NAMES.state).seal(sealed, 900, NOW)
      expect(await end(transaction.state, cookies)).toEqual(failure)
      const wrong = { ...claims, value, [member]: { of: 'another type' } }
      cookies[cookie.name] = await sealerFor(NAMES.state).seal(wrong, 900, NOW)
      expect(await end(transaction.state, cookies)).toEqual(failure)
    },
  )

  it('is left out if it has another type', async () => {
    const { transaction, cookie, cookies } = await beginWith({})
    const { codeChallenge: _, state: value, ...claims } = transaction
    const odd = { browser: 1, addTo: {}, remember: 'yes', maxAge: '60', returnTo: 7 }
    cookies[cookie.name] = await sealerFor(NAMES.state).seal({ ...claims, value, ...odd }, 900, NOW)
    const opened = await end(transaction.state, cookies)
    expect(opened.ok && opened.transaction).toEqual({
      ...claims,
      state: value,
      browser: undefined,
      addTo: undefined,
      remember: undefined,
      maxAge: undefined,
      returnTo: undefined,
    })
  })
})

describe('the newest attempt', () => {
  const by = without('state')

  it('is the one that began last, in whatever order the cookies come', async () => {
    const cookies: Record<string, string> = {}
    const newest = await begin(cookies, { by, now: NOW - 1000 })
    await begin(cookies, { by, now: NOW - 3000 })
    await begin(cookies, { by, now: NOW - 2000 })
    expect(await end(null, cookies, { by })).toMatchObject({ cookiesToClear: [newest.cookie.name] })
  })

  it('is the one whose cookie came last, of those that began in the same millisecond', async () => {
    const cookies: Record<string, string> = {}
    await begin(cookies, { by })
    const newest = await begin(cookies, { by })
    expect(await end(null, cookies, { by })).toMatchObject({ cookiesToClear: [newest.cookie.name] })
  })

  it('is found behind cookies that are older, planted, or of another provider', async () => {
    const cookies: Record<string, string> = {}
    for (let at = 0; at < 20; at++) cookies[`authjs.state.${String(at).padStart(12, '0')}`] = 'x'
    const { cookie } = await begin(cookies, { by })
    expect(await end(null, cookies, { by })).toMatchObject({ cookiesToClear: [cookie.name] })
    await begin(cookies, { by: { ...by, id: 'other' }, now: NOW + 1 })
    expect(await end(null, cookies, { by })).toMatchObject({ cookiesToClear: [cookie.name] })
  })

  it('is found behind any number of cookies that only begin alike', async () => {
    const cookies: Record<string, string> = {}
    const { cookie } = await begin(cookies, { by })
    for (let at = 0; at < 40; at++) cookies[`authjs.state.${at}`] = 'x'
    expect(await end(null, cookies, { by })).toMatchObject({ cookiesToClear: [cookie.name] })
  })

  it('is none that has a state, nor a cookie of another name', async () => {
    const cookies: Record<string, string> = {}
    const { cookie } = await begin(cookies)
    expect(await end(null, cookies, { by })).toMatchObject({ ok: false, reason: 'missing' })
    const moved = await begin({}, { by })
    const other = { [moved.cookie.name.replace('authjs', 'jsauth')]: moved.cookie.value }
    expect(await end(null, other, { by })).toMatchObject({ ok: false, reason: 'missing' })
    expect(cookie.name).toMatch(/^authjs\.state\.[0-9a-f]{12}$/)
  })
})

it.each([
  ['missing', 'The cookie for this sign-in with "op" is missing.'],
  ['expired', 'The cookie for this sign-in with "op" is expired.'],
  ['of another state', 'The cookie for this sign-in with "op" is one of another state.'],
] as const)('the error for an answer whose cookie is %s', (reason, message) => {
  const error = transactionError(reason, 'op')
  expect(error.message).toContain(message)
  expect(error.cause).toMatchObject({ provider: 'op', reason })
})

describe('four hundred planted cookies', () => {
  const planted = () =>
    Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`${NAMES.state}.${String(n).padStart(12, 'x')}`, 'x']),
    )

  it('cost no decryption when an answer comes, and end no attempt', async () => {
    const real: Record<string, string> = {}
    const { transaction } = await begin(real)
    let opened = 0
    const counting = (purpose: string): Sealer => {
      const sealer = sealerFor(purpose)
      return {
        ...sealer,
        open(token, now) {
          opened++
          return sealer.open(token, now)
        },
      }
    }
    const cookies = { ...real, ...planted() }
    const attempts = attemptsIn(cookies)
    const answer = {
      cookies,
      attempts,
      cookieNames: NAMES,
      redirectUri,
      sealerFor: counting,
      now: NOW,
    }
    const ended = await openTransaction(provider, { ...answer, state: transaction.state ?? null })
    expect(ended.ok).toBe(true)
    expect(opened).toBe(1)
  })
})

// A sibling host can plant them, unless the application's cookies have `__Host-` names.
describe('of several cookies of one name', () => {
  const createWorld = async () => {
    const { transaction, cookie } = await begin({})
    const { name, value } = cookie
    const planted = { name, value: 'planted' }
    const other = await begin({})
    const values = { ...other.transaction, id: transaction.id }
    const context = { cookieName: NAMES.state, formPost: false, sealerFor, now: NOW }
    const others = { name, value: (await sealTransaction(values, context)).value }
    return { transaction, own: { name, value }, planted, others }
  }

  it('that of the state is found, whatever comes before or after it', async () => {
    const { transaction, own, planted, others } = await createWorld()
    for (const attempts of [
      [own, planted, others],
      [planted, own, others],
      [others, planted, own],
    ]) {
      expect(await end(transaction.state, {}, { attempts })).toMatchObject({
        ok: true,
        transaction: { state: transaction.state, codeVerifier: transaction.codeVerifier },
        cookiesToClear: [own.name],
      })
    }
  })

  it('an attempt of another state goes on, whatever comes before or after it', async () => {
    const { transaction, planted, others } = await createWorld()
    for (const attempts of [
      [others, planted],
      [planted, others],
    ]) {
      expect(await end(transaction.state, {}, { attempts })).toEqual({
        ok: false,
        reason: 'of another state',
        cookiesToClear: [],
      })
    }
  })

  it('the last one says why none can be opened, and the name is free again', async () => {
    const { transaction, own, planted } = await createWorld()
    const now = NOW + 916_000
    const endWith = (attempts: { name: string; value: string }[]) =>
      end(transaction.state, {}, { attempts, now })
    const refused = { ok: false, cookiesToClear: [own.name] }
    expect(await endWith([planted, own])).toEqual({ ...refused, reason: 'expired' })
    expect(await endWith([own, planted])).toEqual({ ...refused, reason: 'unreadable' })
  })

  it('few are opened, those that came last', async () => {
    const { transaction, own, planted } = await createWorld()
    const many = Array.from({ length: 400 }, () => planted)
    let opened = 0
    const sealers = (purpose: string): Sealer => ({
      ...sealerFor(purpose),
      open(token, now) {
        opened++
        return sealerFor(purpose).open(token, now)
      },
    })
    const answer = { sealers, attempts: [own, ...many] }
    expect(await end(transaction.state, {}, answer)).toMatchObject({ ok: false })
    expect(opened).toBeLessThanOrEqual(20)
    expect(await end(transaction.state, {}, { attempts: [...many, own] })).toMatchObject({
      ok: true,
    })
  })
})

it('four hundred planted cookies cost few decryptions if there is no state', async () => {
  const cookies = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`${NAMES.state}.${String(n).padStart(12, '0')}`, 'x']),
  )
  let opened = 0
  const sealers = (purpose: string): Sealer => ({
    ...sealerFor(purpose),
    open(token, now) {
      opened++
      return sealerFor(purpose).open(token, now)
    },
  })
  expect(await end(null, cookies, { by: without('state'), sealers })).toMatchObject({ ok: false })
  expect(opened).toBeLessThanOrEqual(20)
})

describe('a sign-in that the library that we succeed began', () => {
  const seal = (name: string, value: string, owner = 'op', now = NOW) =>
    sealerFor(name).seal({ value, provider: owner }, 900, now)
  const state = 'the state'

  it('goes on with PKCE alone, which was the default', async () => {
    const cookies = { [NAMES.pkceCodeVerifier]: await seal(NAMES.pkceCodeVerifier, 'verifier') }
    expect(await end(null, cookies)).toEqual({
      ok: true,
      transaction: expect.objectContaining({
        codeVerifier: 'verifier',
        state: undefined,
        nonce: undefined,
        redirectUri,
        issuer: 'https://op.test',
        // As early as can be, so that any revocation since ends it.
        createdAt: NOW - 900_000,
      }),
      cookiesToClear: [NAMES.pkceCodeVerifier],
    })
  })

  it('goes on with all three', async () => {
    const cookies = {
      [NAMES.state]: await seal(NAMES.state, state),
      [NAMES.pkceCodeVerifier]: await seal(NAMES.pkceCodeVerifier, 'verifier'),
      [NAMES.nonce]: await seal(NAMES.nonce, 'nonce'),
    }
    expect(await end(state, cookies)).toMatchObject({
      ok: true,
      transaction: { state, codeVerifier: 'verifier', nonce: 'nonce' },
    })
  })

  it('reads what that library sealed', async () => {
    const value =
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiYmxIVGMwRXBSc1pMX2NWUk1LZy1fLTNUT1BIVmV2VWd1UmVRdUtaNThVQ3pyOVNKSHRFNXk1QWlCTEljTHEyZW9tMzd0VzNfbUh6VEUtT1BYWFo3NmcifQ..RZMieS9fXHipsihaMrCktA.z8RNzJg55dn4Rc5_yPXT1rkTyt6RrOjfr-AuLrsA1D4RxU7MF7QqfWjNr-kAca5HZ2pc3l_j-lZ86WA2qPoi-Z6eTRCAI6eNiF7Y00HQuTKNNvwtbQpJhXlNl_wlwEX25cOVvueAPx4rukcWg_2z65xyUeNMOY8ZvNwz_hqE0Mw.TJUQPg0yt4bvNYrpjsK5q1rU8WX48Iupnr21O7cEodc'
    // Issued in 2026 or before; read within its time.
    const opened = await sealerFor(NAMES.pkceCodeVerifier).open(value, 0)
    const now = typeof opened === 'string' ? 0 : Number(opened.claims['iat']) * 1000
    const by: Provider = { ...provider, id: 'oa' }
    expect(await end(null, { [NAMES.pkceCodeVerifier]: value }, { by, now })).toMatchObject({
      ok: true,
      transaction: { codeVerifier: 'VERIFIER' },
    })
  })

  it('is refused where anything does not fit', async () => {
    const pkce = await seal(NAMES.pkceCodeVerifier, 'verifier')
    const cases: [string | null, Record<string, string>][] = [
      // a state that came without a cookie, and the other way round
      ['x', { [NAMES.pkceCodeVerifier]: pkce }],
      [null, { [NAMES.pkceCodeVerifier]: pkce, [NAMES.state]: await seal(NAMES.state, state) }],
      ['x', { [NAMES.state]: await seal(NAMES.state, state) }],
      // of another provider, of none, too old, empty, for another purpose
      [null, { [NAMES.pkceCodeVerifier]: await seal(NAMES.pkceCodeVerifier, 'v', 'other') }],
      [
        null,
        {
          [NAMES.pkceCodeVerifier]: await sealerFor(NAMES.pkceCodeVerifier).seal(
            { value: 'v' },
            900,
            NOW,
          ),
        },
      ],
      [
        null,
        { [NAMES.pkceCodeVerifier]: await seal(NAMES.pkceCodeVerifier, 'v', 'op', NOW - 1e6) },
      ],
      [null, { [NAMES.pkceCodeVerifier]: await seal(NAMES.pkceCodeVerifier, '') }],
      [null, { [NAMES.pkceCodeVerifier]: await seal(NAMES.nonce, 'v') }],
    ]
    for (const [answered, cookies] of cases) {
      expect(await end(answered, cookies)).toMatchObject({ ok: false, reason: 'missing' })
    }
  })

  it('cannot be made of one of ours, which would lose its other checks', async () => {
    const { transaction, cookie } = await begin({})
    const cookies = { [NAMES.state]: cookie.value }
    expect(await end(transaction.state, cookies)).toMatchObject({ ok: false })
  })
})
