import { createAuthClient, getSession } from '@siteauth/client'
import { sessionListControls } from '@siteauth/client/integration'
import { createSessionsClient } from '@siteauth/client/sessions'
import type { ListedSession, Session } from '@siteauth/core/types'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readMarker } from '../src/lib/change-marker.ts'
import { createFakeBrowser, type FakeBrowser, type FakeTab, settle } from './fake-page.ts'

const ANN: Session = { user: { name: 'Ann' }, expires: '2030-03-01T00:00:00.000Z' }
const BOB: Session = { user: { name: 'Bob' }, expires: '2030-03-01T00:00:00.000Z' }
const HERE = 'https://example.com/page'

afterEach(() => vi.unstubAllGlobals())

function nameIn({ store }: FakeTab): string | null | undefined {
  const { data } = store.get()
  return data ? data.user?.name : data
}

const { signOut } = createAuthClient({ basePath: '/auth' })

/** Lets the functions of this package run on the page of a tab. `post` is what the server does about a form. */
function runOn({ page }: FakeTab, post: () => Promise<Response>): void {
  const { fetch } = globalThis
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page.document)
  vi.stubGlobal('location', { href: HERE, reload() {} })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    /signout|sessions\/end/.test(url) ? post() : fetch(url, init),
  )
}

const signedOut = (browser: FakeBrowser) => async () => {
  browser.mark('out')
  return Response.json({ url: HERE })
}

describe('an update that is answered after somebody has signed out', () => {
  async function updateWhile(leave: (browser: FakeBrowser, tabs: FakeTab[]) => Promise<unknown>) {
    const browser = createFakeBrowser()
    const tabs = [browser.openTab({ session: ANN }), browser.openTab({ session: ANN })]
    const [first] = tabs as [FakeTab, FakeTab]
    browser.answer = ANN
    const release = browser.hold()
    const updating = first.store.get().update({})
    await settle()
    await browser.pass(10)
    browser.open()
    browser.answer = null
    await leave(browser, tabs)
    await browser.pass(10)
    release()
    await updating
    await settle()
    return tabs.map(nameIn)
  }

  it('in this tab changes nothing', async () => {
    const names = await updateWhile(async (browser, [tab]) => {
      runOn(tab as FakeTab, signedOut(browser))
      await signOut({ redirect: false })
    })
    expect(names).toEqual([null, null])
  })

  it('in another tab changes nothing', async () => {
    const names = await updateWhile(async (browser, [, other]) => {
      runOn(other as FakeTab, signedOut(browser))
      await signOut({ redirect: false })
    })
    expect(names).toEqual([null, null])
  })
})

it('an update counts for more than a read that was sent after it, and answered before', async () => {
  const browser = createFakeBrowser()
  const tab = browser.openTab({ session: ANN })
  const release = browser.hold()
  browser.answer = BOB
  const updating = tab.store.get().update({})
  await settle()
  await browser.pass(10)
  browser.open()
  browser.answer = ANN
  await tab.store.get().refresh()
  browser.answer = BOB
  await browser.pass(10)
  release()
  await updating
  expect(nameIn(tab)).toBe('Bob')
})

describe('somebody who has signed out is not shown any more', () => {
  it('though the server cannot be asked about it', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    runOn(tab, signedOut(browser))
    browser.answer = new TypeError('down')
    await signOut({ redirect: false })
    expect(tab.store.get()).toMatchObject({ data: null, status: 'unauthenticated' })
  })

  it('while the server is slow to say so', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    runOn(tab, signedOut(browser))
    const release = browser.hold()
    const leaving = signOut({ redirect: false })
    await settle()
    expect(nameIn(tab)).toBeNull()
    release()
    await leaving
  })

  it('though somebody else has signed in since, who is', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    runOn(tab, signedOut(browser))
    browser.answer = BOB
    await signOut({ redirect: false })
    expect(nameIn(tab)).toBe('Bob')
  })

  it('where the answer to that was lost', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    runOn(tab, () => Promise.reject(new TypeError('lost')))
    await expect(signOut({ redirect: false })).rejects.toThrow('NetworkError')
    await settle()
    expect(nameIn(tab)).toBeNull()
  })

  it('where the answer was lost that their session is ended', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    runOn(tab, () => Promise.reject(new TypeError('lost')))
    const { sessions } = createSessionsClient({ basePath: '/auth' })
    await expect(sessions.end('own')).rejects.toThrow('lost')
    await settle()
    expect(nameIn(tab)).toBeNull()
  })

  it('on a page that was frozen meanwhile, whatever it does about focus', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN, refetchOnWindowFocus: false })
    browser.markUnseen('out')
    tab.page.document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(nameIn(tab)).toBeNull()
  })
})

