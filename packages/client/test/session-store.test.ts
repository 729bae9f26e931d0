import type { Session } from '@siteauth/core/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PAGE_EVENT, type PageEvent } from '../src/lib/page-event.ts'
import { createFakeBrowser, type FakeTab, settle } from './fake-page.ts'

const MINUTE = 60_000
const ANN: Session = { user: { name: 'Ann' }, expires: '2030-03-01T00:00:00.000Z' }
const BOB: Session = { user: { name: 'Bob' }, expires: '2030-03-01T00:00:00.000Z' }

afterEach(() => vi.unstubAllGlobals())

function nameIn({ store }: FakeTab): string | null | undefined {
  const { data } = store.get()
  return data ? data.user?.name : data
}

describe('a store that was told nothing', () => {
  it('asks once, however often it is started meanwhile', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const tab = browser.openTab()
    tab.close()
    tab.store.start()
    expect(tab.store.get()).toMatchObject({ data: undefined, status: 'loading' })
    await settle()
    expect(tab.store.get()).toMatchObject({ data: ANN, status: 'authenticated', error: null })
    expect(browser.reads).toHaveLength(1)
  })

  it('does not know anything when the first answer fails, and tries until one comes', async () => {
    const browser = createFakeBrowser()
    browser.answer = new TypeError('down')
    const tab = browser.openTab()
    await settle()
    expect(tab.store.get()).toMatchObject({ data: undefined, status: 'loading' })
    expect(tab.store.get().error).toBe(browser.answer)
    browser.answer = null
    await browser.pass(1_000)
    expect(tab.store.get()).toMatchObject({ data: null, status: 'unauthenticated', error: null })
  })
})

describe('a store that was given a session', () => {
  it('asks nothing', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    await settle()
    expect(nameIn(tab)).toBe('Ann')
    expect(browser.reads).toEqual([])
  })

  it('follows another one, and tells nobody that it has changed', async () => {
    const browser = createFakeBrowser()
    const onSessionChange = vi.fn()
    const tab = browser.openTab({ session: null })
    tab.store.follow({ session: BOB, onSessionChange })
    await settle()
    expect(nameIn(tab)).toBe('Bob')
    expect(onSessionChange).not.toHaveBeenCalled()
  })

  it('keeps what it learned since when the same one is given again', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    browser.mark('2')
    await settle()
    tab.store.follow({ session: { ...ANN } })
    tab.store.follow({})
    expect(nameIn(tab)).toBeNull()
  })

  it('asks when the session comes to its end', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    await browser.pass(Date.parse(ANN.expires) - browser.now)
    expect(nameIn(tab)).toBeNull()
  })
})

describe('the marker', () => {
  it.each([
    ['by the cookie store', { hasCookieStore: true }],
    ['by what the page loads', { hasCookieStore: false }],
  ])('is noticed %s', async (_, options) => {
    const browser = createFakeBrowser(options)
    const tab = browser.openTab({ session: null })
    browser.answer = ANN
    browser.mark('2')
    await settle()
    expect(nameIn(tab)).toBe('Ann')
    browser.mark('2')
    await settle()
    expect(browser.reads).toHaveLength(1)
  })

  it('that changes while a request is under way leads to another', async () => {
    const browser = createFakeBrowser()
    const release = browser.hold()
    const tab = browser.openTab()
    await settle()
    browser.answer = ANN
    browser.mark('2')
    release()
    await settle()
    expect(nameIn(tab)).toBe('Ann')
    expect(browser.reads).toHaveLength(2)
  })

  it('is not asked about by two tabs: one asks, and says what came out', async () => {
    const browser = createFakeBrowser()
    const tabs = [1, 2, 3].map(() => browser.openTab({ session: null }))
    browser.answer = ANN
    browser.mark('2')
    await settle()
    expect(tabs.map(nameIn)).toEqual(['Ann', 'Ann', 'Ann'])
    expect(browser.reads).toHaveLength(1)
  })

  it('is asked about by each tab where there are no locks', async () => {
    const browser = createFakeBrowser({ hasLocks: false })
    const tabs = [1, 2].map(() => browser.openTab({ session: null }))
    browser.answer = ANN
    browser.mark('2')
    await settle()
    expect(tabs.map(nameIn)).toEqual(['Ann', 'Ann'])
  })

  it('is asked about by a tab itself when the one that asks has nothing to say', async () => {
    const browser = createFakeBrowser()
    const [first, second] = [browser.openTab({ session: null }), browser.openTab({ session: null })]
    browser.answer = new TypeError('down')
    browser.mark('2')
    await settle()
    first.close()
    browser.answer = ANN
    await browser.pass(3_000)
    expect(nameIn(second)).toBe('Ann')
  })
})

