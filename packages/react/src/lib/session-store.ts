import type { Session } from '@siteauth/core/types'
import { readMarker } from './change-marker.ts'
import { type Answer, PAGE_EVENT, type PageEvent } from './page-event.ts'
import { parseSession, readCsrfToken } from './read.ts'
import { send } from './request.ts'
import type { SessionContextValue } from './session-context.ts'
import { type ReadableStore, storeOf } from './store-of.ts'

/** What a store is told by its provider, now and whenever that changes. */
export interface StoreOptions {
  /**
   * The session as the server rendered it: null if no one is signed in. There is then no initial
   * request, and later values are followed.
   */
  readonly session?: Session | null | undefined
  /** How often to read the session again, in seconds. Defaults to 0, never. */
  readonly refetchInterval?: number | undefined
  /** Whether to read the session again when the page comes to the front. Defaults to true. */
  readonly refetchOnWindowFocus?: boolean | undefined
  /** `false` to send no requests while the browser says it is offline. */
  readonly refetchWhenOffline?: boolean | undefined
  /**
   * Called with the new session when it changes, except when it came in as `session` above. The
   * place to have the framework render again what it rendered on the server.
   */
  readonly onSessionChange?: ((session: Session | null) => void) | undefined
}

/** Who is signed in, as one provider knows it. */
export interface SessionStore extends ReadableStore {
  /**
   * Begins to follow the server, other tabs and functions on this page. Returns a function to stop.
   */
  start(): () => void
  /** Takes over what the provider says by now. */
  follow(options: StoreOptions): void
}

/** What a store uses of the page that it is on: tests bring their own. */
export type Page = Pick<
  typeof globalThis,
  | 'addEventListener'
  | 'BroadcastChannel'
  | 'clearTimeout'
  | 'cookieStore'
  | 'Date'
  | 'document'
  | 'navigator'
  | 'PerformanceObserver'
  | 'setTimeout'
>

/** A tab that comes to the front asks again, unless it knows from less than this ago. */
const FOCUS_AGE = 5_000
/** How long to rely on another tab that is asking. */
const OTHER_TAB = 3_000
/** Before this is doubled for each failure. */
const FIRST_RETRY = 500
const LAST_RETRY = 60_000
const LONGEST_TIMER = 2 ** 31 - 1

/** When the server was asked, and the change marker at that time. */
type Asked = Pick<Answer, 'at' | 'marker'>

