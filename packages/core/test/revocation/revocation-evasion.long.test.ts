import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readWithoutRenewal, SECRET, Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// What somebody would try who wants to stay in, or to put others out.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const COOKIE = '__Secure-authjs.session-token'

async function signedIn(auth: Pick<AuthInstance, 'handle'>, id = 'ann') {
  const visitor = new Visitor(auth.handle)
  await visitor.post('/callback/password', { id })
  return visitor
}

/** Somebody with a token that was made elsewhere. */
function holding(auth: Pick<AuthInstance, 'handle'>, token: string) {
  const visitor = new Visitor(auth.handle)
  visitor.cookies.set(COOKIE, token)
  return visitor
}

/** An application that writes tokens of its own, with these claims only. */
function ownCodec(names: readonly string[]): AuthConfig['jwt'] {
  return {
    encode: ({ token }) =>
      btoa(JSON.stringify(Object.fromEntries(names.map(name => [name, token?.[name]])))),
    decode: ({ token }) => JSON.parse(atob(token ?? '')) as JWT, // what encode wrote
  }
}

describe('applications that share a log', () => {
  const short = { session: { maxAge: HOUR / SECOND } }

  it('do not forget the end of a session that lives longer elsewhere', async () => {
    const { log, createNode, clock } = createNetwork()
    const [admin, shop] = [createNode(log, short), createNode(log)]
    await signedIn(admin, 'eve')
    const ann = await signedIn(shop)
    const copy = at(shop, ann)
    await ann.post('/signout')
    clock.now += 4 * HOUR
    await copy.session()
    expect(await at(shop, copy).session()).toBeNull()
  })

  it('end the sessions of a user for as long as these would have lived elsewhere', async () => {
    const { log, createNode, clock } = createNetwork()
    const [admin, shop] = [createNode(log, short), createNode(log)]
    await signedIn(admin, 'eve')
    const ann = await signedIn(shop)
    await admin.users.endSessions('ann')
    clock.now += 4 * HOUR
    await signedIn(shop, 'ben')
    expect(await at(shop, ann).session()).toBeNull()
  })

  it('know at once what another in the same process has ended', async () => {
    const { log, createNode } = createNetwork()
    const [one, other] = [createNode(log), createNode(log, { basePath: '/auth' })]
    const ann = await signedIn(one)
    const copy = at(other, ann)
    expect(await copy.session()).not.toBeNull()
    await ann.post('/signout')
    expect(await copy.session()).toBeNull()
  })
})

describe('a token that says little', () => {
  it('does not end those of others that say as little', async () => {
    const { node } = createNetwork({ jwt: ownCodec(['name', 'siteauth']) })
    const auth = node()
    const tokens = ['ann', 'ben'].map(name => btoa(JSON.stringify({ name })))
    const [ann, ben] = tokens.map(token => holding(auth, token))
    await ann?.post('/signout')
    expect(await ben?.session()).toMatchObject({ user: { name: 'ben' } })
  })

  it('is not handed out by a codec that drops what a session is ended by', async () => {
    const { node } = createNetwork({ jwt: ownCodec(['sub', 'name']) })
    const auth = node()
    const ann = await signedIn(auth)
    expect(ann.cookies.get(COOKIE)).toBeUndefined()
    expect(auth.errors.map(String).join()).toContain('must keep the claim "siteauth"')
  })
})

describe('a user whose id looks like that of another', () => {
  it.each([
    ['a b', 'a%20b'],
    ['áb', '\u0e1b'],
    ['a'.repeat(300), `${'a'.repeat(300)}b`],
  ])('cannot end them: %s', async (victim, attacker) => {
    const { node } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth, victim)
    await auth.users.endSessions(attacker)
    expect(await ann.session()).not.toBeNull()
  })
})

describe('claims that a visitor chooses', () => {
  it('neither keep a session from being ended nor end that of another', async () => {
    const { node } = createNetwork({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, ...(session as object) } : token,
      },
    })
    const auth = node()
    const ann = await signedIn(auth)
    const eve = await signedIn(auth, 'eve')
    const siteauth = { sid: 'x', gen: Number.MAX_SAFE_INTEGER, uid: 'ann' }
    await eve.postJson('/session', { data: { siteauth, jti: 'x' } })
    await auth.users.endSessions('eve')
    expect(await eve.session()).toBeNull()
    expect(await ann.session()).not.toBeNull()
  })

  it('do not survive in a token of before, where they are no marks of ours', async () => {
    const { node, clock } = createNetwork()
    const auth = node()
    clock.now = Date.now()
    const siteauth = { sid: 'x', gen: 'zzz', uid: {} }
    const token = await encode({ token: { sub: 'eve', siteauth }, secret: SECRET, salt: COOKIE })
    const eve = holding(auth, token)
    expect(await eve.session()).not.toBeNull()
    await auth.users.endSessions('eve')
    expect(await eve.session()).toBeNull()
  })
})