describe('two tabs', () => {
  it('rely on each other for three seconds, and no longer', async () => {
    const browser = createFakeBrowser()
    const [, second] = [browser.openTab({ session: null }), browser.openTab({ session: null })]
    browser.hold()
    browser.answer = ANN
    browser.mark('2')
    await browser.pass(2_900)
    expect(browser.reads).toHaveLength(1)
    const release = browser.hold()
    await browser.pass(100)
    expect(browser.reads).toHaveLength(2)
    release()
    await settle()
    expect(nameIn(second)).toBe('Ann')
  })

  it('know that somebody signed out, though an older answer comes later', async () => {
    const browser = createFakeBrowser()
    const tabs = [browser.openTab({ session: ANN }), browser.openTab({ session: ANN })] as const
    browser.answer = ANN
    const releaseOld = browser.hold()
    const reading = tabs[0].store.get().refresh()
    await browser.pass(10)
    browser.open()
    browser.answer = null
    const signingOut = tell(tabs[1], Promise.resolve(true))
    browser.mark('2')
    await signingOut
    releaseOld()
    await reading
    await settle()
    expect(tabs.map(nameIn)).toEqual([null, null])
  })
})

describe('a function that signs somebody out', () => {
  it('while a request is under way is followed by another', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const release = browser.hold()
    const tab = browser.openTab()
    await browser.pass(10)
    browser.answer = null
    const signingOut = tell(tab, Promise.resolve(true))
    release()
    await signingOut
    expect(nameIn(tab)).toBeNull()
    expect(browser.reads).toHaveLength(2)
  })

  it('keeps the marker from being asked about until it is through', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    let settleChange = (_: boolean | undefined) => {}
    const changed = new Promise<boolean | undefined>(resolve => {
      settleChange = resolve
    })
    const signingOut = tell(tab, changed, { redirect: true })
    browser.mark('2')
    await settle()
    expect(browser.reads).toEqual([])
    // The page was not left.
    settleChange(undefined)
    await signingOut
    await settle()
    expect(nameIn(tab)).toBeNull()
  })
})

/** Does what `signIn` and `signOut` do with the provider on their page. */
async function tell(
  { page }: FakeTab,
  changed: Promise<boolean | undefined>,
  { redirect = false } = {},
): Promise<void> {
  const detail: PageEvent = { base: '/auth', changed, redirect, waits: [] }
  page.dispatchEvent(new CustomEvent(PAGE_EVENT, { detail }))
  await Promise.all(detail.waits)
}

describe('a read that fails', () => {
  it('keeps what was known, shows one error, and is tried again ever more slowly', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    browser.answer = new TypeError('down')
    const start = browser.now
    await expect(tab.store.get().refresh()).rejects.toThrow('down')
    const { error } = tab.store.get()
    browser.answer = new TypeError('still down')
    await browser.pass(5 * MINUTE)
    expect(tab.store.get()).toMatchObject({ data: ANN, status: 'authenticated' })
    expect(tab.store.get().error).toBe(error)
    const seconds = browser.reads.map(at => (at - start) / 1000)
    expect(seconds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
  })

  it('is tried at once when the network comes back', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    browser.answer = new TypeError('down')
    browser.mark('2')
    await browser.pass(10 * MINUTE)
    browser.answer = BOB
    tab.page.dispatchEvent(new Event('online'))
    await settle()
    expect(tab.store.get()).toMatchObject({ data: BOB, error: null })
  })

  it('says nothing while the browser is offline, if so wished', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN, refetchInterval: 60, refetchWhenOffline: false })
    tab.page.isOnline = false
    await browser.pass(5 * MINUTE)
    expect(browser.reads).toEqual([])
    tab.page.isOnline = true
    await browser.pass(MINUTE)
    expect(browser.reads).toHaveLength(1)
  })
})

