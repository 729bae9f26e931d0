import { describe, expect, it } from 'vitest'
import { recordingLogger, SECRET } from '../visitor.ts'
import {
  createPeople,
  FIREFOX,
  handleOf,
  IPHONE,
  requestOf,
  STRATEGIES,
  sessionsOf,
} from './people.ts'

const DAY = 24 * 60 * 60 * 1000
const COOKIE = '__Secure-authjs.session-token'

describe.each(STRATEGIES)('the sessions of somebody, strategy %s', strategy => {
  it('are told by browser, system, provider and time, and which is this one', async () => {
    const { signIn, clock } = createPeople(strategy)
    const began = new Date(clock.now).toISOString()
    await signIn('ann', { 'user-agent': IPHONE })
    clock.now += 1000
    const laptop = await signIn('ann')
    await signIn('ben')
    expect(await sessionsOf(laptop)).toEqual([
      {
        handle: expect.any(String),
        isCurrent: true,
        browser: 'Firefox',
        system: 'Linux',
        label: null,
        provider: 'password',
        createdAt: new Date(clock.now).toISOString(),
        lastSeenAt: new Date(clock.now).toISOString(),
      },
      {
        handle: expect.any(String),
        isCurrent: false,
        browser: 'Safari',
        system: 'iPhone',
        label: null,
        provider: 'password',
        createdAt: began,
        lastSeenAt: began,
      },
    ])
  })

  it('are none for a stranger', async () => {
    const { signIn } = createPeople(strategy)
    const ann = await signIn('ann')
    ann.cookies.clear()
    expect(await sessionsOf(ann)).toEqual([])
  })

  it('are answered to nobody else’s cache', async () => {
    const { signIn } = createPeople(strategy)
    const answer = await (await signIn('ann')).get('/sessions')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('have handles that nobody can make without the newest secret', async () => {
    const first = createPeople(strategy)
    const ann = await first.signIn('ann')
    const { adapter } = first
    const secret = ['another secret that is long enough!', SECRET]
    const second = createPeople(strategy, { adapter, secret })
    const handle = await handleOf(second.at(ann))
    expect(handle).toMatch(/^[\w-]{22}$/)
    expect(handle).not.toBe(await handleOf(ann))
  })

  it('keep their handles, and say when they were last renewed', async () => {
    const { signIn, clock } = createPeople(strategy)
    const ann = await signIn('ann')
    const [before] = await sessionsOf(ann)
    clock.now += 2 * DAY
    await ann.session()
    const [after] = await sessionsOf(ann)
    const lastSeenAt = new Date(clock.now).toISOString()
    expect(after).toEqual({ ...before, lastSeenAt })
  })

  it('have the label that the application gives them', async () => {
    const { signIn } = createPeople(strategy, {
      session: { describe: ({ headers }) => headers.get('x-country') },
    })
    const ann = await signIn('ann', { 'user-agent': FIREFOX, 'x-country': 'Portugal' })
    expect(await sessionsOf(ann)).toMatchObject([{ label: 'Portugal', browser: 'Firefox' }])
  })

  it('lack the one that somebody signed out of', async () => {
    const { signIn } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    await phone.post('/signout')
    expect(await sessionsOf(laptop)).toHaveLength(1)
  })

  it('lack the one that a new sign-in in the same browser replaced', async () => {
    const { signIn } = createPeople(strategy)
    const ann = await signIn('ann')
    await ann.post('/callback/password', { who: 'ann' })
    expect(await sessionsOf(ann)).toHaveLength(1)
  })

  it('are all gone after users.endSessions', async () => {
    const { signIn, auth } = createPeople(strategy)
    await signIn('ann')
    await auth.users.endSessions('ann')
    expect(await sessionsOf(await signIn('ann'))).toHaveLength(1)
  })

  it('are the same by function', async () => {
    const { signIn, auth } = createPeople(strategy)
    const ann = await signIn('ann')
    expect(await auth.sessions.list(requestOf(ann))).toEqual(await sessionsOf(ann))
  })
})

describe.each(STRATEGIES)('ending one of them, strategy %s', strategy => {
  it('puts out the other browser, and this one stays', async () => {
    const { signIn } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const answer = await laptop.post('/sessions/end', { handle: await handleOf(phone) })
    expect(await answer.json()).toEqual({ ended: true })
    expect(await phone.session()).toBeNull()
    expect(await laptop.session()).not.toBeNull()
    expect(await sessionsOf(laptop)).toHaveLength(1)
  })

  it('takes the cookie away where it is one’s own', async () => {
    const { signIn } = createPeople(strategy)
    const ann = await signIn('ann')
    await ann.post('/sessions/end', { handle: await handleOf(ann) })
    expect(ann.cookies.has(COOKIE)).toBe(false)
  })

  it('is told as signing out where it is one’s own', async () => {
    const told: unknown[] = []
    const { signIn } = createPeople(strategy, { events: { signOut: () => void told.push(1) } })
    const ann = await signIn('ann')
    await ann.post('/sessions/end', { handle: await handleOf(ann) })
    expect(told).toHaveLength(1)
  })

  it('sends a form back to its page', async () => {
    const { signIn } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const fields = { handle: await handleOf(phone), callbackUrl: '/devices' }
    const answer = await laptop.post('/sessions/end', fields, { accept: 'text/html' })
    expect(answer.headers.get('location')).toBe('https://app.example.com/devices')
    expect(await phone.session()).toBeNull()
  })

  it('works by function, with the cookies that have to go along', async () => {
    const { signIn, auth } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const [handle, own] = [await handleOf(phone), await handleOf(laptop)]
    const [first, second] = [requestOf(laptop), requestOf(laptop)]
    expect(await auth.sessions.end(first, handle)).toBe(true)
    expect(auth.takeSetCookies(first)).toEqual([])
    expect(await auth.sessions.end(second, own)).toBe(true)
    expect(auth.takeSetCookies(second)).toContainEqual(
      expect.stringMatching(`^${COOKIE}=;.*Max-Age=0`),
    )
    expect(await phone.session()).toBeNull()
  })
})

describe.each(STRATEGIES)('ending all others, strategy %s', strategy => {
  it('puts out every other browser, and this one stays', async () => {
    const { signIn, clock } = createPeople(strategy)
    const others = [await signIn('ann'), await signIn('ann')]
    const laptop = await signIn('ann')
    const ben = await signIn('ben')
    const answer = await laptop.postJson('/sessions/end', { others: true })
    expect(await answer.json()).toEqual({ ended: true })
    for (const other of others) expect(await other.session()).toBeNull()
    expect(await ben.session()).not.toBeNull()
    clock.now += 2 * DAY
    expect(await laptop.session()).not.toBeNull()
    expect(await sessionsOf(laptop)).toHaveLength(1)
  })

  it('can be done again, from another browser', async () => {
    const { signIn, auth } = createPeople(strategy)
    const laptop = await signIn('ann')
    await auth.sessions.endOthers(requestOf(laptop))
    const phone = await signIn('ann')
    await auth.sessions.endOthers(requestOf(phone))
    expect(await laptop.session()).toBeNull()
    expect(await phone.session()).not.toBeNull()
  })

  it('is undone by nothing: users.endSessions ends the one that stayed', async () => {
    const { signIn, auth } = createPeople(strategy)
    const laptop = await signIn('ann')
    await auth.sessions.endOthers(requestOf(laptop))
    await auth.users.endSessions('ann')
    expect(await laptop.session()).toBeNull()
  })

  it('says so where nobody is signed in', async () => {
    const { signIn } = createPeople(strategy)
    const ann = await signIn('ann')
    ann.cookies.clear()
    const answer = await ann.post('/sessions/end', { others: 'true' })
    expect(await answer.json()).toEqual({ ended: false })
  })
})

describe('sessions in cookies that are not tracked', () => {
  const untracked = { session: { track: false } }

  it('are not listed, and the function says what to do', async () => {
    const { signIn, auth } = createPeople('jwt', untracked)
    const ann = await signIn('ann')
    await expect(auth.sessions.list(requestOf(ann))).rejects.toThrow('Set session.track to true')
    expect((await ann.get('/sessions')).status).toBe(404)
  })

  it('are not ended one by one either, and the function says what to do', async () => {
    const { signIn, auth } = createPeople('jwt', untracked)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const ending = auth.sessions.endOthers(requestOf(laptop))
    await expect(ending).rejects.toThrow('Set session.track to true')
    expect(await phone.session()).not.toBeNull()
  })

  it('cost the store nothing', async () => {
    const { signIn, adapter } = createPeople('jwt', untracked)
    const ann = await signIn('ann')
    expect(await adapter.trackedSessions.list('ann', 10)).toEqual([])
    await ann.session()
    expect(await adapter.trackedSessions.list('ann', 10)).toEqual([])
  })

  it('are listed from their next renewal on, once they are tracked', async () => {
    const { signIn, adapter, clock } = createPeople('jwt', untracked)
    const phone = await signIn('ann')
    const after = createPeople('jwt', { adapter, ports: { now: () => clock.now } })
    const laptop = await after.signIn('ann')
    expect(await sessionsOf(laptop)).toHaveLength(1)
    clock.now += 2 * DAY
    await after.at(phone).session()
    expect(await sessionsOf(laptop)).toHaveLength(2)
  })

  it('are listed to themselves all the same, by what the browser says now', async () => {
    const { signIn, adapter } = createPeople('jwt', untracked)
    const phone = await signIn('ann')
    const after = createPeople('jwt', { adapter })
    const answer = await after.at(phone).get('/sessions', { 'user-agent': IPHONE })
    expect(await answer.json()).toMatchObject([{ isCurrent: true, system: 'iPhone' }])
  })
})

describe('a configuration', () => {
  it.each([
    ['no place for tracked sessions', { adapter: undefined }, /session.track needs an adapter/],
    ['sessions that cannot be ended', { session: { revocation: false } }, /can be ended/],
    ['a store that lacks methods', { session: { track: { add() {} } } }, /with the methods add/],
    ['a description that is no function', { session: { describe: 'a phone' } }, /a function/],
  ])('with %s is at fault', async (_, wrong, fault) => {
    const { logger, errors } = recordingLogger()
    // What JavaScript lets people write.
    const { auth } = createPeople('jwt', { logger, ...(wrong as object) })
    await auth.handle(new Request('https://app.example.com/auth/csrf'))
    expect(errors.map(error => error.message)).toContainEqual(expect.stringMatching(fault))
  })
})

describe('rows of sessions', () => {
  it('are written without details where the adapter knows none', async () => {
    const { adapter, signIn } = createPeople('database')
    const written: object[] = []
    const { extends: _, ...published } = adapter
    const after = createPeople('database', {
      adapter: {
        ...published,
        createSession(session) {
          written.push(session)
          return adapter.createSession(session)
        },
      },
    })
    await signIn('ann')
    const ann = await after.signIn('ann')
    expect(written.map(Object.keys)).toEqual([['sessionToken', 'expires', 'userId']])
    expect(await after.at(ann).session()).not.toBeNull()
  })

  it('say nothing of the browser where that is not wanted', async () => {
    const { adapter, signIn } = createPeople('database', { session: { track: false } })
    await signIn('ann')
    const [row] = await adapter.listSessions('ann')
    expect(row?.userAgent).toBeUndefined()
    expect(row?.createdAt).toBeInstanceOf(Date)
  })
})
