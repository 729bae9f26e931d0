import type { Session } from '@siteauth/core/types'
import { vi } from 'vitest'
import {
  createSessionStore,
  type Page,
  type SessionStore,
  type StoreOptions,
} from '../src/lib/store/session-store.ts'

/** A browser whose tabs, clock, cookies and network belong to the test. */
export interface FakeBrowser {
  now: number
  /** Sets the clock, which timers take no notice of. */
  putClock(by: number): void
  /** The change marker, as the server sets it in all tabs. */
  mark(value: string): void
  /** The same, while no tab is told: as where all are frozen. */
  markUnseen(value: string): void
  /** What the server says, or how it fails. */
  answer: Session | null | Error
  /** When requests for the session were sent. */
  readonly reads: number[]
  /** What was sent to update the session. */
  readonly sent: unknown[]
  /** Lets the server answer only when told to. */
  hold(): () => void
  /** Lets it answer at once what it is asked from now on. */
  open(): void
  /** How what one tab says to the others is taken there: as soon as may be, unless a test says otherwise. */
  deliver: (message: () => void) => void
  openTab(options?: StoreOptions): FakeTab
  /** Lets time pass, timer by timer. */
  pass(milliseconds: number): Promise<void>
}

export interface FakeTab {
  readonly store: SessionStore
  readonly page: FakePage
  close(): void
}

interface FakePage extends EventTarget {
  readonly document: EventTarget
  isVisible: boolean
  isOnline: boolean
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
}

export interface FakeBrowserOptions {
  readonly hasCookieStore?: boolean
  readonly hasLocks?: boolean
  readonly hasChannel?: boolean
}

export function createFakeBrowser({
  hasCookieStore = true,
  hasLocks = true,
  hasChannel = true,
}: FakeBrowserOptions = {}): FakeBrowser {
  const timers = new Map<number, { at: number; run: () => void }>()
  const channels = new Set<FakeChannel>()
  const pages = new Set<FakePageParts>()
  const locked = new Set<string>()
  const reads: number[] = []
  const sent: unknown[] = []
  let cookie = ''
  let nextTimer = 1
  let gate: Promise<void> = Promise.resolve()

  class FakeChannel extends EventTarget {
    constructor() {
      super()
      channels.add(this)
    }
    postMessage(data: unknown): void {
      const copy = structuredClone(data)
      for (const other of channels) {
        if (other === this) continue
        browser.deliver(() => other.dispatchEvent(new MessageEvent('message', { data: copy })))
      }
    }
    close(): void {
      channels.delete(this)
    }
  }

  interface FakePageParts {
    readonly cookieStore: EventTarget
    readonly observers: Set<() => void>
  }

  const locks = {
    async request(name: string, _options: object, run: (lock: object | null) => Promise<unknown>) {
      // Never at once, as browsers have to ask.
      await Promise.resolve()
      const isFree = !locked.has(name)
      if (isFree) locked.add(name)
      try {
        return await run(isFree ? {} : null)
      } finally {
        if (isFree) locked.delete(name)
      }
    },
  }

  const browser: FakeBrowser = {
    now: Date.UTC(2030, 0, 1),
    answer: null,
    reads,
    sent,
    deliver: message => queueMicrotask(message),
    putClock(by) {
      browser.now += by
      for (const timer of timers.values()) timer.at += by
    },
    markUnseen(value) {
      cookie = `other=1; siteauth.changed=${value}`
    },
    mark(value) {
      browser.markUnseen(value)
      for (const { cookieStore, observers } of pages) {
        cookieStore.dispatchEvent(new Event('change'))
        for (const observe of observers) observe()
      }
    },
    hold() {
      let release = () => {}
      gate = new Promise(resolve => {
        release = resolve
      })
      return release
    },
    open() {
      gate = Promise.resolve()
    },
    openTab(options = {}) {
      const cookieStore = new EventTarget()
      const observers = new Set<() => void>()
      pages.add({ cookieStore, observers })
      const target = new EventTarget()
      const document = new (class extends EventTarget {
        get cookie() {
          return cookie
        }
        get hidden() {
          return !page.isVisible
        }
      })()
      const page: FakePage = Object.assign(target, { document, isVisible: true, isOnline: true })
      const parts = {
        addEventListener: target.addEventListener.bind(target),
        BroadcastChannel: hasChannel ? FakeChannel : undefined,
        cookieStore: hasCookieStore ? cookieStore : undefined,
        Date: { now: () => browser.now, parse: Date.parse },
        document,
        navigator: {
          locks: hasLocks ? locks : undefined,
          get onLine() {
            return page.isOnline
          },
        },
        PerformanceObserver: class {
          readonly #run: () => void
          constructor(run: () => void) {
            this.#run = run
          }
          observe() {
            observers.add(this.#run)
          }
          disconnect() {
            observers.delete(this.#run)
          }
        },
        setTimeout(run: () => void, delay: number) {
          timers.set(nextTimer, { at: browser.now + delay, run })
          return nextTimer++
        },
        clearTimeout: (id: number) => timers.delete(id),
      }
      // Sound because these are the parts that stores use, as far as they use them.
      const store = createSessionStore({ ...options, basePath: '/auth' }, parts as unknown as Page)
      return { store, page, close: store.start() }
    },
    async pass(milliseconds) {
      const end = browser.now + milliseconds
      await settle()
      for (;;) {
        const [next] = [...timers]
          .filter(([, { at }]) => at <= end)
          .sort((a, b) => a[1].at - b[1].at)
        if (!next) break
        timers.delete(next[0])
        browser.now = Math.max(browser.now, next[1].at)
        next[1].run()
        await settle()
      }
      browser.now = end
    },
  }

  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/auth/csrf')) return Response.json({ csrfToken: 'token' })
    if (init.method === 'POST') sent.push(JSON.parse(String(init.body)))
    else reads.push(browser.now)
    const { answer } = browser
    await gate
    if (answer instanceof Error) throw answer
    return Response.json(answer)
  })
  return browser
}