describe('a page that was rendered before somebody signed out', () => {
  async function goBack({ answer }: { answer: Session | null | Error }) {
    const browser = createFakeBrowser()
    browser.markUnseen('in')
    const tab = browser.openTab({ session: ANN })
    browser.mark('out')
    await settle()
    tab.store.follow({ session: null })
    await browser.pass(1_001)
    browser.answer = answer
    const seen: unknown[] = []
    tab.store.subscribe(() => seen.push(nameIn(tab)))
    // As a router does that keeps what it was sent.
    tab.store.follow({ session: ANN })
    await settle()
    return { tab, seen }
  }

  it('is not believed that they are signed in', async () => {
    const { tab, seen } = await goBack({ answer: null })
    expect(nameIn(tab)).toBeNull()
    expect(seen).toEqual([])
  })

  it('is not believed while the server cannot be asked', async () => {
    const { tab } = await goBack({ answer: new TypeError('down') })
    expect(tab.store.get().status).toBe('unauthenticated')
  })

  it('is right if the server says so', async () => {
    expect(nameIn((await goBack({ answer: ANN })).tab)).toBe('Ann')
  })
})

describe('a page that was rendered before somebody signed out in another tab, and comes after it', () => {
  const LATE: Session = { ...ANN, expires: '2030-02-01T00:00:00.000Z' }

  async function signOutElsewhere(arrive: (browser: FakeBrowser, tab: FakeTab) => Promise<void>) {
    const browser = createFakeBrowser()
    browser.markUnseen('in')
    const tab = browser.openTab({ session: ANN })
    await settle()
    browser.answer = null
    await arrive(browser, tab)
    await settle()
    expect(nameIn(tab)).toBeNull()
    expect(browser.reads).toHaveLength(1)
  }

  it('does not outrank what the server is just asked', async () => {
    await signOutElsewhere(async (browser, tab) => {
      const release = browser.hold()
      browser.mark('out')
      await settle()
      browser.now += 10
      tab.store.follow({ session: LATE })
      await settle()
      release()
    })
  })

  it('does not outrank the mark that it left', async () => {
    await signOutElsewhere(async (browser, tab) => {
      browser.markUnseen('out')
      browser.now += 10
      tab.store.follow({ session: LATE })
    })
  })
})

it('a page that is rendered after somebody has signed in is believed at once', async () => {
  const browser = createFakeBrowser()
  browser.markUnseen('out')
  const tab = browser.openTab({ session: null })
  browser.markUnseen('in')
  tab.store.follow({ session: ANN })
  expect(nameIn(tab)).toBe('Ann')
})

describe('a page that is rendered after somebody has signed in', () => {
  it('is not undone by an answer from before', async () => {
    const browser = createFakeBrowser()
    browser.markUnseen('out')
    const tab = browser.openTab({ session: null })
    const release = browser.hold()
    const refreshed = tab.store.get().refresh()
    await settle()
    browser.open()
    browser.answer = ANN
    browser.mark('in')
    tab.store.follow({ session: ANN })
    const seen: unknown[] = []
    tab.store.subscribe(() => seen.push(nameIn(tab)))
    release()
    expect(await refreshed).toEqual(ANN)
    expect(seen).toEqual([])
  })

  it('asks nothing that another tab is just asking', async () => {
    const browser = createFakeBrowser()
    browser.markUnseen('out')
    // The one that sees the mark first asks.
    const other = browser.openTab({ session: null })
    const tab = browser.openTab({ session: null })
    browser.answer = ANN
    const release = browser.hold()
    browser.mark('in')
    tab.store.follow({ session: ANN })
    await settle()
    release()
    await settle()
    expect([other, tab].map(nameIn)).toEqual(['Ann', 'Ann'])
    expect(browser.reads).toHaveLength(1)
  })
})

it.each([
  ['before the mark is seen', 0],
  ['while the server is asked', 1],
  ['after it has answered', 2],
])(
  'a sign-in by an action is asked about once for all tabs if its page comes %s',
  async (_, moment) => {
    const browser = createFakeBrowser()
    browser.markUnseen('out')
    const [tab, ...others] = [1, 2, 3].map(() => browser.openTab({ session: null }))
    const renderAt = (now: number) => {
      if (now === moment) tab?.store.follow({ session: ANN })
      return settle()
    }
    browser.answer = ANN
    const release = browser.hold()
    browser.markUnseen('in')
    await renderAt(0)
    browser.mark('in')
    await renderAt(1)
    release()
    await settle()
    await renderAt(2)
    await browser.pass(10_000)
    expect([tab as FakeTab, ...others].map(nameIn)).toEqual(['Ann', 'Ann', 'Ann'])
    expect(browser.reads).toHaveLength(1)
  },
)

