import { describe, expect, it, vi } from 'vitest'
import {
  ANN,
  BOB,
  CALLBACK_COOKIE,
  CSRF_COOKIE,
  createApplication,
  ORIGIN,
  SESSION_COOKIE,
  signedIn,
  writtenCookies,
} from '../spec/application.ts'
import type { Visitor } from '../visitor.ts'
import { openDoor } from './door.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const { application, ann, knock } = openDoor()

function sessionWith(cookie: string): Promise<Response> {
  return knock('/session', { headers: { cookie } })
}

async function bodyWith(cookie: string): Promise<unknown> {
  return (await sessionWith(cookie)).json()
}

describe('Many cookies', () => {
  const many = Array.from({ length: 300 }, (_, index) => `cookie${index}=value${index}`).join('; ')

  it('300 do not hide the session, wherever it stands among them', async () => {
    const own = `${SESSION_COOKIE}=${ann.cookies.get(SESSION_COOKIE)}`
    for (const cookie of [`${own}; ${many}`, `${many}; ${own}`, `${many}; ${own}; ${many}`]) {
      expect(await bodyWith(cookie)).toMatchObject({ user: { name: 'Ann' } })
    }
    expect(await bodyWith(many)).toBeNull()
  })

  it('300 with names like the session do not join it', async () => {
    const own = `${SESSION_COOKIE}=${ann.cookies.get(SESSION_COOKIE)}`
    const similar = Array.from({ length: 300 }, (_, index) => `${SESSION_COOKIE}-${index}=x`)
    expect(await bodyWith(`${similar.join('; ')}; ${own}`)).toMatchObject({ user: { name: 'Ann' } })
    expect(await bodyWith(similar.join('; '))).toBeNull()
  })

  it('300 chunks are no session, and are cleared', async () => {
    const chunks = Array.from({ length: 300 }, (_, index) => `${SESSION_COOKIE}.${index}=x`)
    const response = await sessionWith(chunks.join('; '))
    expect(await response.json()).toBeNull()
    expect(writtenCookies(response).every(each => each.attributes['max-age'] === '0')).toBe(true)
  })

  it('300 of one name count as the first', async () => {
    const repeated = Array.from({ length: 300 }, () => `${SESSION_COOKIE}=x`)
    const own = `${SESSION_COOKIE}=${ann.cookies.get(SESSION_COOKIE)}`
    expect(await bodyWith([own, ...repeated].join('; '))).toMatchObject({ user: { name: 'Ann' } })
  })

  it.each(['=', ';', ' ', '"', '%', `${SESSION_COOKIE}.`, `${SESSION_COOKIE}=`, '=;', '\t'])(
    '64 kB of %j are read in a moment',
    async piece => {
      const cookie = `a=b; ${piece.repeat(65_536 / piece.length)}`
      const times: number[] = []
      for (let tries = 0; tries < 3; tries++) {
        const started = performance.now()
        await sessionWith(cookie)
        times.push(performance.now() - started)
      }
      expect(Math.min(...times)).toBeLessThan(500)
    },
  )
})

