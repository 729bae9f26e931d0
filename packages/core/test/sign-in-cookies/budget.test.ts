import { encode } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { ANN, createWorld, type World } from '../principal/world.ts'
import { SECRET, Visitor } from '../visitor.ts'

// Sign-ins in progress share a budget of cookie bytes: a browser whose requests a server refuses as too large is kept out until
// the cookies expire.

const BUDGET = 4608
/** What nginx, Apache and others accept at least. */
const HEADER_LIMIT = 8192
const ORIGIN = 'https://app.example.com'

const OF_ATTEMPTS = /authjs\.(state|challenge|callback-url|email-request|sign-in-form)/
const ATTEMPT = /authjs\.(state|challenge)\./

/** A URL of that length, with as many letters to escape as URLs have. */
const urlOf = (length: number) =>
  `${ORIGIN}/orders?`.padEnd(length, 'filter=status-open&sort-by=date&').slice(0, length)

describe.each([60, 256, 257, 1500, 2048])('a return URL of %d characters', length => {
  it('five attempts and two pages with a passkey stay within the budget, and the newest of each works', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const callbackUrl = urlOf(length)
    let started = new Response()
    for (let tab = 0; tab < 5; tab++) {
      await visitor.get(`/signin?${new URLSearchParams({ callbackUrl })}`)
      expectWithinBudget(visitor)
      if (tab > 2) await visitor.get('/webauthn-options/passkey?action=authenticate')
      expectWithinBudget(visitor)
      world.clock.now += 1000
      started = await visitor.post('/signin/first', { callbackUrl })
      expectWithinBudget(visitor)
    }
    // A page that is opened in another tab ends none that is in progress.
    await visitor.get(`/signin?${new URLSearchParams({ callbackUrl })}`)
    const offered = await visitor.get('/webauthn-options/passkey?action=authenticate')
    expectWithinBudget(visitor)
    const [name = '', value] = offered.headers.getSetCookie().at(-1)?.split(/[=;]/) ?? []
    expect(name).toContain('challenge')
    expect(visitor.cookies.get(name)).toBe(value)
    const finished = await visitor.send(world.agree(started, ANN.sub).href)
    expect(finished.headers.get('location')).toBe(callbackUrl)
    expect(await visitor.session()).not.toBeNull()
  })

  it('they leave room for a session, a code and a form that failed', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const name = '__Secure-authjs.session-token'
    const token = { sub: world.annId, about: 'x'.repeat(1200) }
    visitor.cookies.set(name, await encode({ token, secret: SECRET, salt: name }))
    expect(visitor.cookies.get(name)?.length).toBeGreaterThan(1800)
    const callbackUrl = urlOf(length)
    for (let tab = 0; tab < 5; tab++) {
      world.clock.now += 1000
      await visitor.post('/signin/second', { callbackUrl })
      await visitor.get('/webauthn-options/passkey?action=authenticate')
    }
    await visitor.post('/signin/mail', { email: ANN.email, callbackUrl })
    await visitor.post('/signin/password', {
      email: ANN.email,
      password: 'not this one',
      callbackUrl,
    })
    await visitor.post('/signin/second', { callbackUrl })
    expect(visitor.cookieHeader().length).toBeLessThan(HEADER_LIMIT)
  })
})