describe('a page that was rendered before, and comes while the server is asked about a change', () => {
  async function comeLate(before: Session | null, after: Session | null) {
    const browser = createFakeBrowser()
    browser.markUnseen('before')
    const tab = browser.openTab({ session: before })
    browser.answer = after
    const release = browser.hold()
    browser.mark('after')
    tab.store.follow({ session: after })
    const seen: unknown[] = []
    tab.store.subscribe(() => seen.push(nameIn(tab)))
    tab.store.follow({ session: before })
    await settle()
    release()
    await settle()
    expect(nameIn(tab)).toBe(after?.user?.name ?? null)
    return seen
  }

  it('does not bring back who has signed out', async () => {
    expect(await comeLate(ANN, null)).toEqual([])
  })

  it('does not send away who has signed in', async () => {
    expect(await comeLate(null, ANN)).toEqual([])
  })
})

it('a page that was rendered before a sign-in sends nobody away whom another one has shown first', async () => {
  const browser = createFakeBrowser()
  browser.markUnseen('out')
  const release = browser.hold()
  const tab = browser.openTab()
  browser.mark('in')
  tab.store.follow({ session: ANN })
  tab.store.follow({ session: null })
  expect(nameIn(tab)).toBe('Ann')
  browser.answer = ANN
  release()
})

describe('an answer from before a change that was rendered', () => {
  async function answerLate(ask: (browser: FakeBrowser, tab: FakeTab) => Promise<() => unknown>) {
    const browser = createFakeBrowser()
    browser.markUnseen('out')
    const tab = browser.openTab({ session: null })
    browser.now += 10
    const arrive = await ask(browser, tab)
    await settle()
    browser.now += 10
    const release = browser.hold()
    browser.answer = ANN
    browser.mark('in')
    tab.store.follow({ session: ANN })
    const seen: unknown[] = []
    tab.store.subscribe(() => seen.push(nameIn(tab)))
    await arrive()
    await settle()
    release()
    await settle()
    expect(nameIn(tab)).toBe('Ann')
    expect(seen).toEqual([])
  }

  it('does not undo it if another tab sends it', async () => {
    await answerLate(async browser => {
      const late: (() => void)[] = []
      browser.deliver = message => late.push(message)
      await browser.openTab({ session: null }).store.get().refresh()
      expect(late).toHaveLength(1)
      return () => late[0]?.()
    })
  })

  it('does not undo it if getSession was told', async () => {
    await answerLate(async (browser, tab) => {
      vi.spyOn(Date, 'now').mockImplementation(() => browser.now)
      onTestFinished(() => void vi.restoreAllMocks())
      runOn(tab, signedOut(browser))
      const release = browser.hold()
      const asking = createAuthClient({ basePath: '/auth' }).getSession()
      return () => {
        release()
        return asking
      }
    })
  })
})

it('a tab that was frozen while somebody signed out and in again sends nobody away', async () => {
  const browser = createFakeBrowser()
  browser.markUnseen('in')
  const frozen = browser.openTab({ session: ANN })
  const other = browser.openTab({ session: ANN })
  const late: (() => void)[] = []
  browser.deliver = message => late.push(message)
  runOn(other, async () => {
    browser.markUnseen('out')
    return Response.json({ url: HERE })
  })
  vi.spyOn(Date, 'now').mockImplementation(() => browser.now)
  onTestFinished(() => void vi.restoreAllMocks())
  browser.now += 10
  await signOut({ redirect: false })
  browser.now += 10
  browser.answer = ANN
  browser.markUnseen('in again')
  const seen: unknown[] = []
  frozen.store.subscribe(() => seen.push(nameIn(frozen)))
  for (const arrive of late) arrive()
  frozen.page.document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  expect(seen).toEqual([])
})

