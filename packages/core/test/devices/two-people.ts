import { type AuthInstance, createAuth } from '@siteauth/core'
import { createHasher } from '@siteauth/core/passwords'
import Password from '@siteauth/core/providers/password'
import { expect, vi } from 'vitest'
import { type CompleteAdapter, MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createFaultyStore, type Disturbed } from '../faulty-store.ts'
import { browserWith, CookieJar } from '../security/cookie-jar.ts'
import { SESSION_COOKIE } from '../spec/application.ts'
import { readWithoutRenewal, SECRET, Visitor } from '../visitor.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND
const GRACE = 30 * SECOND
const ORIGIN = 'https://app.example.com'
const ENDPOINTS = new URL(`${ORIGIN}/auth/session`)

export type Person = 'ann' | 'eve'
const PEOPLE: readonly Person[] = ['ann', 'eve']

export const BROWSERS = ['ann 1', 'ann 2', 'eve 1', 'eve 2'] as const
type BrowserName = (typeof BROWSERS)[number]
const personAt = (browser: BrowserName) => browser.slice(0, 3) as Person

export interface Setting {
  readonly strategy: 'jwt' | 'database'
  readonly check: 'always' | 'on-renewal'
}

export const ACTIONS = [
  'sign in',
  'sign in',
  'rotate',
  'renew',
  'update',
  'sign out',
  'end one',
  'end others',
  'end all',
  'change the password',
  'plant a session',
  'start at the provider',
  'finish at the provider',
  'use what has ended',
] as const

/** What a person does in a browser, and at which server. */
export interface Action {
  readonly do: (typeof ACTIONS)[number]
  readonly browser: BrowserName
  readonly server: number
  /** The browser whose session it is about. */
  readonly target: BrowserName
  /** Chooses among what there is. */
  readonly choice: number
}

export interface Step {
  /** In seconds, before it. */
  readonly wait: number
  readonly action: Action
  /** Something else that is done at that call of the store, from 1. */
  readonly meanwhile: { readonly at: number; readonly action: Action } | null
}

interface Token {
  readonly text: string
  /** When another took its place. */
  replaced?: number
}

/** A session as it should be. */
interface Known {
  readonly person: Person
  readonly browser: BrowserName
  readonly userId: string
  /** The newest last. */
  readonly tokens: Token[]
  /** `unsure`: it may have ended. `leaving`: a browser has signed in over it. */
  status: 'live' | 'unsure' | 'leaving' | 'ended'
  /** Until when it may be read though it has ended. */
  over: number
  /** It has ended, and was seen to be rejected. */
  isChecked?: boolean
}

interface Attempt {
  readonly state: string
  /** How often all sessions of each user had been ended when it was issued. */
  readonly revocations: ReadonlyMap<string, number>
}

interface Browser {
  readonly jar: CookieJar
  /** The session cookie that the application has set. */
  own: string | undefined
  /** The session cookies that the application has set since they were last looked at. */
  issued: string[]
  attempt: Attempt | null
}

const CHEAP = { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } } as const
const hasher = createHasher(CHEAP)

