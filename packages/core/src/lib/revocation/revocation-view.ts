import { AdapterError } from '../base/errors.ts'
import { createLogger, type LoggerInstance } from '../base/logger.ts'
import type { Ending, Revocation, RevocationLog } from '../base/model.ts'
import { randomHex } from '../crypto/random.ts'
import type { Endings, ListedMarks, Marks, Standing } from '../session/revocation.ts'
import {
  closedKey,
  isSessionKey,
  mark,
  marksOf,
  noticeKey,
  providerKey,
  providerKeys,
  userKey,
} from './revocation-keys.ts'
import { createEndedKeys, isEarlier, isOver } from './revoked-keys.ts'

/** How ended sessions are found out. */
export interface EndingSettings {
  /** Held in this process, or asked for when a session is renewed. */
  readonly check?: 'view' | 'renewal' | undefined
  /** How far behind the store this process may be, in seconds. */
  readonly pollEvery?: number | undefined
  /** The same while the store does not answer. */
  readonly maxStale?: number | undefined
  /** What becomes of sessions after that. */
  readonly whenStale?: 'unknown' | 'accept' | undefined
  /** How long sessions live, in seconds. */
  readonly maxAge: number
  /** After how long they are renewed. */
  readonly updateAge: number
  readonly now?: () => number
  readonly randomHex?: (bytes: number) => string
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly debug?: boolean | undefined
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * How much longer the store keeps an ending than processes do. The other way round, a new sign-in
 * would be mistaken for an old session.
 */
const KEPT_LONGER = 60 * MINUTE

/** What was committed late is not missed: each look at the log begins so long before the last. */
const OVERLAP = MINUTE

/** How often a store that failed is asked again. */
const PATIENCE = SECOND

/** How often a token is asked about that is due and cannot be sealed again. */
const OVERDUE_EVERY = 30 * SECOND
const OVERDUE_KEPT = 10_000

/**
 * How many endings wait for a store that accepts none, so that signing out cannot fill the memory.
 */
const MOST_UNWRITTEN = 100_000

/** How long the sessions live that a log may end, in seconds: the longest of them. */
interface Longest {
  maxAge: number
}

const opened = new WeakMap<
  RevocationLog,
  { readonly endings: Endings; readonly longest: Longest }
>()

/** One copy of a log is enough for a process, however often an application is configured. */
export function endingsFor(log: RevocationLog, settings: EndingSettings): Endings {
  const known = opened.get(log)
  const longest = known?.longest ?? { maxAge: settings.maxAge }
  longest.maxAge = Math.max(longest.maxAge, settings.maxAge)
  const endings = known?.endings ?? openEndings(log, settings, longest)
  opened.set(log, { endings, longest })
  return endings
}

/** Holds a copy of the log of what was ended, and writes to it. */
function openEndings(log: RevocationLog, settings: EndingSettings, longest: Longest): Endings {
  const { check = 'view', whenStale = 'unknown', now = Date.now } = settings
  const logger = createLogger(settings)
  const pollEvery = (settings.pollEvery ?? 10) * SECOND
  const maxStale = (settings.maxStale ?? 300) * SECOND
  const updateAge = settings.updateAge * SECOND
  const newId = settings.randomHex ?? randomHex
  const ended = createEndedKeys()
  const overdue = new Map<string, { readonly asked: number; readonly isEnded: boolean }>()
  /** Ends that could not be written yet, by their keys: the same one may be ended over and over. */
  const unwritten = new Map<string, Ending>()
  let polling: Promise<void> | null = null
  /** When this process asked for what it knows. */
  let askedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let fault: unknown
  /** When the store was last asked: its time, that of this process, and of a clock that nobody sets. */
  let asked: { readonly store: number; readonly here: number; readonly ticks: number } | null = null
  let isWatching = false

  function poll(): Promise<void> {
    polling ??= look().finally(() => {
      polling = null
    })
    return polling
  }

  async function look(): Promise<void> {
    const time = now()
    const ticks = performance.now()
    try {
      await writeRest()
      const from = asked && asked.store - OVERLAP
      let news = await log.since(from === null ? null : new Date(from))
      // A clock that was put back gives times to what is new that lie before those already asked for.
      const passed = asked ? Math.max(time - asked.here, ticks - asked.ticks) : 0
      const putBack = asked ? passed - (news.now.getTime() - asked.store) : 0
      if (from !== null && putBack > OVERLAP / 2) news = await log.since(new Date(from - putBack))
      for (const revocation of news.revocations) ended.add(revocation)
      ended.forget(time + KEPT_LONGER)
      asked = { store: news.now.getTime(), here: time, ticks }
      askedAt = time
      fault = undefined
      void watch() // nobody has to wait for it
    } catch (error) {
      // Once per outage.
      if (fault === undefined) report('The ended sessions could not be read.', error)
      fault = error ?? new Error('no reason given')
      failedAt = now()
    }
  }

  /** The channel is for speed: whatever it loses, the next look finds. */
  async function watch(): Promise<void> {
    if (isWatching || !log.watch) return
    isWatching = true
    try {
      await log.watch(ended.add, () => {})
    } catch (error) {
      report('Sessions ended elsewhere are noticed within pollEvery, not at once.', error)
    }
  }

  /** A store that takes nothing may still have news. */
  async function writeRest(): Promise<void> {
    const rest = [...unwritten.values()]
    if (rest.length === 0) return
    try {
      await log.end(rest)
      for (const each of rest) if (unwritten.get(each.key) === each) unwritten.delete(each.key)
    } catch {
      // It was told when it was ended. The next look tries again.
    }
  }

  async function isEndedLater(marks: Marks, time: number): Promise<boolean> {
    // While a store fails, not everyone has to wait for it.
    const mayAsk = time - failedAt >= PATIENCE || time < failedAt
    const news = mayAsk || askedAt === Number.NEGATIVE_INFINITY ? poll() : undefined
    if (ended.has(marks, storeTime(time))) return true
    await news
    // Whichever way the clock was put.
    if (Math.abs(now() - askedAt) > maxStale && whenStale === 'unknown') {
      throw new AdapterError('It is unknown whether the session was ended.', { cause: fault })
    }
    return knows(marks, now())
  }

  function knows(marks: Marks, time: number): boolean | Promise<boolean> {
    const known = ended.has(marks, storeTime(time))
    return known ?? standing(marks).then(is => is === 'ended')
  }

  /** What time it is to the store, as far as this process knows. */
  const storeTime = (time: number) => (asked ? asked.store + (time - asked.here) : time)

  async function standing(marks: Marks): Promise<Standing> {
    const { claims, session, user, provider } = marks
    const time = storeTime(now())
    // The store may not have been told yet.
    if (ended.has(marks, time) || unwritten.has(session?.text ?? '')) return 'ended'
    const keys = [session, user, ...provider].flatMap(key => key?.text ?? [])
    const ofProvider = new Set(provider.map(key => key.text))
    const found = keys.length === 0 ? [] : await log.find(keys)
    for (const revocation of found) ended.add(revocation)
    const isLower = ({ key, generation }: Revocation) =>
      ofProvider.has(key)
        ? isEarlier(claims, generation)
        : generation == null ||
          (key === session?.text ? (claims.rot ?? 0) : claims.gen) < generation
    const lower = found.filter(isLower)
    if (lower.length === 0) return 'alive'
    const isReplaced = ({ key, generation }: Revocation) =>
      key === session?.text && generation != null && !isOver(Number(generation), time)
    return lower.every(isReplaced) ? 'replaced' : 'ended'
  }

  /**
   * The generation that a session goes on with; null if it was ended or replaced before.
   *
   * @param closing whether no token follows
   */
  async function replace(
    marks: Marks,
    { closing }: { readonly closing: boolean },
  ): Promise<number | null> {
    const { session } = marks
    // What was replaced before would last longer.
    if (!session || (await standing(marks)) !== 'alive') return null
    const until = untilAllEnded()
    const written = await log.end([
      { key: session.text, until, isGeneration: true },
      ...(closing ? [{ key: closedKey(session), until }] : []),
    ])
    for (const revocation of written) ended.add(revocation)
    const generation = written.find(({ key }) => key === session.text)?.generation
    return generation == null ? null : Number(generation)
  }

  /** What this process has not heard of yet, it asks for, if the store answers. */
  async function catchUp(marks: Marks): Promise<void> {
    if (check === 'renewal') await standing(marks).catch(() => {})
    else if (Math.abs(now() - askedAt) >= pollEvery) await poll()
  }

  // What is held here is asked for before a session is renewed; else nobody has looked since it was due.
  const mayGoOn = (age: number) =>
    check === 'view' || whenStale === 'accept' || age - updateAge <= maxStale

  async function isEndedOverdue(marks: Marks, time: number, age: number): Promise<boolean> {
    const { session, user, provider, claims } = marks
    const name = (session ?? user)?.text ?? `${provider.map(key => key.text)} ${claims.rk?.at}`
    const text = `${name} ${claims.rot ?? 0}`
    const known = overdue.get(text)
    if (known && time - known.asked < OVERDUE_EVERY) return known.isEnded
    let isEnded: boolean
    try {
      isEnded = (await standing(marks)) === 'ended'
    } catch (error) {
      if (mayGoOn(age)) return false
      throw error
    }
    if (overdue.size >= OVERDUE_KEPT) overdue.clear()
    overdue.set(text, { asked: time, isEnded })
    return isEnded
  }

  /** Until all is written, also if nobody asks this process for anything. It may end meanwhile. */
  function retryLater(): void {
    const timer: unknown = setTimeout(async () => {
      await poll()
      if (unwritten.size > 0) retryLater()
    }, pollEvery)
    if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  }

  function report(message: string, cause: unknown): void {
    logger.error(new AdapterError(message, { cause }))
  }

  const untilAllEnded = () => new Date(now() + longest.maxAge * SECOND + maxStale + 2 * KEPT_LONGER)

  return {
    marksOf,
    mark,
    mayGoOn,
    isEnded(marks, time, overdue) {
      if (check === 'renewal') {
        return overdue === false ? false : isEndedOverdue(marks, time, overdue)
      }
      const age = time - askedAt
      if (age < 0 || age >= pollEvery) return isEndedLater(marks, time)
      // Before anyone has to wait.
      if (age >= pollEvery / 2 && time - failedAt >= PATIENCE) void poll()
      return knows(marks, time)
    },
    standing,
    async begin(userId) {
      const sid = newId(16)
      if (userId === undefined) return { sid, bgn: now(), gen: 0 }
      const key = userKey(userId)
      const [found] = await log.find([key.text])
      // A store that has lost its rows, or is behind, would begin what this process knows to be ended.
      const gen = Math.max(Number(found?.generation) || 0, ended.generationOf(key))
      return { sid, bgn: now(), gen, uid: userId }
    },
    async end(marks) {
      const { session } = marks
      if (!session) return
      // Whoever has an old token must not end the session of who has the new one.
      await catchUp(marks)
      if (ended.isOutdated(marks, storeTime(now()))) return
      const ending = { key: session.text, until: untilAllEnded() }
      // This process refuses it from now on, whatever the store says.
      ended.add({ ...ending, generation: null })
      try {
        await log.end([ending])
      } catch (error) {
        if (unwritten.size === 0) retryLater()
        const [oldest] = unwritten.keys()
        if (unwritten.size >= MOST_UNWRITTEN && oldest !== undefined) unwritten.delete(oldest)
        unwritten.set(ending.key, ending)
        report('The end of a session could not be stored yet. It will be retried.', error)
      }
    },
    replace: async marks => (await replace(marks, { closing: true })) !== null,
    async rotate(marks) {
      const { session } = marks
      const rot = await replace(marks, { closing: false })
      if (!session || rot === null) return null
      // Of two that are at it, the first to have written has been replaced in turn. And where somebody
      // has signed in over the session meanwhile, nothing follows it.
      const found = await log.find([session.text, closedKey(session)])
      const isLast = found.every(
        ({ key, generation }) =>
          key === session.text && generation != null && Number(generation) === rot,
      )
      return isLast ? { ...marks.claims, rot } : null
    },
    async endUser(userId) {
      const ending = { key: userKey(userId).text, until: untilAllEnded(), isGeneration: true }
      for (const revocation of await log.end([ending])) ended.add(revocation)
    },
    async endProvided({ keys, issuedUpTo, once }) {
      const notice = once && { key: noticeKey(once.key).text, until: once.until }
      if (notice && (await log.find([notice.key])).length > 0) return false
      const until = untilAllEnded()
      // Of the same second as well: who has just signed in can do so again.
      const generation = issuedUpTo * SECOND + 1
      const endings = keys.map(key => ({
        ...{ key: providerKey(key).text, until },
        ...{ isGeneration: true, generation },
      }))
      const written = await log.end(notice ? [...endings, notice] : endings)
      for (const revocation of written) ended.add(revocation)
      return true
    },
    async endKeys(keys) {
      const until = untilAllEnded()
      const endings = keys.filter(isSessionKey).map(key => ({ key, until }))
      if (endings.length === 0) return
      for (const revocation of await log.end(endings)) ended.add(revocation)
    },
    async endedAmong(all) {
      const providedBy = ({ rk }: ListedMarks) => providerKeys(rk).map(key => key.text)
      const keys = new Set(
        all.flatMap(each => [...(each.key ? [each.key] : []), ...providedBy(each)]),
      )
      const found = keys.size === 0 ? [] : await log.find([...keys])
      const generations = new Map(found.map(({ key, generation }) => [key, generation]))
      const isEnded = (each: ListedMarks) =>
        (each.key !== undefined &&
          generations.has(each.key) &&
          generations.get(each.key) == null) ||
        providedBy(each).some(
          key => generations.has(key) && isEarlier(each, generations.get(key) ?? null),
        )
      return new Set(all.filter(isEnded))
    },
  }
}
