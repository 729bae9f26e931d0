import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RealProvider, startRealProvider } from '../../../core/test/oauth/real-provider.ts'
import { Visitor } from '../../../core/test/visitor.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { STORES } from '../interrupted/stores.ts'
import {
  CALLBACK,
  CLIENT_ID,
  CLIENT_SECRET,
  createApplication,
  type Job,
  type Report,
} from './application.ts'

// A certified provider, and several processes. Their clocks are ahead of its, so that tokens have expired
// without anybody having to wait.

const LIFETIME = 5
const EXPIRED = 10_000
/** When a lease has ended as well. */
const LATER = 60_000
/** Four processes start, and perhaps on a machine that has much else to do. */
const LONG = 120_000

let child: BuiltChild
const providers: Record<'strict' | 'lenient', RealProvider | undefined> = {
  strict: undefined,
  lenient: undefined,
}

beforeAll(async () => {
  child = await buildChild(`${import.meta.dirname}/child.ts`)
  for (const kind of ['strict', 'lenient'] as const) {
    providers[kind] = await startRealProvider({
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET }],
      redirectUris: [CALLBACK],
      refreshTokens: { lifetime: LIFETIME, rotates: kind === 'strict' },
    })
  }
}, LONG)
afterAll(async () => {
  child.remove()
  for (const provider of Object.values(providers)) await provider?.close()
})

const KEY = { provider: 'op', providerAccountId: 'ada' }
const OURS = ['sqlite', 'postgres', 'mysql', 'redis'] as const

/** Somebody who has signed in, in a store of their own. */
async function signedIn(name: string, kind: 'strict' | 'lenient') {
  const store = STORES[name]
  const provider = providers[kind]
  if (!store || !provider) throw new Error('it was started above')
  const place = await store.create()
  const { adapter, close } = await store.open(place, 'ada', () => true)
  const auth = createApplication(adapter, provider.issuer)
  const visitor = new Visitor(auth.handle)
  const started = await visitor.post('/signin/op')
  const landing = await provider.visit(new URL(started.headers.get('location') ?? ''))
  await visitor.get(`/callback/op${landing.url.search}`)
  const before = provider.count('/token')
  const job = { store: name, place, issuer: provider.issuer, cookie: visitor.cookieHeader() }
  return {
    /** How many token requests the provider has received since. */
    requests: () => provider.count('/token') - before,
    /** Has each process of some do its job, all at the same time. */
    async run(jobs: readonly Partial<Job>[]): Promise<readonly Report[]> {
      const usual = { calls: 50, ahead: EXPIRED, diesBeforeWriting: false }
      const running = jobs.map(overrides =>
        child.run([JSON.stringify({ ...job, ...usual, ...overrides })]),
      )
      await Promise.all(
        running.map(({ process }) => process.stdout && once(process.stdout, 'data')),
      )
      for (const { process } of running) process.stdin?.write('go\n')
      const ended = await Promise.all(running.map(child => child.ended))
      return ended.map(({ output, signal }) =>
        signal === 'SIGKILL' ? { killed: 1 } : JSON.parse(output.slice('ready\n'.length)),
      )
    },
    /** As if half a minute had passed: stores go by clocks of their own. */
    async endLeases(): Promise<void> {
      await adapter.updateAccount?.(KEY) // as a sign-in does, which changes nothing here
    },
    adapter,
    close,
  }
}

describe.each(OURS.filter(name => STORES[name]?.isThere))('on %s', name => {
  it(
    'four processes that ask fifty times each make one request, and all are served',
    async () => {
      const { run, requests, close } = await signedIn(name, 'strict')
      const reports = await run([{}, {}, {}, {}])
      const [token = ''] = Object.keys(reports[0] ?? {})
      expect(token.length).toBeGreaterThan(20)
      expect(reports).toEqual(Array.from({ length: 4 }, () => ({ [token]: 50 })))
      expect(requests()).toBe(1)
      await close()
    },
    LONG,
  )

  it(
    'a process that is killed between answer and write costs a strict provider its grant',
    async () => {
      const { run, requests, endLeases, close } = await signedIn(name, 'strict')
      expect(await run([{ calls: 1, diesBeforeWriting: true }])).toEqual([{ killed: 1 }])
      await endLeases()
      expect(await run([{ calls: 5, ahead: LATER }])).toEqual([{ invalid_grant: 5 }])
      // What is known to have ended is not asked for again.
      expect(await run([{ calls: 5, ahead: LATER }])).toEqual([{ invalid_grant: 5 }])
      expect(requests()).toBe(2)
      await close()
    },
    LONG,
  )

  it('a server whose clock is a minute ahead ends nobody’s lease', async () => {
    const { adapter, close } = await signedIn(name, 'strict')
    const lease = (ahead: number) => {
      const now = Date.now() + ahead
      const holder = crypto.randomUUID()
      return adapter.leaseAccount?.(KEY, {
        holder,
        now: new Date(now),
        until: new Date(now + 30_000),
      })
    }
    expect(await lease(0)).not.toBeNull()
    expect(await lease(LATER)).toBeNull()
    await close()
  })
})

// What the provider does is the same on all of them.
it(
  'the same costs nothing where a refresh token may be used again',
  async () => {
    const { run, requests, endLeases, close } = await signedIn('sqlite', 'lenient')
    expect(await run([{ calls: 1, diesBeforeWriting: true }])).toEqual([{ killed: 1 }])
    await endLeases()
    const [report = {}] = await run([{ calls: 5, ahead: LATER }])
    expect(Object.values(report)).toEqual([5])
    expect(Object.keys(report)[0]?.length).toBeGreaterThan(20)
    expect(requests()).toBe(2)
    await close()
  },
  LONG,
)