describe('what makes room', () => {
  it('is the oldest challenge, and the oldest attempt only if no challenge is left', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const begun: { readonly kind: number; readonly value: string }[] = []
    let counts: readonly number[] = []
    for (const kind of [0, 1, 0, 0, 1, 1, 1, 0, 1]) {
      world.clock.now += 1000
      const before = valuesOf(visitor)
      if (kind) await visitor.post('/signin/first')
      else await visitor.get('/webauthn-options/passkey?action=authenticate')
      const after = valuesOf(visitor)
      const added = after.filter(value => !before.includes(value))
      begun.push(...added.map(value => ({ kind, value })))
      // Of each kind, the newest are left.
      const lists = [0, 1].map(each => begun.filter(one => one.kind === each))
      const left = lists.map(list => list.filter(({ value }) => after.includes(value)))
      expect(left).toEqual(
        lists.map((list, each) => list.slice(list.length - (left[each]?.length ?? 0))),
      )
      const [challenges = 0, attempts = 0] = left.map(list => list.length)
      if (kind && attempts <= (counts[1] ?? 0)) expect(challenges).toBe(0)
      counts = [challenges, attempts]
    }
    expect(begun).toHaveLength(9)
  })

  it('is not an attempt whose answer the provider has posted', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const started = await visitor.post('/signin/posting')
    for (let tab = 0; tab < 2; tab++) {
      world.clock.now += 1000
      await visitor.post('/signin/first')
    }
    const { origin, pathname, searchParams } = world.agree(started, 'ben')
    searchParams.set('session_state', 'x'.repeat(1800))
    const posted = await visitor.send(origin + pathname, {
      method: 'POST',
      headers: { origin: 'https://op.test', 'sec-fetch-site': 'cross-site' },
      body: searchParams,
    })
    await visitor.send(posted.headers.get('location') ?? '')
    expect(await visitor.session()).not.toBeNull()
  })

  it('is what another host has planted, some at a time, before any attempt', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const first = await visitor.post('/signin/first')
    for (let n = 0; n < 70; n++) {
      visitor.cookies.set(`__Host-authjs.state.${String(n).padStart(12, 'x')}`, 'planted')
    }
    const response = await visitor.post('/signin/second')
    const removed = response.headers.getSetCookie().filter(line => /max-age=0/i.test(line))
    expect(removed.length).toBeGreaterThan(10)
    expect(removed.join('').length).toBeLessThan(2500)
    await visitor.send(world.agree(first, ANN.sub).href)
    expect(await visitor.session()).not.toBeNull()
    for (let round = 0; round < 4; round++) await visitor.post('/signin/second')
    expectWithinBudget(visitor)
  })

  it('is the same for a sign-in that a call begins', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    for (let tab = 0; tab < 6; tab++) {
      world.clock.now += 1000
      await signIn(world, visitor, 'first', urlOf(1000))
      expectWithinBudget(visitor)
    }
    expect(namesOf(visitor).length).toBeGreaterThan(1)
  })
})

describe('a return URL', () => {
  it('that is too long for a cookie is not remembered, nor is the one before', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    await visitor.get(`/signin?${new URLSearchParams({ callbackUrl: urlOf(1000) })}`)
    const callbackUrl = `${ORIGIN}/`.padEnd(2048, '%2F')
    const started = await visitor.post('/signin/first', { callbackUrl })
    expectWithinBudget(visitor)
    const finished = await visitor.send(world.agree(started, ANN.sub).href)
    expect(finished.headers.get('location')).toBe(ORIGIN)
  })

  it('that is short is remembered by each attempt', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const visitor = new Visitor(world.auth.handle)
    const one = await visitor.post('/signin/first', { callbackUrl: urlOf(200) })
    const two = await visitor.post('/signin/first', { callbackUrl: urlOf(100) })
    const locations = []
    for (const started of [two, one]) {
      const finished = await visitor.send(world.agree(started, ANN.sub).href)
      locations.push(finished.headers.get('location'))
    }
    expect(locations).toEqual([urlOf(100), urlOf(200)])
  })
})

/** Calls `signIn`, and gives its cookies to the browser. */
async function signIn(
  { auth }: World,
  visitor: Visitor,
  provider: string,
  redirectTo: string,
): Promise<void> {
  const request = { headers: { cookie: visitor.cookieHeader() }, url: `${ORIGIN}/page` }
  await auth.signIn(request, provider, { redirectTo })
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) visitor.cookies.delete(name)
    else visitor.cookies.set(name, value)
  }
}

function expectWithinBudget({ cookies }: Visitor): void {
  const pairs = [...cookies].filter(([name]) => OF_ATTEMPTS.test(name))
  const bytes = pairs.map(([name, value]) => `${name}=${value}; `).join('').length
  expect(bytes).toBeLessThanOrEqual(BUDGET)
}

function valuesOf({ cookies }: Visitor): string[] {
  return [...cookies].filter(([name]) => ATTEMPT.test(name)).map(([, value]) => value)
}

function namesOf({ cookies }: Visitor): string[] {
  return [...cookies.keys()].filter(name => ATTEMPT.test(name))
}
