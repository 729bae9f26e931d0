import { createAuthClient } from '@siteauth/client'
import type { Session } from '@siteauth/core/types'
import { afterEach, expect, it, vi } from 'vitest'
import { createFakeBrowser, type FakeTab, settle } from './fake-page.ts'

const HERE = 'https://example.com/page'
const sessionOf = (name: string): Session => ({
  user: { name },
  expires: '2031-01-01T00:00:00.000Z',
})
const { signOut } = createAuthClient({ basePath: '/auth' })

afterEach(() => vi.unstubAllGlobals())

/** Numbers that look random and are the same each time. */
function chanceOf(seed: number): (count: number) => number {
  let state = seed
  return count => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * count)
  }
}

/**
 * Three tabs read, update, sign in and sign out at the same time, over a network that answers in any order and loses
 * some answers. Who is signed in is what cookies say: they go with a request, and the answer that arrives last sets them.
 */
async function play(seed: number): Promise<string[]> {
  const chance = chanceOf(seed)
  const browser = createFakeBrowser({ hasCookieStore: chance(3) > 0, hasLocks: chance(3) > 0 })
  vi.spyOn(Date, 'now').mockImplementation(() => browser.now)
  let current: Session | null = sessionOf('Ann')
  let marker = 0
  let people = 0
  const underWay: (() => void)[] = []
  const change = (session: Session | null) => {
    current = session
    return `${++marker}`
  }
  vi.stubGlobal('location', { href: HERE, reload() {} })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url.endsWith('/csrf')) return Promise.resolve(Response.json({ csrfToken: 'token' }))
    const sent = current
    return new Promise<Response>((resolve, reject) => {
      underWay.push(() => {
        if (chance(8) === 0) return reject(new TypeError('lost'))
        if (url.endsWith('/signout')) {
          browser.mark(change(null))
          return resolve(Response.json({ url: HERE }))
        }
        const isUpdate = init.method === 'POST' && sent
        const answer = isUpdate ? { ...sent, expires: `203${1 + chance(8)}-01-01` } : sent
        if (isUpdate) browser.mark(change(answer))
        return resolve(Response.json(answer))
      })
    })
  })
  const tabs = [1, 2, 3].map(() => browser.openTab({ session: current }))
  const pick = () => tabs[chance(tabs.length)] as FakeTab
  const deeds: (() => unknown)[] = [
    () =>
      pick()
        .store.get()
        .refresh()
        .catch(() => {}),
    () =>
      pick()
        .store.get()
        .update({})
        .catch(() => {}),
    () => {
      vi.stubGlobal('window', pick().page)
      return signOut({ redirect: false }).catch(() => {})
    },
    // On a page that is loaded anew.
    () => browser.mark(change(sessionOf(`Visitor ${++people}`))),
    () => browser.mark(change(null)),
    () => pick().page.document.dispatchEvent(new Event('visibilitychange')),
    // A router asks for a page, and shows it when it comes.
    () => {
      const { store } = pick()
      const session = current && { ...current, expires: `203${1 + chance(8)}-02-01` }
      underWay.push(() => store.follow({ session }))
    },
  ]
  for (let step = 0; step < 60; step++) {
    if (chance(3) > 0 && underWay.length > 0) underWay.splice(chance(underWay.length), 1)[0]?.()
    else void deeds[chance(deeds.length)]?.()
    await settle()
    browser.now += 1 + chance(40)
  }
  // All that is under way arrives, and what failed is tried again.
  for (let round = 0; round < 60; round++) {
    while (underWay.length > 0) {
      underWay.splice(chance(underWay.length), 1)[0]?.()
      await settle()
      browser.now += 1
    }
    await browser.pass(5_000)
  }
  const names = tabs.map(({ store }) => store.get().data?.user?.name ?? 'nobody')
  const wrong = names.filter(name => name !== (current?.user?.name ?? 'nobody'))
  for (const { close } of tabs) close()
  return wrong
}

it.each(Array.from({ length: 100 }, (_, index) => index + 1))(
  'all tabs know in the end who is signed in (%i)',
  async seed => {
    expect(await play(seed)).toEqual([])
  },
)