describe('A cookie that cannot be understood', () => {
  const values = [
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    '%0d%0aSet-Cookie:%20evil=1',
    '%ff%fe',
    '"quoted"',
    '"',
    '',
    'undefined',
    'null',
    '[object Object]',
    '..',
    '....',
    '.'.repeat(1000),
    'a.b.c.d.e',
    'eyJhbGciOiJub25lIn0..',
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0....',
    `${btoa('{"alg":"none"}')}.e30.`,
    'x'.repeat(10_000),
    '{"sub":"1"}',
    'ä',
  ]

  it.each(values)('is no session: %j', async value => {
    for (const path of ['/session', '/signin', '/csrf', '/providers', '/signout']) {
      const cookie = [SESSION_COOKIE, `${SESSION_COOKIE}.0`, CSRF_COOKIE, CALLBACK_COOKIE]
        .map(name => `${name}=${value}`)
        .join('; ')
      const response = await knock(path, { headers: { cookie } })
      expect(response.status, path).toBe(200)
      if (path === '/session') expect(await response.json()).toBeNull()
    }
  })

  it.each(values)('is no token for a form, and is replaced: %j', async value => {
    const headers = { cookie: `${CSRF_COOKIE}=${value}` }
    for (const csrfToken of [value, '', '|', value.split('|')[0] ?? '']) {
      const body = new URLSearchParams({ csrfToken })
      const response = await knock('/signout', { method: 'POST', body, headers })
      expect(response.headers.get('location')).toContain('error=MissingCSRF')
    }
    const fresh = await knock('/csrf', { headers })
    expect(await fresh.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(writtenCookies(fresh).map(each => each.name)).toEqual([CSRF_COOKIE])
  })

  it('is no session for a function either, even with bytes that no header can have', async () => {
    for (const value of [...values, 'a\0b', 'a\r\nb', '\ud800']) {
      const headers = { cookie: `${SESSION_COOKIE}=${value}` }
      expect(await application.getSession({ headers, url: ORIGIN })).toBeNull()
      const asList = { cookie: ['a=b', `${SESSION_COOKIE}=${value}`] }
      expect(await application.getSession({ headers: asList, url: ORIGIN })).toBeNull()
    }
  })

  it.each([
    '=',
    ';;;',
    '= ; =',
    'a',
    'a; b',
    '=x',
    '__proto__=x',
    'constructor=x; toString=y',
    ',',
  ])('is passed over as a whole header: %j', async cookie => {
    expect(await bodyWith(cookie)).toBeNull()
    const own = `${SESSION_COOKIE}=${ann.cookies.get(SESSION_COOKIE)}`
    expect(await bodyWith(`${cookie}; ${own}`)).toMatchObject({ user: { name: 'Ann' } })
  })
})

describe('A session in several cookies', () => {
  const large = createApplication({
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, groups: 'g'.repeat(9000) } : token),
    },
  })

  async function chunksOf(visitor: Visitor): Promise<Map<string, string>> {
    return new Map([...visitor.cookies].filter(([name]) => name.startsWith(SESSION_COOKIE)))
  }

  async function read(chunks: ReadonlyMap<string, string>): Promise<Response> {
    const cookie = [...chunks].map(([name, value]) => `${name}=${value}`).join('; ')
    return large.handle(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }))
  }

  async function expectDead(chunks: ReadonlyMap<string, string>): Promise<void> {
    const response = await read(chunks)
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    const cleared = writtenCookies(response)
    expect(cleared.map(each => each.name).sort()).toEqual([...chunks.keys()].sort())
    expect(cleared.every(each => each.attributes['max-age'] === '0' && each.value === '')).toBe(
      true,
    )
  }

  it('is read whatever the order they come in', async () => {
    const chunks = await chunksOf(await signedIn(large))
    expect(chunks.size).toBe(4)
    const backwards = new Map([...chunks].reverse())
    expect(await (await read(backwards)).json()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('is no session if one was truncated', async () => {
    for (const index of [0, 1, 2, 3]) {
      const chunks = await chunksOf(await signedIn(large))
      const name = `${SESSION_COOKIE}.${index}`
      for (const length of [1, 10, (chunks.get(name)?.length ?? 0) - 1]) {
        const value = chunks.get(name)?.slice(0, length) ?? ''
        await expectDead(new Map([...chunks, [name, value]]))
      }
    }
  })

  it('is no session if two were swapped', async () => {
    const chunks = await chunksOf(await signedIn(large))
    for (const [left, right] of [
      [0, 1],
      [1, 2],
      [0, 3],
    ] as const) {
      const swapped = new Map(chunks)
      swapped.set(`${SESSION_COOKIE}.${left}`, chunks.get(`${SESSION_COOKIE}.${right}`) ?? '')
      swapped.set(`${SESSION_COOKIE}.${right}`, chunks.get(`${SESSION_COOKIE}.${left}`) ?? '')
      await expectDead(swapped)
    }
  })

  it('is no session if one is missing', async () => {
    const chunks = await chunksOf(await signedIn(large))
    for (const index of [0, 1, 2, 3]) {
      const fewer = new Map(chunks)
      fewer.delete(`${SESSION_COOKIE}.${index}`)
      await expectDead(fewer)
    }
  })

  it('is no session if one is of somebody else', async () => {
    const [ours, theirs] = [
      await chunksOf(await signedIn(large, ANN)),
      await chunksOf(await signedIn(large, BOB)),
    ]
    for (const index of [0, 1, 2, 3]) {
      const name = `${SESSION_COOKIE}.${index}`
      const mixed = new Map([...ours, [name, theirs.get(name) ?? '']])
      if (mixed.get(name) !== ours.get(name)) await expectDead(mixed)
    }
  })

  it('is not joined by cookies whose names are merely similar', async () => {
    const chunks = await chunksOf(await signedIn(large))
    for (const suffix of ['.x', '.-1', '.1e3', '.', '.0.0', '-0', '.9999', '0', '.0x']) {
      const more = new Map([[SESSION_COOKIE + suffix, 'x'], ...chunks])
      expect(await (await read(more)).json(), suffix).toMatchObject({ user: { name: 'Ann' } })
    }
  })

  it('gives way to one that came whole, and its pieces are cleared in time', async () => {
    const small = createApplication({ session: { updateAge: 0 } })
    const visitor = await signedIn(small)
    visitor.cookies.set(`${SESSION_COOKIE}.0`, 'stale')
    visitor.cookies.set(`${SESSION_COOKIE}.1`, 'stale')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    expect([...visitor.cookies.keys()].filter(name => name.startsWith(SESSION_COOKIE))).toEqual([
      SESSION_COOKIE,
    ])
  })
})