/** Two people with two browsers each, at two servers whose clocks are ahead by so many seconds, or behind. */
export async function createTwoPeople(setting: Setting, offsets: readonly number[]) {
  const memory = MemoryAdapter()
  const store = createFaultyStore(memory, ['passwords', 'revocations', 'trackedSessions'])
  const servers = offsets.map(offset => createServer(setting, offset * SECOND, store.adapter))
  const skew = Math.max(...offsets.map(Math.abs)) * SECOND
  const browsers = Object.fromEntries(
    BROWSERS.map(name => [
      name,
      { jar: new CookieJar(), own: undefined, issued: [], attempt: null },
    ]),
  ) as unknown as Readonly<Record<BrowserName, Browser>> // one for each name
  const sessions: Known[] = []
  const passwords: Record<Person, string> = {
    ann: 'the first word of ann',
    eve: 'the first word of eve',
  }
  const userIds = {} as Record<Person, string>
  /** How often all sessions of a user have been ended. */
  const revocations = new Map<string, number>()
  let changes = 0
  /** What did not hold in the middle of something. */
  const failures: unknown[] = []

  for (const person of PEOPLE) {
    const user = {
      id: person,
      name: person,
      email: `${person}@example.test`,
      emailVerified: new Date(),
    }
    const { id } = await memory.createUser(user)
    userIds[person] = id
    const hash = await hasher.hash(passwords[person])
    await memory.passwords.set({ userId: id, hash, changedAt: new Date() })
  }

  const serverAt = (index: number) => servers[index] as AuthInstance
  const newest = ({ tokens }: Known) => tokens.at(-1) as Token
  const knownBy = (text: string | undefined) =>
    sessions.find(({ tokens }) => tokens.some(each => each.text === text))
  const sentBy = ({ jar }: Browser) => jar.valuesAt(ENDPOINTS, SESSION_COOKIE)
  const isPlanted = (browser: Browser) => sentBy(browser).some(text => text !== browser.own)

  /** A browser at a server. */
  function visit({ browser, server }: Pick<Action, 'browser' | 'server'>): Visitor {
    const state = browsers[browser]
    return browserWith(state.jar, async request => {
      const response = await serverAt(server).handle(request)
      for (const line of response.headers.getSetCookie()) note(state, line)
      return response
    })
  }

  function note(browser: Browser, line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== SESSION_COOKIE || /; Domain=/i.test(line) || !/; Path=\/(;|$)/.test(line)) return
    browser.own = value && !line.includes('Max-Age=0') ? value : undefined
    if (browser.own) browser.issued.push(browser.own)
  }

  /** Calls a server as an application does on a page, with the cookies of a browser. */
  async function call(
    { browser, server }: Action,
    act: (auth: AuthInstance, request: ReturnType<typeof requestWith>) => Promise<unknown>,
  ): Promise<void> {
    const { jar } = browsers[browser]
    const request = requestWith(jar.headerFor(ENDPOINTS))
    try {
      await act(serverAt(server), request)
    } finally {
      for (const line of serverAt(server).takeSetCookies(request)) {
        note(browsers[browser], line)
        jar.keep(new URL(ORIGIN).hostname, line)
      }
    }
  }

  /** The id of the user whom a token reads as; null if it is no session. */
  async function userOf(server: AuthInstance, text: string): Promise<string | null> {
    const request = requestWith(`${SESSION_COOKIE}=${text}`)
    // With 'on-renewal', reading a session asks nobody.
    if (setting.check === 'on-renewal' && (await server.sessions.list(request)).length === 0) {
      return null
    }
    const session = await readWithoutRenewal(server, request)
    return session ? String(Object(session.user).id) : null
  }

  async function handleOf(server: AuthInstance, text: string): Promise<string | undefined> {
    const list = await server.sessions.list(requestWith(`${SESSION_COOKIE}=${text}`))
    return list.find(({ isCurrent }) => isCurrent)?.handle
  }

  async function personOf(userId: string): Promise<Person> {
    return String((await memory.getUser(userId))?.name) as Person
  }

  /**
   * Notes the sessions that a browser was given.
   *
   * @param continued the session that they continue; undefined if they are new
   */
  async function adopt(
    name: BrowserName,
    wasPlanted: boolean,
    continued?: Known,
  ): Promise<Known[]> {
    const browser = browsers[name]
    const adopted: Known[] = []
    for (const text of browser.issued.splice(0)) {
      const existing = knownBy(text)
      if (existing) continue
      if (continued) {
        continued.tokens.push({ text })
        adopted.push(continued)
        continue
      }
      const userId = await firstReader(text)
      if (userId === null) {
        // It was ended before anybody read it.
        sessions.push({
          person: personAt(name),
          browser: name,
          userId: '',
          tokens: [{ text }],
          status: 'ended',
          over: 0,
        })
        continue
      }
      const person = await personOf(userId)
      const mayBe: readonly Person[] = wasPlanted ? PEOPLE : [personAt(name)]
      expect(mayBe, `who is signed in in the browser ${name}`).toContain(person)
      const known: Known = {
        ...{ person, browser: name, userId },
        ...{ tokens: [{ text }], status: 'live', over: 0 },
      }
      sessions.push(known)
      adopted.push(known)
    }
    return adopted
  }

  async function firstReader(text: string): Promise<string | null> {
    for (const server of servers) {
      const userId = await userOf(server, text)
      if (userId !== null) return userId
    }
    return null
  }

  function end(known: Known | undefined, isCertain: boolean): void {
    if (!known || known.status === 'ended') return
    // One that was signed in over can be read for its moment.
    if (known.status === 'leaving' && Date.now() < known.over) return
    known.status = isCertain ? 'ended' : 'unsure'
  }

  /** A browser has signed in over what it had. */
  function leave(known: Known | undefined, isCertain: boolean): void {
    if (!known || known.status === 'ended') return
    known.status = isCertain ? 'leaving' : 'unsure'
    known.over = Date.now() + GRACE + skew
  }

  async function startAtProvider(browser: Browser, visitor: Visitor): Promise<void> {
    browser.attempt = null
    const { headers } = await visitor.post('/signin/op')
    const to = new URL(headers.get('location') ?? '', ORIGIN)
    const state = to.origin === 'https://op.test' ? to.searchParams.get('state') : null
    if (state !== null) browser.attempt = { state, revocations: new Map(revocations) }
  }

  /** @param isInside whether it is done in the middle of something else, which may have ended the session of the browser */
  async function perform(
    action: Action,
    meanwhile: Step['meanwhile'],
    isInside = false,
  ): Promise<void> {
    const { browser: name } = action
    const browser = browsers[name]
    const person = personAt(name)
    const visitor = visit(action)
    const received = sentBy(browser).map(knownBy)
    const own = knownBy(browser.own)
    const wasPlanted = isPlanted(browser)
    const isSure = own?.status === 'live' && !wasPlanted && !isInside
    const existing = sessions.filter(({ status }) => status !== 'ended')
    browser.issued = []
    const run = (act: () => Promise<unknown>): Promise<Disturbed> =>
      meanwhile && meanwhile.action.browser !== name
        ? store.during({ at: meanwhile.at, fault: () => interrupt(meanwhile) }, act)
        : quietly(act)
    const before = new Map(revocations)
    async function interrupt({ action }: NonNullable<Step['meanwhile']>): Promise<void> {
      // The library takes what is thrown here for a failure of the store.
      await perform(action, null, true).catch((error: unknown) => failures.push(error))
    }
    /** Whether all sessions of the user have been ended since this began, or something before it. */
    const wasRevoked = (userId: string, since: ReadonlyMap<string, number> = before) =>
      revocations.get(userId) !== since.get(userId)
    /** Notes that all sessions of a user have been ended. */
    const noteRevocation = (userId: string) =>
      revocations.set(userId, (revocations.get(userId) ?? 0) + 1)

    switch (action.do) {
      case 'sign in': {
        const password = passwords[person]
        const done = await run(() =>
          visitor.post('/signin/password', { email: `${person}@example.test`, password }),
        )
        const adopted = await adopt(name, wasPlanted)
        // It starts when the store tells its time: what was revoked before that is not asked about.
        const first = done.calls.slice(0, meanwhile?.at)
        const hasStarted = first.some(name => name !== 'revocations.since')
        const isOvertaken = hasStarted && wasRevoked(userIds[person])
        if (done.hit === undefined && !isInside) {
          expect(adopted.length, `the sign-in of ${name}`).toBe(1)
          expect(adopted[0]?.person, `the sign-in of ${name}`).toBe(person)
        }
        for (const known of adopted) {
          // A sign-in that was in progress ends with all sessions of its user.
          if (isOvertaken) known.status = 'ended'
          else if (done.hit) known.status = 'unsure'
        }
        for (const each of received)
          leave(
            each,
            done.hit === undefined &&
              each === own &&
              !isPlanted(browser) &&
              adopted.length > 0 &&
              !wasPlanted,
          )
        return
      }
      case 'rotate':
      case 'renew':
      case 'update': {
        const [used] = received
        const done = await run(() =>
          action.do === 'update'
            ? visitor.postJson('/session', { data: {} })
            : action.do === 'renew'
              ? visitor.get('/session')
              : call(action, (auth, request) => auth.sessions.rotate(request)),
        )
        if (action.do === 'rotate' && used && browser.issued.length > 0) {
          for (const each of used.tokens) each.replaced ??= Date.now()
        }
        await adopt(name, wasPlanted, used)
        if (done.hit) return
        if (isSure)
          expect(knownBy(browser.own), `the session of ${name} after ${action.do}`).toBe(own)
        return
      }
      case 'sign out': {
        const done = await run(() => visitor.post('/signout'))
        for (const each of received) end(each, done.hit === undefined && !wasPlanted)
        return
      }
      case 'end one': {
        const target = knownBy(browsers[action.target].own)
        const text = target && newest(target).text
        const handle = text && (await handleOf(serverAt(action.server), text))
        if (!target || !handle) return
        let isEnded: unknown
        const done = await run(async () => {
          isEnded = await endedBy(visitor.postJson('/sessions/end', { handle }))
        })
        const isForeign = received.every(each => each?.userId !== target.userId)
        if (isForeign) expect(isEnded, `the end of a session of another by ${name}`).not.toBe(true)
        else if (isEnded === true) {
          end(target, done.hit === undefined)
          // What its browser has made of it in the meantime, as by changing the password, may end with it.
          for (const each of sessions) {
            if (!existing.includes(each) && each.browser === action.target) end(each, false)
          }
        } else if (isSure && done.hit === undefined)
          throw new Error('a session of the same user was not ended')
        return
      }
      case 'end others': {
        let isEnded: unknown
        const done = await run(async () => {
          isEnded = await endedBy(visitor.postJson('/sessions/end', { others: true }))
        })
        if (isSure && done.hit === undefined) expect(isEnded, 'the end of others').toBe(true)
        if (isEnded !== true) return
        const users = new Set(received.map(each => each?.userId))
        for (const each of sessions) {
          if (!users.has(each.userId) || (each === own && !wasPlanted)) continue
          end(each, !wasPlanted && existing.includes(each))
        }
        if (isSure && own && done.hit === undefined) await checkOnlyOne(own, action.server)
        return
      }
      case 'end all': {
        const userId = userIds[person]
        await run(() => serverAt(action.server).users.endSessions(userId))
        noteRevocation(userId)
        for (const each of sessions) if (each.userId === userId) end(each, existing.includes(each))
        return
      }
      case 'change the password': {
        const current = passwords[person]
        const next = `another word of ${person} ${++changes}`
        const done = await run(() =>
          visitor.post('/password', { currentPassword: current, newPassword: next }),
        )
        const userId = userIds[person]
        const hash = (await memory.passwords.get(userId))?.hash ?? null
        const isChanged = (await hasher.verify(next, hash)) !== 'wrong'
        if (isSure && own.userId === userId && done.hit === undefined) {
          expect(isChanged, `the change of the password by ${name}`).toBe(true)
        }
        if (isChanged) {
          expect(
            received.some(each => each?.userId === userId),
            'who changes a password',
          ).toBe(true)
          passwords[person] = next
          noteRevocation(userId)
          for (const each of sessions) {
            if (each.userId === userId) end(each, existing.includes(each) && done.hit === undefined)
          }
        }
        const adopted = await adopt(name, wasPlanted)
        if (done.hit) for (const each of adopted) end(each, false)
        return
      }
      case 'plant a session': {
        const from = personAt(action.target) === 'eve' ? action.target : 'eve 1'
        const into = person === 'ann' ? name : 'ann 1'
        const text = browsers[from].own
        const path = action.choice % 2 === 0 ? '/auth' : '/'
        const line = `${SESSION_COOKIE}=${text}; Domain=example.com; Path=${path}; Secure`
        if (text) browsers[into].jar.keep('evil.example.com', line)
        return
      }
      case 'start at the provider': {
        await run(() => startAtProvider(browser, visitor))
        await adopt(name, wasPlanted)
        return
      }
      case 'finish at the provider': {
        if (!browser.attempt) await startAtProvider(browser, visitor)
        const { attempt } = browser
        if (!attempt) return
        browser.attempt = null
        const answer = new URLSearchParams({ code: person, state: attempt.state })
        const done = await run(() => visitor.get(`/callback/op?${answer}`))
        const adopted = await adopt(name, wasPlanted)
        for (const known of adopted) {
          // An attempt from before the end of all sessions gets none.
          if (wasRevoked(known.userId, attempt.revocations)) known.status = 'ended'
          else if (done.hit) known.status = 'unsure'
        }
        if (adopted.length > 0) for (const each of received) leave(each, false)
        return
      }
      default: {
        const ended = sessions
          .filter(({ status }) => status === 'ended')
          .flatMap(({ tokens }) => tokens)
        const token = ended[action.choice % Math.max(ended.length, 1)]
        if (!token) return
        const other = new Visitor(request => serverAt(action.server).handle(request))
        other.cookies.set(SESSION_COOKIE, token.text)
        const seen = [
          await (await other.get('/sessions')).json(),
          await endedBy(other.postJson('/sessions/end', { others: true })),
        ]
        other.cookies.set(SESSION_COOKIE, token.text)
        const updated = await (await other.postJson('/session', { data: {} })).json()
        expect([...seen, updated], 'what a session does that has ended').toEqual([[], false, null])
        other.cookies.set(SESSION_COOKIE, token.text)
        const words = {
          currentPassword: passwords[person],
          newPassword: 'a word that another has chosen',
        }
        await other.post('/password', words)
      }
    }
  }

  async function checkOnlyOne(own: Known, server: number): Promise<void> {
    const accepted: Known[] = []
    for (const each of sessions) {
      if (each.userId !== own.userId || Date.now() < each.over) continue
      if ((await firstReader(newest(each).text)) !== null) accepted.push(each)
    }
    expect(
      accepted.map(each => sessions.indexOf(each)),
      'sessions after the others were ended',
    ).toEqual([sessions.indexOf(own)])
    const request = requestWith(`${SESSION_COOKIE}=${newest(own).text}`)
    expect(await serverAt(server).sessions.list(request), 'the list of one session').toHaveLength(1)
  }

  /** @param isWhole whether all that ended before is looked at again */
  async function check(when: string, isWhole: boolean): Promise<void> {
    const accepted = new Map<Known, AuthInstance[]>()
    for (const [index, known] of sessions.entries()) {
      const wasEnded = known.isChecked
      if (wasEnded && !isWhole) continue
      const name = `session ${index} of ${known.person}, ${known.status}, ${when}`
      const accepting = await acceptingServers(known, name)
      if (known.status === 'live') {
        expect(accepting.length, `the servers that accept ${name}`).toBe(servers.length)
      }
      settle(known, accepting.length)
      if (known.status === 'ended') await checkRejected(known.tokens, name)
      known.isChecked = known.status === 'ended'
      await checkRejected(replacedTokens(known), `the replaced tokens of ${name}`)
      if (known.status === 'live') accepted.set(known, accepting)
    }
    await checkLists(accepted, when)
    await checkAccounts(when)
  }

  /** The servers that accept the newest token of a session, as one of its user. */
  async function acceptingServers(known: Known, name: string): Promise<AuthInstance[]> {
    const accepting: AuthInstance[] = []
    for (const server of servers) {
      const userId = await userOf(server, newest(known).text)
      if (userId === null) continue
      expect(userId, `whose is ${name}`).toBe(known.userId)
      accepting.push(server)
    }
    return accepting
  }

  /** What is known of a session once it is known by how many servers it is accepted. */
  function settle(known: Known, accepting: number): void {
    if (Date.now() < known.over) return
    if (known.status === 'leaving') known.status = 'ended'
    if (known.status !== 'unsure') return
    if (accepting === 0) known.status = 'ended'
    if (accepting === servers.length) known.status = 'live'
  }

  /** The tokens whose time is up. */
  function replacedTokens({ tokens }: Known): readonly Token[] {
    const rotated = Math.max(...tokens.map(({ replaced = 0 }) => replaced))
    const isOver = Date.now() >= rotated + GRACE + skew + SECOND
    return isOver ? tokens.filter(({ replaced }) => replaced !== undefined) : []
  }

  async function checkRejected(tokens: readonly Token[], name: string): Promise<void> {
    for (const { text } of tokens) {
      for (const server of servers) expect(await userOf(server, text), name).toBeNull()
    }
  }

  /** All live sessions of a user are in each list of that user, and none of another is. */
  async function checkLists(
    live: ReadonlyMap<Known, readonly AuthInstance[]>,
    when: string,
  ): Promise<void> {
    const handles = new Map<Known, string>()
    const lists: { readonly viewer: Known; readonly listed: ReadonlySet<string> }[] = []
    for (const [viewer, viewing] of live) {
      const request = requestWith(`${SESSION_COOKIE}=${newest(viewer).text}`)
      for (const server of viewing) {
        const list = await server.sessions.list(request)
        const own = list.find(({ isCurrent }) => isCurrent)
        if (own) handles.set(viewer, own.handle)
        lists.push({ viewer, listed: new Set(list.map(({ handle }) => handle)) })
      }
    }
    for (const { viewer, listed } of lists) {
      for (const [known, handle] of handles) {
        const isOwn = known.userId === viewer.userId
        const name = `session ${sessions.indexOf(known)} in the list of ${sessions.indexOf(viewer)}, ${when}`
        expect(listed.has(handle), name).toBe(isOwn)
      }
    }
  }

  /** Every account is one of the person who is its user. */
  async function checkAccounts(when: string): Promise<void> {
    for (const person of PEOPLE) {
      const user = await memory.getUserByAccount({ provider: 'op', providerAccountId: person })
      if (user) expect(await personOf(user.id), `the account of ${person}, ${when}`).toBe(person)
    }
  }

  /** Every password is the one that its owner has chosen last. */
  async function checkPasswords(): Promise<void> {
    for (const person of PEOPLE) {
      const hash = (await memory.passwords.get(userIds[person]))?.hash ?? null
      const verification = await hasher.verify(passwords[person], hash)
      expect(verification, `the password of ${person}`).not.toBe('wrong')
    }
  }

  return {
    /** Signs in in some browsers. */
    async begin(names: readonly BrowserName[]): Promise<void> {
      for (const browser of names) {
        await perform({ do: 'sign in', browser, server: 0, target: browser, choice: 0 }, null)
      }
    },
    /** What must hold when all is done. */
    async finish(): Promise<void> {
      await check('at the end', true)
      await checkPasswords()
    },
    async take({ wait, action, meanwhile }: Step): Promise<void> {
      vi.setSystemTime(Date.now() + wait * SECOND)
      if (wait > 0) await check(`after waiting ${wait} s`, false)
      await perform(action, meanwhile)
      if (failures.length > 0) throw failures[0]
      await check(`after ${action.do} in ${action.browser}`, false)
    },
  }
}

