import { type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { expect, vi } from 'vitest'
import { type CompleteAdapter, MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createFaultyStore, type Disturbance, type Disturbed, type Fault } from '../faulty-store.ts'
import { readWithoutRenewal, SECRET } from '../visitor.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND
const GRACE = 30 * SECOND
/** For how much longer an old token ends a session that is a row. */
const CLOCK_MARGIN = 120 * SECOND
const COOKIE = '__Secure-authjs.session-token'

export interface Setting {
  readonly strategy: 'jwt' | 'database'
  readonly hashTokens: boolean
  readonly check: 'always' | 'on-renewal'
}

/** What one of the browsers does, and at which server. */
export interface What {
  readonly do: (typeof ACTIONS)[number]
  readonly browser: number
  readonly server: number
  /** The browser whose session is ended. */
  readonly target: number
  /** How many tokens ago the session had the token that it is signed out with. */
  readonly age: number
}

export const ACTIONS = [
  'sign in',
  'rotate',
  'renew',
  'sign out',
  'sign out with an old token',
  'end one',
  'end others',
  'end all',
] as const

export interface Step {
  /** In seconds, before it. */
  readonly wait: number
  readonly what: What
  readonly disturbance:
    | { readonly at: number; readonly fault: Fault }
    | { readonly at: number; readonly meanwhile: What }
    | null
}

interface Token {
  readonly text: string
  /** When another took its place. */
  replaced?: number
}

/** A session as it should be. */
interface Model {
  /** `unsure`: a call that may have ended it has failed. `leaving`: a browser has signed in over it. */
  status: 'live' | 'unsure' | 'leaving' | 'ended'
  readonly holder: number
  /** The newest last. */
  readonly tokens: Token[]
  /** When a leaving session is over. */
  over: number
  /** The list could not be written when it began. */
  isUnlisted: boolean
}

type SessionCall = (auth: AuthInstance, request: ReturnType<typeof requestWith>) => Promise<unknown>

function requestWith(token: string | undefined) {
  const headers: Record<string, string> = token ? { cookie: `${COOKIE}=${token}` } : {}
  return { headers, url: 'https://app.example.com/devices' }
}

/**
 * One user with three browsers, at several servers.
 *
 * @param offsets how far the clock of each server is ahead, in seconds
 */
export async function createHousehold(setting: Setting, offsets: readonly number[]) {
  const memory = MemoryAdapter()
  const store = createFaultyStore(memory)
  await memory.createUser({ id: 'ann', name: 'Ann', email: 'ann@a.test', emailVerified: null })
  const servers = offsets.map(offset => createServer(setting, offset * SECOND, store.adapter))
  /** How far any two clocks are apart. */
  const skew = Math.max(...offsets.map(Math.abs)) * SECOND
  /** The session cookie of each browser. */
  const cookies: (string | undefined)[] = []
  const sessions: Model[] = []

  const serverAt = (index: number) => servers[index] as AuthInstance
  const newest = ({ tokens }: Model) => tokens.at(-1) as Token
  const modelOf = (token: string | undefined) =>
    sessions.find(({ tokens }) => tokens.some(({ text }) => text === token))

  /** Calls the library for a browser, whose cookie follows, also if the call fails. */
  async function call({ browser, server }: What, act: SessionCall): Promise<unknown> {
    const request = requestWith(cookies[browser])
    try {
      return await act(serverAt(server), request)
    } finally {
      for (const line of serverAt(server).takeSetCookies(request)) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (name === COOKIE) cookies[browser] = value || undefined
      }
    }
  }

  /** Whether a server takes a token for one of a session. */
  async function isAccepted(server: AuthInstance, token: string): Promise<boolean> {
    const request = requestWith(token)
    // With 'on-renewal', reading a session asks nobody.
    return setting.check === 'on-renewal'
      ? (await server.sessions.list(request)).length > 0
      : (await readWithoutRenewal(server, request)) !== null
  }

  async function handleOf(server: AuthInstance, token: string): Promise<string | undefined> {
    return (await server.sessions.list(requestWith(token))).find(each => each.isCurrent)?.handle
  }

  function end(model: Model | undefined, isCertain: boolean): void {
    if (model && model.status !== 'ended') model.status = isCertain ? 'ended' : 'unsure'
  }

  /** Runs something with the store disturbed or not, and notes what should have come of it. */
  async function perform(what: What, disturbance: Disturbance | null): Promise<void> {
    const before = cookies[what.browser]
    const own = modelOf(before)
    const ownStatus = own?.status
    const existing = sessions.filter(({ status }) => status !== 'ended')
    const run = (act: () => Promise<unknown>) =>
      disturbance ? store.during(disturbance, act) : quietly(act)
    // Nothing came between: what it reports must be true.
    const isPlain = (done: Disturbed) => done.error === undefined && done.hit === undefined

    switch (what.do) {
      case 'sign in': {
        const done = await run(() => call(what, (auth, it) => auth.signIn(it, 'password', {})))
        const token = cookies[what.browser]
        if (token && !modelOf(token)) {
          const isUnlisted = done.hit === 'trackedSessions.add'
          const holder = what.browser
          sessions.push({ status: 'live', holder, tokens: [{ text: token }], over: 0, isUnlisted })
          // Something else may have ended it at once.
          if (done.hit === 'meanwhile') end(modelOf(token), false)
        }
        if (own && own.status !== 'ended') {
          own.status = isPlain(done) ? 'leaving' : 'unsure'
          own.over = Date.now() + GRACE + skew
        }
        return
      }
      case 'rotate':
      case 'renew': {
        const isRotation = what.do === 'rotate'
        const done = await run(() =>
          call(what, (auth, it) => (isRotation ? auth.sessions.rotate(it) : auth.getSession(it))),
        )
        const token = cookies[what.browser]
        if (!own || !token || modelOf(token)) return
        // A rotation that reports a failure may have replaced nothing. The application can repeat it.
        const isCertain = isRotation && done.error === undefined
        if (isCertain) for (const each of own.tokens) each.replaced ??= Date.now()
        own.tokens.push({ text: token })
        if (isPlain(done)) own.isUnlisted = false
        return
      }
      case 'sign out': {
        const done = await run(() => call(what, (auth, it) => auth.signOut(it)))
        return end(own, isPlain(done))
      }
      case 'sign out with an old token': {
        const token = own?.tokens.at(-1 - (what.age % own.tokens.length))
        if (!own || !token) return
        const now = Date.now()
        const rotated = Math.max(...own.tokens.map(({ replaced = 0 }) => replaced))
        const done = await run(() => serverAt(what.server).signOut(requestWith(token.text)))
        const { replaced = Infinity } = token
        const margin = setting.strategy === 'database' ? CLOCK_MARGIN : 0
        const isOver = replaced < now && now >= rotated + GRACE + skew + margin
        if (now < replaced + GRACE - skew) end(own, isPlain(done))
        else if (!isOver) end(own, false)
        return
      }
      case 'end one': {
        const target = modelOf(cookies[what.target])
        const token = target && cookies[what.target]
        const handle = token && (await handleOf(serverAt(what.server), token))
        if (!target || !handle) return
        let isEnded: unknown
        const done = await run(async () => {
          isEnded = await call(what, (auth, it) => auth.sessions.end(it, handle))
        })
        if (isPlain(done) && ownStatus === 'live') expect(isEnded, 'the end of one').toBe(true)
        if (isEnded === true && target !== own) end(target, true)
        else if (isEnded !== false) end(target, isPlain(done))
        return
      }
      case 'end others': {
        let isEnded: unknown
        const done = await run(async () => {
          isEnded = await call(what, (auth, it) => auth.sessions.endOthers(it))
        })
        if (isPlain(done) && ownStatus === 'live') expect(isEnded, 'the end of others').toBe(true)
        if (isEnded === false) return
        for (const each of sessions) {
          if (each === own) continue
          const isKnown = existing.includes(each) && !each.isUnlisted
          // One that was signed in over has left the list, and can be read for its moment.
          if (Date.now() >= each.over) end(each, isEnded === true && isKnown)
        }
        return
      }
      default: {
        const done = await run(() => serverAt(what.server).users.endSessions('ann'))
        for (const each of sessions) {
          end(each, done.error === undefined && existing.includes(each))
        }
      }
    }
  }

  /** Two sign-ins in one browser, or a sign-in beside something else of it, leave the cookie that came last. */
  async function performBeside(main: What, meanwhile: What): Promise<void> {
    const isSame = main.browser === meanwhile.browser
    if (isSame && (main.do === 'sign in' || meanwhile.do === 'sign in')) return
    await perform(meanwhile, null)
  }

  /** Which servers accept the newest token of a session, by the cookie of its browser if it has one. */
  async function acceptingServers(model: Model): Promise<AuthInstance[]> {
    const accepting: AuthInstance[] = []
    for (const server of servers) {
      if (await isAccepted(server, newest(model).text)) accepting.push(server)
    }
    return accepting
  }

  async function check(when: string): Promise<void> {
    const accepted = new Map<Model, AuthInstance[]>()
    for (const [index, model] of sessions.entries()) {
      const name = `session ${index}, ${model.status}, ${when}`
      const accepting = await acceptingServers(model)
      if (model.status === 'live') {
        expect(cookies[model.holder], `the cookie of ${name}`).toBe(newest(model).text)
        expect(accepting.length, `the servers that accept ${name}`).toBe(servers.length)
      }
      const isOver = model.status === 'leaving' && Date.now() >= model.over
      if (isOver) model.status = 'ended'
      const isGone = accepting.length === 0 && Date.now() >= model.over
      if (model.status === 'unsure' && isGone) model.status = 'ended'
      if (model.status === 'ended') await checkRejected(model.tokens, name)
      await checkRejected(replacedTokens(model), `the replaced tokens of ${name}`)
      if (model.status === 'live' || model.status === 'unsure') accepted.set(model, accepting)
    }
    await checkLists(accepted, when)
  }

  /** The tokens whose time is up. */
  function replacedTokens({ tokens }: Model): readonly Token[] {
    const rotated = Math.max(...tokens.map(({ replaced = 0 }) => replaced))
    const isOver = Date.now() >= rotated + GRACE + skew + SECOND
    return isOver ? tokens.filter(({ replaced }) => replaced !== undefined) : []
  }

  async function checkRejected(tokens: readonly Token[], name: string): Promise<void> {
    for (const { text } of tokens) {
      for (const server of servers) expect(await isAccepted(server, text), name).toBe(false)
    }
  }

  /** Whichever server a browser asks, and whichever session it has: all that are accepted are listed. */
  async function checkLists(
    accepted: ReadonlyMap<Model, readonly AuthInstance[]>,
    when: string,
  ): Promise<void> {
    for (const [model, [server]] of accepted) {
      if (!server || model.isUnlisted) continue
      const handle = await handleOf(server, newest(model).text)
      // A session that has just been replaced has no place in the list.
      if (handle === undefined) continue
      for (const [viewer, viewers] of accepted) {
        if (viewer === model) continue
        for (const each of viewers) {
          const list = await each.sessions.list(requestWith(newest(viewer).text))
          if (list.length === 0) continue
          const name = `session ${sessions.indexOf(model)} in the list of session ${sessions.indexOf(viewer)}`
          expect(
            list.map(listed => listed.handle),
            `${name}, ${when}`,
          ).toContain(handle)
        }
      }
    }
  }

  return {
    async take({ wait, what, disturbance }: Step): Promise<void> {
      vi.setSystemTime(Date.now() + wait * SECOND)
      await check(`after waiting ${wait} s`)
      const fault =
        disturbance &&
        ('fault' in disturbance
          ? disturbance
          : { at: disturbance.at, fault: () => performBeside(what, disturbance.meanwhile) })
      await perform(what, fault)
      await check(`after ${what.do}`)
    },
  }
}

async function quietly(act: () => Promise<unknown>): Promise<Disturbed> {
  try {
    await act()
    return { calls: [], hit: undefined, error: undefined }
  } catch (error) {
    return { calls: [], hit: undefined, error: error ?? new Error('no reason') }
  }
}

function createServer(
  { strategy, hashTokens, check }: Setting,
  offset: number,
  adapter: CompleteAdapter,
): AuthInstance {
  // A log of its own, as every process has: only what is stored is shared.
  const own: Adapter = { ...adapter, revocations: { ...adapter.revocations } }
  return createAuth(
    {
      secret: SECRET,
      adapter: own,
      logger: { error() {}, warn() {}, debug() {} },
      session: {
        strategy,
        hashTokens,
        maxAge: (60 * DAY) / SECOND,
        ...(strategy === 'jwt' && { track: true, revocation: { check } }),
      },
      providers: [
        {
          id: 'password',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: () => ({ id: 'ann', name: 'Ann', email: 'ann@a.test' }),
        },
      ],
      ports: { now: () => Date.now() + offset },
    },
    { env: { NODE_ENV: 'test', AUTH_URL: 'https://app.example.com/auth' } },
  )
}
