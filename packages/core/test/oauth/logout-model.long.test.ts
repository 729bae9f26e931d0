import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, rotate, Visitor } from '../visitor.ts'
import { CLIENT_ID, createFakeServer } from './fake-server.ts'
import { LOGOUT_EVENT, providerOf } from './logout-world.ts'

// Two people, two providers and many browsers, in any order. Beside it, what should come of it, in a few lines.

const PROVIDERS = ['one', 'two'] as const
const PEOPLE = ['ada', 'bob'] as const
const SIDS = ['s1', 's2', undefined] as const

/** How far clocks may be apart, in seconds. */
const TOLERANCE = 15

interface Session {
  readonly visitor: Visitor
  readonly provider: string
  readonly sub: string
  readonly sid: string | undefined
  /** When it began, in seconds. */
  readonly at: number
  isSignedOut: boolean
}

interface NewRevocation {
  readonly provider: string
  readonly sub?: string
  readonly sid?: string
  /** Until when people signed in whom it concerns. */
  readonly upTo: number
}

function concerns(ending: NewRevocation, session: Session): boolean {
  if (ending.provider !== session.provider || session.at > ending.upTo) return false
  const isSamePerson = ending.sub === session.sub
  if (ending.sid === undefined) return isSamePerson
  return session.sid === undefined ? isSamePerson : session.sid === ending.sid
}

/** Numbers that are the same in every run. */
function createDice(seed: number) {
  let state = seed
  return <Side>(sides: readonly Side[]): Side => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return sides[Math.floor((state / 2 ** 32) * sides.length)] as Side // there is at least one
  }
}

async function createWorld(strategy: 'jwt' | 'database') {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const servers = new Map(
    await Promise.all(
      PROVIDERS.map(async id => {
        const issuer = `https://${id}.test`
        const op = await createFakeServer({ issuer, alg: 'ES256', now: () => clock.now })
        return [id as string, op] as const
      }),
    ),
  )
  const serverOf = (id: string) => {
    const op = servers.get(id)
    if (!op) throw new Error(`no provider ${id}`)
    return op
  }
  const auth = createTestAuth({
    adapter: MemoryAdapter(),
    session: { strategy },
    providers: PROVIDERS.map(id =>
      providerOf(serverOf(id).issuer, {
        id,
        frontChannelLogout: true,
        // Both of somebody's accounts are of one user, whose sessions are told apart all the same.
        allowDangerousEmailAccountLinking: true,
        emailVerified: true,
      }),
    ),
    ports: {
      fetch: (input, init) => {
        const { hostname } = new URL(input instanceof Request ? input.url : String(input))
        return serverOf(hostname.replace('.test', '')).fetch(input, init)
      },
      now: () => clock.now,
    },
  })
  const seconds = () => Math.floor(clock.now / 1000)

  return {
    auth,
    clock,
    seconds,
    async signIn(provider: string, sub: string, sid: string | undefined): Promise<Session> {
      const op = serverOf(provider)
      op.faults.claims = claims => ({ ...claims, sub, email: `${sub}@example.test`, sid })
      const visitor = new Visitor(auth.handle)
      const started = await visitor.post(`/signin/${provider}`)
      const url = new URL(started.headers.get('location') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = op.authorize(url).toString()
      await visitor.send(back.href)
      return { visitor, provider, sub, sid, at: seconds(), isSignedOut: false }
    },
    sign(
      provider: string,
      named: Pick<NewRevocation, 'sub' | 'sid'>,
      jti: string,
    ): Promise<string> {
      const iat = seconds()
      const events = { [LOGOUT_EVENT]: {} }
      const op = serverOf(provider)
      return op.sign({ iss: op.issuer, aud: CLIENT_ID, iat, exp: iat + 120, jti, events, ...named })
    },
    async post(provider: string, logout_token: string): Promise<number> {
      const url = `https://app.example.com/auth/backchannel-logout/${provider}`
      const body = new URLSearchParams({ logout_token })
      return (await auth.handle(new Request(url, { method: 'POST', body }))).status
    },
    async frame(provider: string, sid: string): Promise<number> {
      const query = new URLSearchParams({ iss: serverOf(provider).issuer, sid })
      const url = `https://app.example.com/auth/frontchannel-logout/${provider}?${query}`
      return (await auth.handle(new Request(url))).status
    },
  }
}

/** A notice that is on its way, and may come late, or twice. */
interface Sent {
  readonly ending: NewRevocation
  readonly token: string
  isTaken: boolean
}

async function play(strategy: 'jwt' | 'database', seed: number): Promise<void> {
  const world = await createWorld(strategy)
  const choose = createDice(seed)
  const sessions: Session[] = []
  const endings: NewRevocation[] = []
  const sent: Sent[] = []

  const steps = {
    async signIn() {
      const session = await world.signIn(choose(PROVIDERS), choose(PEOPLE), choose(SIDS))
      sessions.push(session)
    },
    async signOut() {
      if (sessions.length === 0) return
      const session = choose(sessions)
      const copy = new Visitor(world.auth.handle)
      for (const [name, value] of session.visitor.cookies) copy.cookies.set(name, value)
      await session.visitor.post('/signout')
      // Nor does anybody get in who has kept the cookie.
      sessions.splice(sessions.indexOf(session), 1, {
        ...session,
        visitor: copy,
        isSignedOut: true,
      })
    },
    async rotate() {
      if (sessions.length > 0) await rotate(world.auth, choose(sessions).visitor)
    },
    async write() {
      const sub = choose([...PEOPLE, undefined])
      const sid = choose(sub === undefined ? ['s1', 's2'] : SIDS)
      const named = { ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid }) }
      const ending = { provider: choose(PROVIDERS), ...named, upTo: world.seconds() }
      const token = await world.sign(ending.provider, named, `n${sent.length}`)
      sent.push({ ending, token, isTaken: false })
    },
    async deliver() {
      if (sent.length === 0) return
      const notice = choose(sent)
      const { ending, token, isTaken } = notice
      // To the other provider, it is of no use.
      const wrong = PROVIDERS.find(id => id !== ending.provider) ?? ''
      expect(await world.post(wrong, token)).toBe(400)
      const isOld = world.seconds() >= ending.upTo + 120 + TOLERANCE
      expect(await world.post(ending.provider, token)).toBe(isTaken || isOld ? 400 : 200)
      if (isTaken || isOld) return
      notice.isTaken = true
      endings.push(ending)
    },
    async frame() {
      const [provider, sid] = [choose(PROVIDERS), choose(['s1', 's2'])]
      expect(await world.frame(provider, sid)).toBe(200)
      endings.push({ provider, sid, upTo: world.seconds() + TOLERANCE })
    },
    async wait() {
      world.clock.now += choose([200, 1000, 15_000, 40_000])
    },
  }

  for (let count = 0; count < 24; count++) {
    const name = choose([
      ...(['signIn', 'signIn', 'signIn', 'signOut', 'rotate', 'write', 'write'] as const),
      ...(['deliver', 'deliver', 'frame', 'wait', 'wait'] as const),
    ])
    await steps[name]()
    const expected = sessions.map(
      session => !session.isSignedOut && !endings.some(ending => concerns(ending, session)),
    )
    const found = await Promise.all(
      sessions.map(async ({ visitor }) => (await visitor.session()) !== null),
    )
    expect(found, `seed ${seed}, step ${count}: ${name}`).toEqual(expected)
  }
}

describe.each(['jwt', 'database'] as const)('logout in any order (%s)', strategy => {
  it.each([1, 3, 5, 131])('ends what it should, and nothing else: game %i', async seed => {
    await play(strategy, seed)
  })
})
