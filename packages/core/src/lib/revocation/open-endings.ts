import { randomHex } from '../crypto/random-hex.ts'
import { AdapterError } from '../errors.ts'
import { createLogger, type LoggerInstance } from '../logger.ts'
import type { Ending, RevocationLog } from '../model.ts'
import type { Endings, Marks } from '../session/endings.ts'
import { createEndedKeys } from './ended-keys.ts'
import { mark, marksOf, userKey } from './marks.ts'

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
  readonly now?: () => number
  readonly randomHex?: (bytes: number) => string
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly debug?: boolean | undefined
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * How long the store keeps an end when processes have forgotten it. The other way round, somebody who
 * signs in anew would be taken for somebody from before.
 */
const KEPT_LONGER = 60 * MINUTE

/** What was committed late is not missed: each look at the log begins so long before the last. */
const OVERLAP = MINUTE

/** How often a store that failed is asked again. */
const PATIENCE = SECOND

/** How often a token is asked about that is due and cannot be sealed anew. */
const OVERDUE_EVERY = 30 * SECOND
const OVERDUE_KEPT = 10_000

const opened = new WeakMap<RevocationLog, Endings>()

/** One copy of a log is enough for a process, however often an application is configured. */
export function endingsFor(log: RevocationLog, settings: EndingSettings): Endings {
  const endings = opened.get(log) ?? openEndings(log, settings)
  opened.set(log, endings)
  return endings
}

/** Holds a copy of the log of what was ended, and writes to it. */
function openEndings(log: RevocationLog, settings: EndingSettings): Endings {
  const { check = 'view', whenStale = 'unknown', now = Date.now, debug = false } = settings
  const logger = createLogger(settings.logger, debug)
  const pollEvery = (settings.pollEvery ?? 10) * SECOND
  const maxStale = (settings.maxStale ?? 300) * SECOND
  const maxAge = settings.maxAge * SECOND
  const newId = settings.randomHex ?? randomHex
  const ended = createEndedKeys()
  const overdue = new Map<string, { readonly asked: number; readonly isEnded: boolean }>()
  /** Ends that could not be written yet. */
  let unwritten: readonly Ending[] = []
  let polling: Promise<void> | null = null
  /** When this process asked for what it knows. */
  let askedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let fault: unknown
  let cursor: Date | null = null
  let isWatching = false

  function poll(): Promise<void> {
    polling ??= look().finally(() => {
      polling = null
    })
    return polling
  }

  async function look(): Promise<void> {
    const time = now()
    try {
      await writeRest()
      const { revocations, now: storeTime } = await log.since(cursor)
      for (const revocation of revocations) ended.add(revocation)
      ended.forget(time + KEPT_LONGER)
      cursor = new Date(storeTime.getTime() - OVERLAP)
      askedAt = time
      fault = undefined
      void watch() // nobody has to wait for it
    } catch (error) {
      // Once per outage.
      if (fault === undefined) report('What was ended could not be read.', error)
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
      report('What is ended elsewhere is not heard of at once, but within pollEvery.', error)
    }
  }

  async function writeRest(): Promise<void> {
    const rest = unwritten
    if (rest.length === 0) return
    await log.end(rest)
    unwritten = unwritten.filter(each => !rest.includes(each))
  }

  async function isEndedLater(marks: Marks, time: number): Promise<boolean> {
    // While a store fails, not everybody has to wait for it.
    const mayAsk = time - failedAt >= PATIENCE || time < failedAt
    const news = mayAsk || askedAt === Number.NEGATIVE_INFINITY ? poll() : undefined
    if (ended.has(marks)) return true
    await news
    if (now() - askedAt > maxStale && whenStale === 'unknown') {
      throw new AdapterError('Whether the session was ended is not known.', { cause: fault })
    }
    return knows(marks)
  }

  function knows(marks: Marks): boolean | Promise<boolean> {
    const known = ended.has(marks)
    return known ?? isEndedInStore(marks)
  }

  async function isEndedInStore({ claims, session, user }: Marks): Promise<boolean> {
    const found = await log.find(user ? [session.text, user.text] : [session.text])
    for (const revocation of found) ended.add(revocation)
    return found.some(({ generation }) => generation === null || claims.gen < generation)
  }

  async function isEndedOverdue(marks: Marks, time: number): Promise<boolean> {
    const { text } = marks.session
    const known = overdue.get(text)
    if (known && time - known.asked < OVERDUE_EVERY) return known.isEnded
    const isEnded = await isEndedInStore(marks)
    if (overdue.size >= OVERDUE_KEPT) overdue.clear()
    overdue.set(text, { asked: time, isEnded })
    return isEnded
  }

  /** The process may end meanwhile. */
  function later(act: () => void): void {
    const timer: unknown = setTimeout(act, pollEvery)
    if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  }

  function report(message: string, cause: unknown): void {
    logger.error(new AdapterError(message, { cause }))
  }

  const untilAllEnded = () => new Date(now() + maxAge + maxStale + 2 * KEPT_LONGER)

  return {
    marksOf,
    mark,
    isEnded(marks, time, isOverdue) {
      if (check === 'renewal') return isOverdue ? isEndedOverdue(marks, time) : false
      const age = time - askedAt
      if (age < 0 || age >= pollEvery) return isEndedLater(marks, time)
      // Before anybody has to wait.
      if (age >= pollEvery / 2 && time - failedAt >= PATIENCE) void poll()
      return knows(marks)
    },
    isEndedInStore,
    async begin(userId) {
      const sid = newId(16)
      if (userId === undefined) return { sid, bgn: now(), gen: 0 }
      const [found] = await log.find([userKey(userId).text])
      return { sid, bgn: now(), gen: found?.generation ?? 0, uid: userId }
    },
    async end({ session }) {
      const ending = { key: session.text, until: untilAllEnded() }
      // This process refuses it from now on, whatever the store says.
      ended.add({ ...ending, generation: null })
      try {
        await log.end([ending])
      } catch (error) {
        unwritten = [...unwritten, ending]
        later(() => void poll())
        report('The end of a session could not be stored yet. It will be tried again.', error)
      }
    },
    async endUser(userId) {
      const ending = { key: userKey(userId).text, until: untilAllEnded(), isGeneration: true }
      for (const revocation of await log.end([ending])) ended.add(revocation)
    },
  }
}