describe('reading now and then', () => {
  it('is done by one of the tabs', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    for (let count = 0; count < 3; count++) browser.openTab({ session: ANN, refetchInterval: 60 })
    await browser.pass(10 * MINUTE)
    expect(browser.reads).toHaveLength(10)
  })

  it('begins and ends when the provider says so', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const { store } = browser.openTab({ session: ANN })
    await browser.pass(5 * MINUTE)
    expect(browser.reads).toHaveLength(0)
    store.follow({ session: ANN, refetchInterval: 60 })
    await browser.pass(5 * MINUTE)
    expect(browser.reads).toHaveLength(5)
    store.follow({ session: ANN })
    await browser.pass(5 * MINUTE)
    expect(browser.reads).toHaveLength(5)
  })

  it('goes on after the clock was put back', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const tab = browser.openTab()
    await settle()
    browser.now -= 60 * MINUTE
    browser.answer = null
    await tab.store.get().refresh()
    expect(nameIn(tab)).toBeNull()
  })
})

describe('coming to the front', () => {
  function show(tab: FakeTab, isVisible: boolean): Promise<void> {
    tab.page.isVisible = isVisible
    tab.page.document.dispatchEvent(new Event('visibilitychange'))
    return settle()
  }

  it('asks, but not again within seconds, and nothing when hidden', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: null })
    await show(tab, false)
    expect(browser.reads).toHaveLength(0)
    for (const _ of [1, 2, 3]) await show(tab, true)
    expect(browser.reads).toHaveLength(1)
    await browser.pass(MINUTE)
    await show(tab, true)
    expect(browser.reads).toHaveLength(2)
  })

  it('asks nothing if so wished', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: null, refetchOnWindowFocus: false })
    await show(tab, true)
    expect(browser.reads).toHaveLength(0)
  })
})

describe('what others see', () => {
  it('is the same object for the same data, and no notice of it', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const { store } = browser.openTab({ session: ANN })
    const [before, notice] = [store.get(), vi.fn()]
    store.subscribe(notice)
    browser.answer = structuredClone(ANN)
    await store.get().refresh()
    expect(store.get()).toBe(before)
    expect(notice).not.toHaveBeenCalled()
  })

  it('never is "loading" once something is known', async () => {
    const browser = createFakeBrowser()
    const { store } = browser.openTab({ session: ANN })
    const release = browser.hold()
    browser.mark('2')
    await settle()
    expect(store.get().status).toBe('authenticated')
    release()
    await settle()
    expect(store.get().status).toBe('unauthenticated')
  })

  it('is told to the application when it changes, whatever that does', async () => {
    const browser = createFakeBrowser()
    const onSessionChange = vi.fn()
    const tab = browser.openTab({ onSessionChange })
    await settle()
    expect(onSessionChange).not.toHaveBeenCalled()
    browser.answer = ANN
    browser.mark('2')
    await settle()
    expect(onSessionChange.mock.calls).toEqual([[ANN]])
    expect(tab.store.get().error).toBeNull()
  })
})

describe('an update', () => {
  it('sends the data, and shows the answer in all tabs without another request', async () => {
    const browser = createFakeBrowser()
    const [tab, other] = [browser.openTab({ session: ANN }), browser.openTab({ session: ANN })]
    browser.answer = BOB
    expect(await tab.store.get().update({ name: 'Bob' })).toEqual(BOB)
    await settle()
    expect(browser.sent).toEqual([{ csrfToken: 'token', data: { name: 'Bob' } }])
    expect([tab, other].map(nameIn)).toEqual(['Bob', 'Bob'])
    expect(browser.reads).toEqual([])
  })

  it('without data reads the session', async () => {
    const browser = createFakeBrowser()
    const { store } = browser.openTab({ session: ANN })
    browser.answer = BOB
    expect(await store.get().update()).toEqual(BOB)
    expect(browser.sent).toEqual([])
  })

  it('that fails says so to who called, and leaves the session alone', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    browser.answer = new TypeError('down')
    await expect(tab.store.get().update({})).rejects.toThrow('down')
    expect(tab.store.get()).toMatchObject({ data: ANN, status: 'authenticated', error: null })
  })

  it('counts for more than a read that began before it', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    browser.answer = ANN
    const release = browser.hold()
    const reading = tab.store.get().refresh()
    await settle()
    browser.now += 10
    browser.answer = BOB
    const updating = tab.store.get().update({})
    release()
    await Promise.all([reading, updating])
    expect(nameIn(tab)).toBe('Bob')
  })
})