/** Makes the store of one provider. It does nothing until it is started. */
export function createSessionStore(
  base: string,
  initial: StoreOptions,
  page: Page = globalThis,
): SessionStore {
  const name = `siteauth ${base}`
  const now = () => page.Date.now()
  const marker = () => readMarker(page.document)
  let options = initial
  const listeners = new Set<() => void>()
  let answered: Asked | undefined
  /** Whether a request of this tab is in progress. */
  let isAsking = false
  /** A request of this tab, or a wait for that of another. Returns whether to look again. */
  let turn: Promise<boolean> | undefined
  let endWait: (() => void) | undefined
  /** The marker that was taken notice of last. */
  let noticed: string | undefined
  let failures = 0
  /** How many functions on this page are just changing who is signed in. */
  let changes = 0
  let isStarted = false
  let channel: BroadcastChannel | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const store: SessionStore = {
    get: () => known,
    rendered: () => rendered,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    start() {
      const stop = listen()
      isStarted = true
      if (known.data === undefined) void read(0)
      else {
        answered ??= askedNow(0)
        checkMarker()
        plan()
      }
      return () => {
        isStarted = false
        plan()
        stop()
      }
    },
    follow(wanted) {
      const { session } = wanted
      const before = options
      options = wanted
      if (before.refetchInterval !== wanted.refetchInterval) plan()
      if (session !== undefined && !isEqual(session, before.session)) {
        accept({ session, ...askedNow() }, true)
      }
    },
  }
  const rendered = knowledge(options.session, null)
  let known = rendered
  return store

  function listen(): () => void {
    const controller = new AbortController()
    const { signal } = controller
    const { cookieStore, BroadcastChannel } = page
    // Where it is missing, as on insecure pages: cookies come with what this page loads.
    const Observer = cookieStore ? undefined : page.PerformanceObserver
    const observer = Observer && new Observer(checkMarker)
    observer?.observe({ type: 'resource' })
    page.addEventListener('online', comeBack, { signal })
    page.document.addEventListener('visibilitychange', comeBack, { signal })
    page.addEventListener(PAGE_EVENT, hearPage, { signal })
    // Tells of cookies that any tab and any answer changed.
    cookieStore?.addEventListener('change', checkMarker, { signal })
    channel = BroadcastChannel && new BroadcastChannel(name)
    channel?.addEventListener('message', ({ data }) => accept(data), { signal })
    return () => {
      controller.abort()
      observer?.disconnect()
      channel?.close()
      channel = undefined
    }
  }

  function knowledge(data: Session | null | undefined, error: Error | null): SessionContextValue {
    const status = data ? 'authenticated' : data === null ? 'unauthenticated' : 'loading'
    const value = { data, status, error, refresh, update } as SessionContextValue // the status is made for it
    storeOf.set(value, store)
    return value
  }

  async function refresh(): Promise<Session | null> {
    await read(now())
    if (known.error) throw known.error
    return known.data ?? null
  }

  async function update(data?: unknown): Promise<Session | null> {
    if (data === undefined) return refresh()
    return change(async () => {
      const session = await sendUpdate(base, data)
      publish({ session, ...askedNow() })
      return session
    })
  }

  /** Pays no attention to the marker while something on this page changes who is signed in. */
  function change<T>(run: () => Promise<T>, isLeaving?: boolean): Promise<T> {
    changes++
    // Other tabs, who see the marker change, wait for what this one has to say, unless it leaves.
    return (isLeaving ? run() : alone(run)).finally(() => {
      changes--
      checkMarker()
    })
  }

  function askedNow(at: number = now()): Asked {
    noticed = marker()
    return { at, marker: noticed }
  }

  function publish(answer: Answer): void {
    accept(answer)
    channel?.postMessage(answer)
  }

  function accept(answer: Answer, isRendered?: boolean): void {
    // An answer from the future was given before someone put the clock back.
    if (answered && answer.at < answered.at && answered.at <= now()) return
    answered = answer
    failures = 0
    show(answer.session, null, isRendered)
    plan()
    endWait?.()
  }

  function show(session: Session | null | undefined, error: Error | null, isRendered?: boolean) {
    const { data } = known
    // What is the same keeps its identity: nobody renders again for it.
    const isSame = isEqual(session, data)
    if (isSame && error === known.error) return
    known = knowledge(isSame ? data : session, error)
    listeners.forEach(tell => {
      tell()
    })
    if (!isSame && !isRendered && data !== undefined) {
      // Later, so that what it throws is its own affair.
      queueMicrotask(() => options.onSessionChange?.(session ?? null))
    }
  }

  /** Whether what is known was asked for late enough, and nothing is said to have changed since. */
  function isKnown(since: number): boolean {
    return (
      !!answered && answered.at >= since && answered.at <= now() && answered.marker === marker()
    )
  }

  /**
   * Finds out who is signed in, by a request that is sent at a certain time or later. If it fails,
   * the timer tries again.
   *
   * @param isShared whether another tab may send it
   */
  async function read(since: number, isShared?: boolean): Promise<void> {
    if (isKnown(since)) return
    if (!turn || !(isAsking || isShared)) {
      const mine = isShared
        ? // By the time that is known, another tab may have said it.
          alone(async isAlone => isKnown(since) || (isAlone && !isAsking ? ask() : otherTab()))
        : ask()
      turn = mine
      const end = () => {
        if (turn === mine) turn = undefined
      }
      mine.then(end, end)
    }
    if ((await turn) && isStarted) await read(since, isShared)
  }

  async function ask(): Promise<boolean> {
    const asked = askedNow()
    isAsking = true
    try {
      publish({ session: await parseSession(await send(base, 'session')), ...asked })
    } catch (error) {
      failures++
      // What was known before is still the best that is known. One outage is one error.
      show(known.data, known.error ?? (error as Error)) // nothing else is thrown by fetch or us
      plan()
    }
    isAsking = false
    return !failures
  }

  /** Runs something, and says whether no other tab does the same. Where it cannot tell, none does. */
  async function alone<T>(run: (isAlone: boolean) => Promise<T>): Promise<T> {
    const { locks } = page.navigator
    return locks ? locks.request(name, { ifAvailable: true }, lock => run(!!lock)) : run(true)
  }

  /** Waits for what another tab, which is asking, has to say. */
  function otherTab(): Promise<boolean> {
    return new Promise(resolve => {
      endWait = () => resolve(true)
      page.setTimeout(endWait, OTHER_TAB)
    })
  }

  /** Sets the one timer: for another try, for the next read that is due, or for the session's end. */
  function plan(): void {
    page.clearTimeout(timer)
    if (!isStarted) return
    const { refetchInterval = 0, refetchWhenOffline } = options
    const left = page.Date.parse(known.data?.expires ?? '') - now()
    const delay = Math.min(
      failures
        ? Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY)
        : refetchInterval * 1000 || LONGEST_TIMER,
      left > 0 ? left : LONGEST_TIMER,
    )
    timer = page.setTimeout(() => {
      if (refetchWhenOffline === false && !page.navigator.onLine) plan()
      // Timers of two tabs are never exactly together: one answer does for both.
      else void read(now() - delay / 2, true)
    }, delay)
  }

  function checkMarker(): void {
    if (!changes && marker() !== noticed) void read(0, true)
  }

  function comeBack(): void {
    const isWanted = options.refetchOnWindowFocus !== false
    if (isWanted && page.document.visibilityState === 'visible') void read(now() - FOCUS_AGE, true)
  }

  function hearPage(event: Event): void {
    const { detail } = event as CustomEvent<PageEvent> // only `tellProviders` makes events so named
    detail.base ??= base
    if (detail.base !== base) return
    const { answer, changed, isLeaving, waits } = detail
    if (answer) publish(answer)
    if (!changed) return
    const before = marker()
    const find = async () => {
      if (await changed) await read(marker() === before ? now() : 0)
    }
    waits.push(change(find, isLeaving))
  }
}

async function sendUpdate(base: string, data: unknown): Promise<Session | null> {
  const csrfToken = await readCsrfToken(base)
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ csrfToken, data })
  return parseSession(await send(base, 'session', { method: 'POST', headers, body }))
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
