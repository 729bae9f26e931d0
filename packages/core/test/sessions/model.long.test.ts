import { createAuth } from '@siteauth/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createLog } from '../revocation/network.ts'
import { searchFor } from '../search-for.ts'
import { readWithoutRenewal, recordingLogger, SECRET, Visitor } from '../visitor.ts'
import { COOKIE, DAY, SECOND } from './site.ts'

// One person with two browsers, at two servers, in any order. What was ended or replaced is never accepted
// again, nothing outlives absoluteAge, and nobody is signed out but who was.

/** How long is looked, in all. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 1)
const MAX_AGE = 3 * DAY
const ABSOLUTE_AGE = 5 * DAY
const GRACE = 30 * SECOND
/** How far the clocks of two servers may differ, and how old their knowledge may be. */
const SLACK = { clocks: 15 * SECOND, channel: 0, poll: 11 * SECOND }

interface Setting {
  readonly strategy: 'jwt' | 'database'
  readonly hashTokens: boolean | 'migrate'
  readonly hasChannel: boolean
}

const SETTINGS: readonly Setting[] = [
  { strategy: 'jwt', hashTokens: false, hasChannel: true },
  { strategy: 'jwt', hashTokens: false, hasChannel: false },
  { strategy: 'database', hashTokens: false, hasChannel: true },
  { strategy: 'database', hashTokens: 'migrate', hasChannel: true },
]