describe('a clock that is put back', () => {
  it('while the server is asked leads to one more question', async () => {
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: null })
    browser.answer = ANN
    const release = browser.hold()
    const refreshed = tab.store.get().refresh()
    await settle()
    browser.putClock(-3_600_000)
    const releaseSecond = browser.hold()
    release()
    await settle()
    browser.hold()
    browser.now += 10
    releaseSecond()
    await settle()
    expect(browser.reads).toHaveLength(2)
    expect(await refreshed).toEqual(ANN)
  })

  it('does not end reading now and then', async () => {
    const browser = createFakeBrowser()
    browser.answer = ANN
    const tab = browser.openTab({ refetchInterval: 60 })
    await browser.pass(50_000)
    browser.putClock(-40_000)
    await browser.pass(600_000)
    expect(browser.reads.length).toBeGreaterThan(8)
    tab.close()
  })
})

it('a change during the first request that succeeds again is asked about at once', async () => {
  const browser = createFakeBrowser()
  const tab = browser.openTab({ session: null })
  browser.answer = new TypeError('down')
  browser.mark('1')
  await browser.pass(600_000)
  browser.answer = null
  const release = browser.hold()
  const refreshed = tab.store.get().refresh()
  await settle()
  browser.open()
  browser.answer = ANN
  browser.mark('2')
  release()
  expect(await refreshed).toEqual(ANN)
})

it('a user who looks different each time does not keep a router and the store busy forever', async () => {
  const browser = createFakeBrowser()
  let count = 0
  // Such as the address of a picture that is signed for a minute.
  const lookUp = (): Session => ({ ...ANN, user: { name: 'Ann', image: `/ann?at=${++count}` } })
  const onSessionChange = vi.fn()
  browser.markUnseen('in')
  const tab = browser.openTab({ session: lookUp(), onSessionChange })
  browser.answer = lookUp()
  await tab.store.get().refresh()
  for (let round = 1; round <= 10; round++) {
    await browser.pass(100)
    if (onSessionChange.mock.calls.length < round) break
    browser.answer = lookUp()
    tab.store.follow({ session: lookUp(), onSessionChange })
  }
  expect(browser.reads).toHaveLength(1)
})

describe('a page that was rendered for nobody', () => {
  async function arrive({ answer }: { answer: Session | null }) {
    const browser = createFakeBrowser()
    browser.markUnseen('in')
    const tab = browser.openTab({ session: ANN })
    browser.answer = answer
    tab.store.follow({ session: null })
    await settle()
    return nameIn(tab)
  }

  it('signs nobody out who is signed in', async () => {
    expect(await arrive({ answer: ANN })).toBe('Ann')
  })

  it('is right if the session has ended', async () => {
    expect(await arrive({ answer: null })).toBeNull()
  })
})

describe('a listener that throws', () => {
  it('keeps nobody from learning that somebody has signed out, then or later', async () => {
    const uncaught = vi.fn()
    process.on('unhandledRejection', uncaught)
    onTestFinished(() => void process.off('unhandledRejection', uncaught))
    const browser = createFakeBrowser()
    const tab = browser.openTab({ session: ANN })
    const seen: unknown[] = []
    tab.store.subscribe(() => {
      throw new TypeError("Cannot read properties of null (reading 'user')")
    })
    tab.store.subscribe(() => seen.push(nameIn(tab)))
    browser.mark('out')
    await settle()
    browser.answer = BOB
    browser.mark('in')
    await settle()
    expect(seen).toEqual([null, 'Bob'])
    expect(uncaught).toHaveBeenCalledTimes(2)
  })
})

it('a list of sessions is the one that was asked for last', async () => {
  const answers: ((list: readonly ListedSession[]) => void)[] = []
  let shown: readonly ListedSession[] | undefined
  const { refresh } = sessionListControls(
    {
      list: () => new Promise(resolve => answers.push(resolve)),
      end: async () => true,
      endOthers: async () => true,
    },
    change => {
      shown = change({ data: undefined, error: null }).data
    },
  )
  const asking = [refresh(), refresh()]
  const ended = { handle: 'ended' } as ListedSession // all that is looked at
  answers[1]?.([])
  await settle()
  answers[0]?.([ended])
  await Promise.all(asking)
  expect(shown).toEqual([])
})

it('a session that a server reads for a visitor is told to nobody', async () => {
  const browser = createFakeBrowser()
  const tab = browser.openTab({ session: null })
  const { fetch } = globalThis
  vi.stubGlobal('window', tab.page)
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => fetch(url, init))
  browser.answer = ANN
  expect(await getSession({ headers: { cookie: 'session=ann' } })).toEqual(ANN)
  expect(nameIn(tab)).toBeNull()
})

it('a marker that another site of the domain puts before ours does not hide it', () => {
  const read = (value: string) =>
    readMarker({ cookie: `siteauth.changed=x; a=b; __Secure-siteauth.changed=${value}` })
  expect(read('1')).not.toBe(read('2'))
})
