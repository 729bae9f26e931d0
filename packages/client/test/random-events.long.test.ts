import { createAuthClient } from '@siteauth/client'
import type { Session } from '@siteauth/core/types'
import { afterEach, expect, it, vi } from 'vitest'
import { createFakeBrowser, type FakeTab, settle } from './fake-page.ts'

const HERE = 'https://example.com/page'
const { getSession, signOut } = createAuthClient({ basePath: '/auth' })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Numbers that look random and are the same each time. */
function chanceOf(seed: number): (count: number) => number {
  let state = seed
  return count => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * count)
  }
}

const nameOf = (session: Session | null | undefined) => session?.user?.name ?? 'nobody'

/** A tab, and what it has shown. */
interface Watched extends FakeTab {
  /** What its router was sent, and may show again. */
  readonly rendered: (Session | null)[]
  /** At which marker it has believed its router, which it may do once. */
  believedAt: number
  isRendering: boolean
}

/**
 * Three tabs read, update, sign in and sign out at the same time, over a network that answers in any order and loses
 * some answers, in browsers that lack this and that. Whoever signs in has a name of their own, and once out is not back.
 * Says what went wrong, as of who was shown when it was known better.
 */
async function play(seed: number): Promise<string[]> {
  const chance = chanceOf(seed)
  const browser = createFakeBrowser({
    hasCookieStore: chance(3) > 0,
    hasLocks: chance(3) > 0,
    hasChannel: chance(3) > 0,
  })
  const sendsMarks = chance(5) > 0
  vi.spyOn(Date, 'now').mockImplementation(() => browser.now)
  const wrong: string[] = []
  const underWay: (() => void)[] = []
  let [people, marker, requests, unsettled] = [0, 0, 0, 0]
  const somebody = (): Session => ({ user: { name: `Visitor ${++people}` }, expires: '2041-01-01' })
  const renewed = (session: Session) => ({ ...session, expires: `204${2 + chance(8)}-01-01` })
  let current: Session | null = somebody()
  const change = (session: Session | null) => {
    current = session
    if (sendsMarks) browser.mark(`${++marker}`)
  }
  /** What an endpoint does when a request arrives that was sent while somebody was signed in, or nobody. */
  const answerTo = (url: string, { method }: RequestInit, sent: Session | null) => {
    if (url.endsWith('/signout')) change(null)
    else if (method !== 'POST') return sent
    else if (sent && nameOf(sent) === nameOf(current)) change(renewed(sent))
    return url.endsWith('/signout') ? { url: HERE } : current
  }
  browser.deliver = message => {
    if (chance(2) === 0) underWay.push(message)
    else queueMicrotask(message)
  }
  vi.stubGlobal('location', { href: HERE, reload() {} })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url.endsWith('/csrf')) return Promise.resolve(Response.json({ csrfToken: 'token' }))
    const sent = current
    requests++
    return new Promise<Response>((resolve, reject) => {
      underWay.push(() => {
        const answer = Response.json(answerTo(url, init, sent))
        if (chance(8) === 0) reject(new TypeError('lost'))
        else resolve(answer)
      })
    })
  })

  function watch(tab: FakeTab): Watched {
    const watched: Watched = { ...tab, rendered: [current], believedAt: -1, isRendering: false }
    const isOver = new Set<string>()
    let shown = nameOf(tab.store.get().data)
    tab.store.subscribe(() => {
      const [before, truth] = [shown, nameOf(current)]
      shown = nameOf(tab.store.get().data)
      if (shown === before) return
      if (before !== truth) isOver.add(before)
      const isFirst = watched.isRendering && watched.believedAt !== marker
      if (watched.isRendering) watched.believedAt = marker
      // Without marks, nobody can tell what is late.
      if (isFirst || !sendsMarks || shown === truth) return
      if (shown === 'nobody' && before === truth) wrong.push(`${before} is sent away`)
      if (shown !== 'nobody' && isOver.has(shown)) wrong.push(`${shown} is back`)
    })
    return watched
  }
  const tabs = [0, 1, 2].map(() =>
    watch(browser.openTab({ session: chance(4) ? current : undefined })),
  )
  const pick = () => tabs[chance(tabs.length)] as Watched
  const expectToSettle = (promise: Promise<unknown>) => {
    unsettled++
    const settled = () => {
      unsettled--
    }
    promise.then(settled, settled)
  }
  const show = (tab: Watched, session: Session | null) => {
    tab.isRendering = true
    tab.store.follow({ session })
    tab.isRendering = false
  }
  const render = (tab: Watched) => {
    const session = current && renewed(current)
    tab.rendered.push(session)
    underWay.push(() => show(tab, session))
  }
  const focus = ({ page }: FakeTab) => page.document.dispatchEvent(new Event('visibilitychange'))
  const runOn = ({ page }: FakeTab, run: () => Promise<unknown>) => {
    vi.stubGlobal('window', page)
    vi.stubGlobal('document', page.document)
    expectToSettle(run())
  }
  const deeds: (() => unknown)[] = [
    () => expectToSettle(pick().store.get().refresh()),
    () => expectToSettle(pick().store.get().update({})),
    () => runOn(pick(), getSession),
    () => runOn(pick(), () => signOut({ redirect: false })),
    // On a page that is loaded anew.
    () => change(somebody()),
    () => change(null),
    // By an action of the server, whose page comes later than its cookies.
    () => [change(somebody()), render(pick())],
    () => [change(null), render(pick())],
    // A router asks for a page, and shows it when it comes; or shows one again.
    () => render(pick()),
    () => {
      const tab = pick()
      show(tab, tab.rendered[chance(tab.rendered.length)] as Session | null)
    },
    () => focus(pick()),
    () => browser.putClock([-3_600_000, -20_000, -50, 3_600_000][chance(4)] as number),
    () => browser.pass(1_000 * chance(4)),
  ]

  async function settleAll(): Promise<void> {
    for (let round = 0; round < 15; round++) {
      while (underWay.length > 0 && requests < 1_000) {
        underWay.splice(chance(underWay.length), 1)[0]?.()
        await settle()
        browser.now += 1
      }
      await browser.pass(5_000)
    }
  }

  for (let step = 0; step < 60; step++) {
    if (chance(5) > 1 && underWay.length > 0) underWay.splice(chance(underWay.length), 1)[0]?.()
    else await deeds[chance(deeds.length)]?.()
    await settle()
    browser.now += 1 + chance(40)
  }
  await settleAll()
  if (unsettled > 0) wrong.push(`${unsettled} promises are never settled`)
  if (!sendsMarks) {
    tabs.forEach(focus)
    await settleAll()
  }
  if (requests >= 1_000) wrong.push('there is no end of requests')
  const names = tabs.map(({ store }) => nameOf(store.get().data))
  wrong.push(...names.filter(name => name !== nameOf(current)).map(name => `${name} stays`))
  for (const { close } of tabs) close()
  return wrong
}

it.each(Array.from({ length: 80 }, (_, index) => index + 1))(
  'all tabs know in the end who is signed in, and show nobody else once they know better (%i)',
  async seed => {
    expect(await play(seed)).toEqual([])
  },
)