const who = { browser: fc.nat({ max: 1 }), server: fc.nat({ max: 1 }) }
const old = fc.nat({ max: 30 })
const action = fc.oneof(
  fc.record({ do: fc.constant('sign in' as const), ...who, remember: fc.boolean() }),
  fc.record({ do: fc.constant('add account' as const), ...who }),
  fc.record({ do: fc.constant('rotate' as const), ...who }),
  fc.record({ do: fc.constant('rotate beside reads' as const), ...who }),
  fc.record({ do: fc.constant('read' as const), ...who }),
  fc.record({ do: fc.constant('read with an old cookie' as const), ...who, old }),
  fc.record({ do: fc.constant('update with an old cookie' as const), ...who, old }),
  fc.record({ do: fc.constant('sign in over an old cookie' as const), ...who, old }),
  fc.record({ do: fc.constant('sign out' as const), ...who }),
  fc.record({ do: fc.constant('sign out with an old cookie' as const), ...who, old }),
  fc.record({ do: fc.constant('end user' as const), ...who }),
  fc.record({
    do: fc.constant('wait' as const),
    ...who,
    time: fc.constantFrom(SECOND, 12 * SECOND, 29 * SECOND, 31 * SECOND, DAY, 2 * DAY),
  }),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

describe.each(SETTINGS)(
  '$strategy sessions, hashed: $hashTokens, a channel: $hasChannel',
  setting => {
    it(
      'end when they should, and not before',
      async () => {
        await run(setting, []) // loads what takes its time once
        const property = fc.asyncProperty(
          fc.array(action, { minLength: 1, maxLength: 14 }),
          async actions => run(setting, actions),
        )
        await searchFor(SECONDS / SETTINGS.length, property)
      },
      SECONDS * 1000 + 60_000,
    )
  },
)

/** A session, whichever cookies it has had. */
interface Model {
  readonly began: number
  replaced?: number
  ended?: number
  /** Somebody may have ended it with a cookie that was perhaps too old. */
  isUnsure?: boolean
  /** The same session under its next token, and under the one before. */
  next?: Model
  previous?: Model
}

async function run(setting: Setting, actions: readonly Action[]): Promise<void> {
  const world = await createWorld(setting)
  for (const each of actions) {
    await world.act(each)
    await world.check(JSON.stringify(each))
  }
}

async function createWorld({ strategy, hashTokens, hasChannel }: Setting) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const store = MemoryAdapter()
  const { log, state } = createLog(now)
  state.hasChannel = hasChannel
  await store.createUser({ id: 'ann', name: 'Ann', email: 'a@b.test', emailVerified: new Date(0) })
  const { logger, errors } = recordingLogger()
  const servers = [0, 1].map(() =>
    createAuth(
      {
        secret: SECRET,
        logger,
        adapter: { ...store, revocations: { ...log } },
        session: {
          strategy,
          hashTokens,
          maxAge: MAX_AGE / SECOND,
          absoluteAge: ABSOLUTE_AGE / SECOND,
        },
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: () => store.getUser('ann'),
          },
          {
            id: 'op',
            name: 'OP',
            type: 'oauth',
            clientId: 'client',
            clientSecret: 'secret',
            authorization: 'https://op.test/authorize',
            token: 'https://op.test/token',
            userinfo: 'https://op.test/userinfo',
          },
        ],
        ports: { now, fetch: answerAsProvider },
      },
      { env: { NODE_ENV: 'test', AUTH_URL: 'https://app.example.com/auth' } },
    ),
  )
  const server = (index: number) => servers[index] as (typeof servers)[number]
  /** Which server a browser reaches next. */
  const reached = [0, 0]
  const browsers = [0, 1].map(
    index => new Visitor(request => server(reached[index] ?? 0).handle(request)),
  )
  const csrf = await new Visitor(server(0).handle).csrfToken.call(browsers[0])
  const [form] = [...(browsers[0]?.cookies ?? [])]
  for (const each of browsers) if (form) each.cookies.set(...form)

  const sessions = new Map<string, Model>()
  /** Until when a cookie was said to be good. */
  const promised = new Map<string, number>()
  /** Every cookie there has been, the newest last. */
  const cookies: string[] = []
  /** The process that ended a session knows at once; the others may have to look. */
  const slack = hasChannel || strategy === 'database' ? SLACK.channel : SLACK.poll

  function note(token: string | undefined, model: Model): void {
    if (!token || sessions.has(token)) return
    sessions.set(token, model)
    cookies.push(token)
  }

  function post(visitor: Visitor, path: string, fields: Record<string, string> = {}) {
    const body = new URLSearchParams({ csrfToken: csrf, ...fields })
    return visitor.send(path, { method: 'POST', body })
  }

  /** A browser of its own that has only this session. */
  function holder(token: string, index: number): Visitor {
    const visitor = new Visitor(server(index).handle)
    if (form) visitor.cookies.set(...form)
    visitor.cookies.set(COOKIE, token)
    return visitor
  }

  function isOver(model: Model, tolerance: number): boolean {
    const { began, replaced, ended } = model
    return (
      (ended !== undefined && clock.now >= ended + tolerance) ||
      (replaced !== undefined && clock.now >= replaced + GRACE + tolerance) ||
      clock.now >= began + ABSOLUTE_AGE + SLACK.clocks
    )
  }

  /** Whether it may be anything but alive by now. */
  const isDoubtful = (model: Model) =>
    model.isUnsure || model.ended !== undefined || model.replaced !== undefined || isOver(model, 0)

  async function read(visitor: Visitor, answer: Response, model: Model | undefined, token: string) {
    const session = (await answer.clone().json()) as { expires: string } | null
    if (!model) return
    if (isOver(model, slack)) expect(session, 'what is over').toBeNull()
    if (!isDoubtful(model) && clock.now < (promised.get(token) ?? 0)) {
      expect(session, 'who was promised more').not.toBeNull()
    }
    const after = visitor.cookies.get(COOKIE)
    if (model.replaced !== undefined && session && clock.now >= model.replaced + slack) {
      const set = answer.headers.getSetCookie().filter(line => line.startsWith(COOKIE))
      expect(set, 'cookies over those of the new session').toEqual([])
    }
    if (!session || !after) return
    note(after, model)
    const end = Date.parse(session.expires)
    expect(end).toBeLessThanOrEqual(model.began + ABSOLUTE_AGE)
    if (!isDoubtful(model)) promised.set(after, end)
  }

  async function replaceIn(
    visitor: Visitor,
    began: number,
    change: () => Promise<unknown>,
    how: { readonly isRotation?: boolean } = {},
  ) {
    const before = visitor.cookies.get(COOKIE)
    await change()
    const after = visitor.cookies.get(COOKIE)
    if (!after || after === before) return
    const earlier = before === undefined ? undefined : sessions.get(before)
    if (earlier && earlier.ended === undefined) earlier.replaced ??= clock.now
    const model: Model = { began }
    if (earlier && how.isRotation) Object.assign(model, { previous: earlier })
    if (earlier && how.isRotation) earlier.next = model
    note(after, model)
    promised.set(after, Math.min(clock.now + MAX_AGE, began + ABSOLUTE_AGE))
  }

  async function rotate(index: number, visitor: Visitor): Promise<void> {
    const headers = { cookie: visitor.cookieHeader() }
    const request = { headers }
    await server(index).sessions.rotate(request)
    for (const line of server(index).takeSetCookies(request)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) visitor.cookies.set(name, value)
    }
  }

  async function signOut(visitor: Visitor): Promise<void> {
    const token = visitor.cookies.get(COOKIE) ?? ''
    const model = sessions.get(token)
    await post(visitor, '/signout')
    if (!model) return
    const isCertain = clock.now < (promised.get(token) ?? 0)
    end(model, isCertain)
    if (model.previous) end(model.previous, isCertain)
    endNext(model, isCertain)
  }

  function end(model: Model, isCertain: boolean): void {
    if (isCertain) model.ended ??= clock.now
    else model.isUnsure = true
  }

  /** With a token that was replaced a moment ago, its session ends, whatever token it has by now. */
  function endNext({ next, replaced = 0 }: Model, isCertain: boolean): void {
    if (!next || clock.now >= replaced + GRACE + slack) return
    const isInTime = isCertain && clock.now < replaced + GRACE
    end(next, isInTime)
    endNext(next, isInTime)
  }

  return {
    async act(each: Action): Promise<void> {
      const visitor = browsers[each.browser] as Visitor
      reached[each.browser] = each.server
      const before = visitor.cookies.get(COOKIE) ?? ''
      const model = sessions.get(before)
      const past = 'old' in each ? cookies.at(-1 - (each.old % Math.max(cookies.length, 1))) : ''
      const copy = holder(past ?? '', each.server)
      const ofPast = sessions.get(past ?? '')
      switch (each.do) {
        case 'sign in':
          return replaceIn(visitor, clock.now, () =>
            post(visitor, '/callback/password', { remember: String(each.remember) }),
          )
        case 'add account':
          return replaceIn(visitor, clock.now, async () => {
            if ((await visitor.session()) === null) return
            note(visitor.cookies.get(COOKIE), model ?? { began: clock.now })
            const started = await post(visitor, '/signin/op')
            const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
            await visitor.send(`/callback/op?code=c&state=${state}`)
          })
        case 'rotate':
          return replaceIn(visitor, model?.began ?? clock.now, () => rotate(each.server, visitor), {
            isRotation: true,
          })
        case 'rotate beside reads': {
          const readers = [holder(before, 0), holder(before, 1)]
          await replaceIn(
            visitor,
            model?.began ?? clock.now,
            () =>
              Promise.all([
                rotate(each.server, visitor),
                ...readers.map(reader => reader.get('/session')),
              ]),
            { isRotation: true },
          )
          // What was renewed just before is the old session still.
          if (model) for (const reader of readers) note(reader.cookies.get(COOKIE), model)
          return
        }
        case 'read':
          return read(visitor, await visitor.get('/session'), model, before)
        case 'read with an old cookie':
          return read(copy, await copy.get('/session'), ofPast, past ?? '')
        case 'update with an old cookie': {
          const body = JSON.stringify({ csrfToken: csrf, data: { name: 'Eve' } })
          const headers = { 'content-type': 'application/json' }
          const answer = await copy.send('/session', { method: 'POST', headers, body })
          return read(copy, answer, ofPast, past ?? '')
        }
        case 'sign in over an old cookie':
          await replaceIn(copy, clock.now, () => post(copy, '/callback/password'))
          // A token that was replaced a moment ago ends with what came of it.
          if (ofPast) endNext(ofPast, clock.now < (promised.get(past ?? '') ?? 0))
          return
        case 'sign out':
          return signOut(visitor)
        case 'sign out with an old cookie':
          return signOut(copy)
        case 'end user':
          await server(each.server).users.endSessions('ann')
          for (const each of sessions.values()) each.ended ??= clock.now
          return
        case 'wait':
          clock.now += each.time
      }
    },
    /** What each cookie that there has been is good for by now, at both servers. */
    async check(after: string): Promise<void> {
      for (const [token, model] of [...sessions]) {
        for (const each of servers) {
          const headers = { cookie: `${COOKIE}=${token}` }
          const request = { headers, url: 'https://app.example.com/' }
          const session = await readWithoutRenewal(each, request)
          if (isOver(model, slack)) expect(session, `what is over, after ${after}`).toBeNull()
          if (!isDoubtful(model) && clock.now < (promised.get(token) ?? 0)) {
            expect(session, `who was promised more, after ${after}`).not.toBeNull()
          }
        }
      }
      // Whoever was replaced a moment ago can look, and add nothing.
      const refused = 'Another user has this address. Sign in as that user first'
      const others = errors.filter(each => !each.message.startsWith(refused))
      expect(others.map(each => each.message)).toEqual([])
    },
  }
}

const answerAsProvider: typeof fetch = async input => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input))
  return pathname === '/token'
    ? Response.json({ access_token: 'token', token_type: 'bearer' })
    : Response.json({ id: 'ann-at-op', name: 'Ann', email: 'a@b.test' })
}
