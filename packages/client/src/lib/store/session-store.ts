import type { Session } from '@siteauth/core/types'
import { readMarker } from '../change-marker.ts'
import { type EndpointsOptions, endpointsAt } from '../endpoints.ts'
import { PAGE_EVENT, type PageEvent, type SessionResponse } from '../page-event.ts'
import { readCsrfToken } from '../read.ts'
import { request } from '../request.ts'
import { readingOf } from './reading-of.ts'
import { next, type Phase, type PhaseEvent } from './session-phases.ts'
import type { SessionContextValue } from './session-value.ts'
import { FIRST_RETRY, FOCUS_AGE, LAST_RETRY, MAX_TIMER, OTHER_TAB, RENDER_TIME } from './timing.ts'

/** What a store is told by its provider, now and whenever that changes. */
export interface StoreOptions {
  /**
   * The session as the server rendered it: null if no one is signed in. There is then no initial
   * request, and later values are followed. One that names somebody else though nobody has signed in or out since, as
   * one from a router's cache may, is not believed before the server was asked.
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

/** What a store is made with. */
export interface SessionStoreOptions extends EndpointsOptions, StoreOptions {}

/** Who is signed in, as one provider knows it. */
export interface SessionStore {
  /** What is known. The same object as long as nothing changes. */
  get(): SessionContextValue
  /** Calls back when what is known changes. Answers how to stop. */
  subscribe(onChange: () => void): () => void
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

/** When the server was asked, and the change marker at that time. */
type Asked = Pick<SessionResponse, 'at' | 'marker'>

// `session-phases.ts` says what a store does when; here is what that means: requests, timers, and words with other tabs.

/**
 * Makes a store that knows who is signed in. It does nothing until it is started, so that a server may make one for each
 * visitor. On a page, it follows the server, other tabs, and this package's functions.
 *
 * @example
 * ```ts
 * import { createSessionStore } from '@siteauth/client'
 *
 * const store = createSessionStore({ basePath: '/auth' })
 * store.subscribe(() => {
 *   document.title = store.get().data?.user?.name ?? 'Welcome'
 * })
 * const stop = store.start()
 * ```
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: taken apart, it weighs 18 % more in every browser (decision 055)
export function createSessionStore(
  initial: SessionStoreOptions,
  page: Page = globalThis,
): SessionStore {
  const base = endpointsAt(initial)
  const name = `siteauth ${base}`
  const now = () => page.Date.now()
  const asked = (at = now()): Asked => ({ at, marker: readMarker(page.document) })
  const listeners = new Set<() => void>()
  let options: StoreOptions = initial
  let context: SessionContextValue
  let phase: Phase = 'resting'
  /** Until the store rests again. */
  let turn: Promise<void> | undefined
  let endTurn: () => void
  /** When what is known was asked for: 0 if the page was rendered with it, less if nothing is known. */
  let answered = asked(options.session === undefined ? -1 : 0)
  /** The marker that was asked about last. */
  let tried: string | undefined
  /** After how long to try again what failed; else 0. */
  let retry = 0
  /** How many functions on this page are just changing who is signed in. */
  let changes = 0
  let isStarted = false
  let channel: BroadcastChannel | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const store: SessionStore = {
    get: () => context,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    start() {
      // An option for listeners by its `signal`.
      const until = new AbortController()
      const { cookieStore, BroadcastChannel } = page
      // Where it is missing, as on insecure pages: cookies come with what this page loads.
      const Observer = cookieStore ? undefined : page.PerformanceObserver
      const observer = Observer && new Observer(checkMarker)
      observer?.observe({ type: 'resource' })
      page.addEventListener('online', comeBack, until)
      page.document.addEventListener('visibilitychange', comeBack, until)
      page.addEventListener(PAGE_EVENT, hearPage, until)
      // Tells of cookies that any tab and any answer changed.
      cookieStore?.addEventListener('change', checkMarker, until)
      channel = BroadcastChannel && new BroadcastChannel(name)
      channel?.addEventListener('message', ({ data }) => accept(data), until)
      isStarted = true
      plan()
      void read(0, 'ask')
      return () => {
        isStarted = false
        plan()
        until.abort()
        observer?.disconnect()
        channel?.close()
        channel = undefined
      }
    },
    follow(wanted) {
      const { session } = wanted
      const before = options
      options = wanted
      if (before.refetchInterval !== wanted.refetchInterval) plan()
      if (session !== undefined && !isEqual(session, before.session)) {
        const { marker } = asked()
        // Routers keep what they were sent, and show it again after somebody has signed in or out, which leaves a mark.
        // After each mark, one that names somebody else is believed, and no second one.
        const isOther = marker && !isEqual(session?.user, context.data?.user)
        if (context.data !== undefined && isOther && answered.marker === marker)
          void read(now() - RENDER_TIME)
        else {
          // It may have been rendered before the latest mark, so it is no newer than what is known: the server is.
          answered = isOther ? asked(-1) : { ...answered }
          believe(session)
          void read(0)
        }
      }
    },
  }
  const rendered = show(options.session, null)
  return store

  /** Enters the phase that follows, and does what belongs to it. */
  function happen(event: PhaseEvent): void {
    const before = phase
    phase = next(phase, event)
    if (phase === before) return
    if (phase === 'asking') void ask()
    else if (phase === 'waiting') {
      void withLock(async lock => {
        if (lock) happen('turn')
        await turn
      })
    } else {
      endTurn()
      turn = undefined
    }
    plan()
  }