describe('a store that cannot be written to', () => {
  it('is read all the same after somebody has signed out', async () => {
    const { node, clock, state } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const ben = await signedIn(auth, 'ben')
    state.isReadOnly = true
    await ann.post('/signout')
    for (let i = 0; i < 40; i++) {
      clock.now += 10 * SECOND
      expect((await ben.get('/session')).status).toBe(200)
    }
  })

  it('is given one end, however often the same session was ended meanwhile', async () => {
    const { node, clock, state, written } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const ben = await signedIn(auth, 'ben')
    written.length = 0
    state.isReadOnly = true
    for (let i = 0; i < 5; i++) await at(auth, ann).post('/signout')
    state.isReadOnly = false
    clock.now += 10 * SECOND
    await ben.session()
    expect(written).toHaveLength(1)
  })

  it('does not let an update in that the process knows to be ended', async () => {
    const { node, state } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const copy = at(auth, ann)
    state.isReadOnly = true
    await ann.post('/signout')
    expect(await (await copy.postJson('/session', { data: {} })).json()).toBeNull()
  })
})

describe('a store', () => {
  it.each([
    ['alone', 0],
    ['with that of the processes', 5 * MINUTE],
  ])(
    'whose clock was put back while nobody asked, %s, is read from before that',
    async (_name, back) => {
      const { node, clock, storeClock } = createNetwork()
      const ticks = vi.spyOn(performance, 'now').mockReturnValue(0)
      onTestFinished(() => ticks.mockRestore())
      const [one, other] = [node(), node()]
      storeClock.offset = 5 * MINUTE - back
      const ann = await signedIn(one)
      const copy = at(other, ann)
      expect(await copy.session()).not.toBeNull()
      storeClock.offset = 0
      clock.now += SECOND - back
      await ann.post('/signout')
      clock.now += 10 * MINUTE
      ticks.mockReturnValue(10 * MINUTE)
      expect(await copy.session()).toBeNull()
    },
  )

  it('that has lost its rows keeps nobody out who signs in anew', async () => {
    const { node, rows, clock } = createNetwork()
    const auth = node()
    await signedIn(auth)
    await auth.users.endSessions('ann')
    rows.clear()
    clock.now += 1
    const ann = await signedIn(auth)
    expect(await ann.session()).not.toBeNull()
  })

  it('that answers a number as a text still ends sessions', async () => {
    const { node, log } = createNetwork()
    const find = log.find
    log.find = async keys =>
      (await find(keys)).map(row => ({
        ...row,
        generation: String(row.generation) as unknown as number,
      }))
    const auth = node()
    await signedIn(auth)
    await auth.users.endSessions('ann')
    const ann = await signedIn(auth)
    expect(await ann.session()).not.toBeNull()
    await auth.users.endSessions('ann')
    expect(await ann.session()).toBeNull()
  })

  it('that never answers whether it watches keeps nobody waiting', async () => {
    const { node, log } = createNetwork()
    log.watch = () => new Promise(() => {})
    const ann = await signedIn(node())
    expect(await ann.session()).not.toBeNull()
  })

  it.each([
    ['no key', { key: null }],
    ['a number for a key', { key: 5 }],
    ['no until', { until: null }],
    ['a text for until', { until: '2031-01-01T00:00:00Z' }],
    ['an until that is no time', { until: new Date(Number.NaN) }],
    ['no generation', { generation: undefined }],
    ['a generation of text', { generation: 'x' }],
    ['a generation beyond numbers', { generation: Number.POSITIVE_INFINITY }],
  ])('with a row that has %s still tells of the others', async (_name, oddity) => {
    const { node, rows, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    const ben = at(other, await signedIn(one, 'ben'))
    const copy = at(other, ann)
    const odd = { key: 's:odd', until: new Date(clock.now + DAY), generation: null, at: clock.now }
    rows.set('s:odd', { ...odd, ...oddity } as unknown as typeof odd)
    await ann.post('/signout')
    for (let i = 0; i < 40; i++) {
      clock.now += 10 * SECOND
      expect((await ben.get('/session')).status).toBe(200)
    }
    expect(await copy.session()).toBeNull()
    expect(await ben.session()).not.toBeNull()
  })

  it('that is down while a clock is put back is not believed for longer', async () => {
    const { node, state, clock } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    await ann.session()
    state.isDown = true
    clock.now -= HOUR
    clock.now += 30 * MINUTE
    expect((await ann.get('/session')).status).toBe(503)
  })
})

describe('a store that is down when sessions are due', () => {
  it.each([
    ['renewed', async (visitor: Visitor) => (await visitor.get('/session')).ok],
    ['read', (visitor: Visitor, auth: AuthInstance) => canRead(auth, visitor)],
  ])('is waited for as long as elsewhere before they are %s', async (_name, isAccepted) => {
    const { createNode, log, state, clock } = createNetwork()
    const auth = createNode(null, {
      session: { updateAge: HOUR / SECOND, revocation: { log, check: 'on-renewal' } },
    })
    const ann = await signedIn(auth)
    state.isDown = true
    clock.now += HOUR + 4 * MINUTE
    expect(await isAccepted(ann, auth)).toBe(true)
    clock.now += 2 * MINUTE
    expect(await isAccepted(ann, auth)).toBe(false)
  })

  const canRead = (auth: AuthInstance, visitor: Visitor) =>
    readWithoutRenewal(auth, {
      url: 'https://app.example.com',
      headers: { cookie: visitor.cookieHeader() },
    }).then(
      session => session !== null,
      () => false,
    )
})

describe('a server that cannot look', () => {
  const VISITS = [
    ['read', (visitor: Visitor) => visitor.get('/session')],
    ['change', (visitor: Visitor) => visitor.postJson('/session', { data: {} })],
  ] as const

  it.each(VISITS)(
    'does not keep an ended session alive until its end is forgotten by a %s',
    async (_name, ask) => {
      const { node, createNode, clock } = createNetwork()
      const [full, blind] = [node(), createNode(null)]
      const ann = await signedIn(full)
      const thief = at(blind, ann)
      await ann.post('/signout')
      for (let day = 0; day < 40; day++) {
        clock.now += DAY
        await ask(thief)
      }
      expect(await at(node(), thief).session()).toBeNull()
    },
  )

  it.each(VISITS)('does not lose what a session is ended by at a %s', async (_name, ask) => {
    const { node, createNode, clock } = createNetwork({
      callbacks: { jwt: ({ token: { sub, name } }) => ({ sub, name }) as JWT },
    })
    const [full, blind] = [node(), createNode(null)]
    await full.users.endSessions('ann')
    const ann = await signedIn(full)
    const copy = at(blind, ann)
    clock.now += 2 * DAY
    await ask(copy)
    expect(await at(full, copy).session()).not.toBeNull()
    await at(full, ann).post('/signout')
    expect(await at(full, copy).session()).toBeNull()
  })

  it('stores what the application made of a token, as far as that lasts', async () => {
    const { node, createNode, clock } = createNetwork()
    const ann = await signedIn(node())
    const blind = createNode(null, {
      callbacks: { jwt: ({ token }) => ({ ...token, name: 'Ann' }) },
    })
    clock.now += 2 * DAY
    const tab = at(blind, ann)
    await tab.session()
    expect(await at(node(), tab).session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('renews sessions where the application wants none to be ended', async () => {
    const { node, createNode, clock } = createNetwork()
    const ann = await signedIn(node())
    const before = ann.cookies.get(COOKIE)
    clock.now += 2 * DAY
    const off = at(createNode(null, { session: { revocation: false } }), ann)
    await off.session()
    expect(off.cookies.get(COOKIE)).not.toBe(before)
  })
})

describe('a cookie that was planted beside the real one', () => {
  it('keeps nobody from leaving while the store is down', async () => {
    const { node, state } = createNetwork()
    const auth = node()
    const [ann, eve] = [await signedIn(auth), await signedIn(auth, 'eve')]
    const copies = [at(auth, ann), at(auth, eve)]
    for (const copy of copies) expect(await copy.session()).not.toBeNull()
    const csrfToken = await ann.csrfToken()
    const planted = `${COOKIE}=${eve.cookies.get(COOKIE)}`
    state.isDown = true
    await ann.send('/signout', {
      method: 'POST',
      headers: { cookie: `${planted}; ${ann.cookieHeader()}` },
      body: new URLSearchParams({ csrfToken }),
    })
    for (const copy of copies) expect(await copy.session()).toBeNull()
  })
})

describe('secrets that are rotated', () => {
  it('leave a session endable that was sealed with the one before', async () => {
    const { node } = createNetwork()
    const ann = await signedIn(node())
    const rotated = node({ secret: ['another secret that is long enough', SECRET] })
    const [tab, copy] = [at(rotated, ann), at(rotated, ann)]
    expect(await copy.session()).not.toBeNull()
    await tab.post('/signout')
    expect(await copy.session()).toBeNull()
  })
})