function requestWith(cookie: string) {
  return { headers: { cookie }, url: `${ORIGIN}/devices` }
}

async function endedBy(response: Promise<Response>): Promise<unknown> {
  const answer: unknown = await (await response).json()
  return Object(answer).ended
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
  { strategy, check }: Setting,
  offset: number,
  adapter: CompleteAdapter,
): AuthInstance {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const code = new URLSearchParams(String(init?.body ?? '')).get('code')
    if (url.pathname === '/token')
      return Response.json({ access_token: code, token_type: 'bearer' })
    const who = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /i, '')
    return Response.json({ id: who, name: who, email: `${who}@provider.test` })
  }
  return createAuth(
    {
      secret: SECRET,
      // A log of its own, as every process has: only what is stored is shared.
      adapter: { ...adapter, revocations: { ...adapter.revocations } },
      logger: { error() {}, warn() {}, debug() {} },
      session: {
        strategy,
        expose: ['id'],
        maxAge: (60 * DAY) / SECOND,
        ...(strategy === 'jwt' && { track: true, revocation: { check } }),
      },
      callbacks: {
        jwt: ({ token, user }) => (user?.id ? { ...token, id: user.id } : token),
      },
      providers: [
        Password({ id: 'password', hashing: CHEAP, mail() {} }),
        {
          id: 'op',
          name: 'Provider',
          type: 'oauth',
          clientId: 'client',
          clientSecret: 'the secret of the client',
          authorization: 'https://op.test/authorize',
          token: 'https://op.test/token',
          userinfo: 'https://op.test/me',
          profile: ({ id, name, email }) => ({
            id: String(id),
            name: String(name),
            email: String(email),
          }),
        },
      ],
      ports: { now: () => Date.now() + offset, fetch },
    },
    { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
  )
}
