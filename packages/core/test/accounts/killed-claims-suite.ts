import type { Adapter, ConditionalLink } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { agreeAt, askForLink, openLink, signIn } from './steps.ts'
import { ADDRESS, createWorld, userIn } from './world.ts'

// Mallory is signed in to a user with Ann's address, and adds an account while Ann proves the address. Two processes handle them.
// Mallory's is killed as soon as the account is stored, before it asks again what had allowed that, and Ann's after any of its calls of
// the store. No account of Mallory's may stay in a user whose address is proved.

type Store = Required<Adapter>

/** A store that does not have the log of revocations. */
function withoutLog(store: Store): Store {
  return { ...store, revocations: { ...store.revocations } }
}

/** Users in one store, and sessions in another. */
function withoutSessions(store: Store): Store {
  const other = MemoryAdapter() as Store
  const { getAndRenewSession, ...rest } = store
  const methods: Adapter = {
    ...rest,
    createSession: session => other.createSession(session),
    updateSession: session => other.updateSession(session),
    deleteSession: token => other.deleteSession(token),
    listSessions: (...given) => other.listSessions(...given),
    deleteSessions: userId => other.deleteSessions(userId),
    deleteOtherSessions: session => other.deleteOtherSessions(session),
    async getSessionAndUser(sessionToken) {
      const session = await other.updateSession({ sessionToken })
      const user = session && (await store.getUser(session.userId))
      return user ? { session, user } : null
    },
    async createUserWithAccount({ session, ...signUp }) {
      const made = await store.createUserWithAccount(signUp)
      if (!made || !session) return made
      return { ...made, session: await other.createSession({ ...session, userId: made.user.id }) }
    },
  }
  return methods as Store
}

const withAll = (store: Store) => store

const SPLITS = [
  ['jwt', 'the log', withoutLog],
  ['database', 'sessions', withoutSessions],
  ['database', 'nothing', withAll],
] as const

const SETTING = { methods: 'ours', email: true } as const

/** Something that is waited for until it is opened. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

/** Mallory's process. It asks what allows an account, and stores it only when it is told to. Then it is killed. */
async function startLinking(
  strategy: 'jwt' | 'database',
  store: Store,
  asksStore: (link: ConditionalLink) => boolean,
) {
  let isDead = false
  const [asked, mayLink] = [createGate(), createGate()]
  const used: Store = {
    ...store,
    async linkAccountIf(link) {
      if (asksStore(link)) {
        asked.open()
        await mayLink.opened
      }
      const outcome = await store.linkAccountIf(link)
      if (outcome === 'linked' || outcome === 'unchecked') isDead = true
      return outcome
    },
  }
  const world = await createWorld({ strategy, ...SETTING }, Date.now, { used, whole: store })
  const mallory = world.browsers['mallory 1']
  const userId = await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
  const back = await agreeAt(world, mallory, 'careful', 'mallory')
  world.ask = async call => {
    if (isDead) throw new Error('killed')
    return call()
  }
  const linking = mallory.send(back.href)
  await asked.opened
  return {
    userId,
    async link() {
      mayLink.open()
      await linking
    },
  }
}

/** A store that counts its calls, and which of them are made for a claim. */
function counting(store: Store) {
  const counted = { calls: 0, claims: [] as number[] }
  const claiming = <Args extends unknown[], Result>(act: (...args: Args) => Result) => {
    return (...args: Args) => {
      counted.claims.push(counted.calls)
      return act(...args)
    }
  }
  const seen: Store = {
    ...store,
    listAccounts: claiming(store.listAccounts),
    deleteSessions: claiming(store.deleteSessions),
    updateUser: claiming(store.updateUser),
    claimUser: claiming(store.claimUser),
  }
  return { counted, seen }
}

/** @param span how many calls of the store may lie between Mallory's account and the end of Ann's process, at most */
export function killedClaims(span: number): void {
  it.each(SPLITS)(
    'nobody stays in a user whose address is proved, whenever both processes are killed (%s, %s in another store)',
    async (strategy, _, split) => {
      const asksStore = ({ condition }: ConditionalLink) =>
        split === withAll || condition.sessionToken === undefined

      /** Mallory links before a call of Ann's process, which is killed before a later one. Returns between which calls the claim was. */
      async function run(linksAt: number, killedAt: number): Promise<readonly [number, number]> {
        const store = split(MemoryAdapter() as Store)
        const { userId, link } = await startLinking(strategy, store, asksStore)
        const { counted, seen } = counting(store)
        const given = { used: seen, whole: store }
        const world = await createWorld({ strategy, ...SETTING }, Date.now, given)
        const confirm = await askForLink(world, world.browsers['ann 1'], 'ann')
        world.ask = async call => {
          const at = counted.calls++
          if (at === linksAt) await link()
          if (at >= killedAt) throw new Error('killed')
          return call()
        }
        await confirm()
        await link()

        const when = `linked before call ${linksAt}, killed before call ${killedAt}`
        const later = await createWorld({ strategy, ...SETTING }, Date.now, {
          used: store,
          whole: store,
        })
        const comesBack = async () => {
          const browser = later.newBrowser()
          await signIn(later, browser, 'careful', 'mallory')
          return userIn(browser)
        }
        const user = await store.getUser(userId ?? '')
        if (user?.emailVerified) expect(await comesBack(), when).not.toBe(userId)
        expect(await openLink(later, later.browsers['ann 1'], 'ann'), when).toBe(userId)
        expect(await store.listAccounts(userId ?? ''), when).toEqual([])
        expect(await comesBack(), when).not.toBe(userId)
        return [counted.claims.at(0) ?? 0, counted.claims.at(-1) ?? 0]
      }

      const never = Number.POSITIVE_INFINITY
      const [first, last] = await run(never, never)
      expect(last).toBeGreaterThan(first)
      for (let linksAt = first - 1; linksAt <= last; linksAt++) {
        const end = Math.min(linksAt + span, last + 3)
        for (let killedAt = linksAt + 1; killedAt <= end; killedAt++) await run(linksAt, killedAt)
      }
    },
  )
}