  async function ask(): Promise<void> {
    const question = asked()
    tried = question.marker
    try {
      publish({ session: await request(base, 'session'), ...question })
    } catch (error) {
      retry = Math.min(retry * 2 || FIRST_RETRY, LAST_RETRY)
      // What was known before is still the best that is known. One outage is one error.
      if (!context.error) show(context.data, error as Error) // nothing else is thrown by fetch or us
    }
    happen('done')
  }

  /** Runs something while other tabs wait for what it says. Is told whether no other tab does so. */
  function withLock<T>(run: (lock: unknown) => Promise<T>): Promise<T> {
    return page.navigator.locks?.request(name, { ifAvailable: true }, run) ?? run(true)
  }

  /** Sets the one timer: for another try, for the next read that is due, or for the session's end. */
  function plan(): void {
    page.clearTimeout(timer)
    if (!isStarted) return
    const left = Date.parse(context.data?.expires as string) - now()
    // What is not known is not a number, and not above 0.
    const delays = [MAX_TIMER, retry || (options.refetchInterval as number) * 1000, left]
    const delay = phase === 'waiting' ? OTHER_TAB : Math.min(...delays.filter(each => each > 0))
    timer = page.setTimeout(() => {
      happen('turn')
      // There may be nothing to ask, as where the clock was put back.
      plan()
      // Timers of two tabs are never exactly together: one answer does for both.
      if (page.navigator.onLine || options.refetchWhenOffline !== false)
        void read(now() - delay / 2)
    }, delay)
  }

  /** Finds out who is signed in, by a request that is sent at a certain time or later, unless it fails. */
  async function read(since: number, event: 'ask' | 'share' = 'share'): Promise<void> {
    // Known is what was asked for late enough, if nothing is said to have changed since. After the clock was put back,
    // nothing would be late enough for a while.
    while (
      (since <= now() && answered.at < since) ||
      answered.at > now() ||
      answered.marker !== asked().marker
    ) {
      happen(event)
      turn ??= new Promise(resolve => {
        endTurn = resolve
      })
      await turn
      // The timer tries again.
      if (retry || !isStarted) return
    }
  }

  function publish(response: SessionResponse): void {
    accept(response)
    channel?.postMessage(response)
  }

  function accept(response: SessionResponse): void {
    retry = 0
    // Somebody has signed in or out since, and whoever wants to know asks again.
    if (response.marker !== asked().marker) return
    // An answer from the future was given before someone put the clock back.
    if (answered.at <= now() && response.at < answered.at) return
    const { data } = context
    answered = response
    happen('answer')
    believe(response.session)
    if (context.data !== data && data !== undefined) {
      // Later, so that what it throws is its own affair.
      queueMicrotask(() => options.onSessionChange?.(response.session))
    }
  }

  /** Shows what a server said, here or by rendering it. */
  function believe(session: Session | null): void {
    // What is the same keeps its identity: nobody renders again for it.
    if (!isEqual(session, context.data)) show(session, null)
    else if (context.error) show(context.data, null)
    plan()
  }

  function show(data: Session | null | undefined, error: Error | null): SessionContextValue {
    const status = data ? 'authenticated' : data === null ? 'unauthenticated' : 'loading'
    context = { data, status, error, refresh, update } as SessionContextValue // the status is made for it
    readingOf.set(context, [store.subscribe, store.get, () => rendered])
    // What one of them throws is its own affair: the others have to know.
    for (const tell of listeners) void (async () => tell())()
    return context
  }

  async function refresh(): Promise<Session | null> {
    await read(now(), 'ask')
    if (context.error) throw context.error
    return context.data as Session | null
  }

  async function update(data?: unknown): Promise<Session | null> {
    if (data === undefined) return refresh()
    return change(async () => {
      const body = JSON.stringify({ csrfToken: await readCsrfToken(base), data })
      const at = now()
      const before = answered
      const session = await request<Session | null>(base, 'session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      // It has brought its own marker, unless there was nothing to update. What was learned meanwhile, such as that
      // nobody is signed in, may be newer.
      if (session && answered === before) publish({ session, ...asked(at) })
      else await read(now(), 'ask')
      return session
    })
  }

  /** Pays no attention to the marker while something on this page changes who is signed in. */
  function change<T>(run: () => Promise<T>, isLeaving?: boolean): Promise<T> {
    changes++
    // Other tabs, who see the marker change, wait for what this one has to say, unless it leaves.
    return (isLeaving ? run() : withLock(run)).finally(() => {
      changes--
      checkMarker()
    })
  }

  function checkMarker(): void {
    if (!changes && asked().marker !== tried) void read(0)
  }

  function comeBack(): void {
    if (page.document.hidden) return
    // A page that was frozen may have missed that the marker changed: that is looked at in any case.
    void read(options.refetchOnWindowFocus === false ? 0 : now() - FOCUS_AGE)
  }

  function hearPage(event: Event): void {
    const { detail } = event as CustomEvent<PageEvent> // only `tellProviders` makes events so named
    detail.base ??= base
    if (detail.base !== base) return
    const { data: response, changed } = detail
    if (response) publish(response)
    if (!changed) return
    detail.waits.push(
      change(async () => {
        if (await changed) await read(now(), 'ask')
      }, detail.redirect),
    )
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
