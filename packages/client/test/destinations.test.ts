import { createAuthClient } from '@siteauth/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PAGE_EVENT, type PageEvent } from '../src/lib/page-event.ts'
import { LEFT_WITHIN } from '../src/lib/store/timing.ts'

const HERE = 'https://example.com/page'

/** A page, and a server that sends people wherever the test says. */
function openPage(url: string): { readonly left: string[] } {
  const left: string[] = []
  vi.stubGlobal('location', {
    get href() {
      return HERE
    },
    set href(to: string) {
      left.push(to)
    },
    reload() {},
  })
  vi.stubGlobal('fetch', async (asked: string | URL) => {
    const path = new URL(asked, HERE).pathname
    if (path.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (path.endsWith('/providers')) {
      return Response.json({ credentials: { id: 'credentials', type: 'credentials' } })
    }
    return Response.json({ url })
  })
  vi.stubGlobal('window', new EventTarget())
  return { left }
}

const { signIn, signOut } = createAuthClient({ basePath: '/auth' })

afterEach(() => vi.unstubAllGlobals())

describe.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'vbscript:x',
  'data:text/html,x',
  'blob:https://example.com/x',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://example.com/',
])('a server that says %j', url => {
  let left: string[]

  beforeEach(() => {
    left = openPage(url).left
  })

  it('is not followed by signIn or signOut', async () => {
    await expect(signIn('credentials', {})).rejects.toThrow('Configuration')
    await expect(signOut()).rejects.toThrow('Configuration')
    expect(left).toEqual([])
  })

  it('is not passed on to whoever would follow it', async () => {
    const outcome = await signIn('credentials', { redirect: false })
    expect(outcome).toMatchObject({ ok: false, error: 'Configuration', url: null })
    await expect(signOut({ redirect: false })).rejects.toThrow('Configuration')
  })
})

it.each(['https://example.com/next', 'https://op.example/authorize', 'my-app://signed-in', '/x'])(
  'follows %s',
  async url => {
    const { left } = openPage(url)
    await signIn('credentials', {})
    await signOut()
    expect(left).toEqual([url, url])
  },
)

it('lets a provider follow who is signed in again where the page is not left after all', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  openPage('my-app://signed-in')
  const told = new Promise<PageEvent>(resolve => {
    window.addEventListener(PAGE_EVENT, event => resolve((event as CustomEvent<PageEvent>).detail))
  })
  await signOut()
  const { changed } = await told
  await vi.advanceTimersByTimeAsync(LEFT_WITHIN)
  expect(await changed).toBeUndefined()
})
