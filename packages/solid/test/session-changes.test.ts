import type { SessionStoreOptions } from '@siteauth/client'
import type { Session } from '@siteauth/core/types'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { stubPage } from '../../client/test/stub-page.ts'
import { bundle } from '../../react/test/bundle.ts'

const ANN: Session = { user: { name: 'Ann' }, expires: '2099-01-01T00:00:00.000Z' }

/** A page with one component that needs somebody to be signed in, as Solid runs it in a browser. */
const PAGE = `
  import { SessionProvider, signOut, useSession } from '@siteauth/solid'
  import { createComponent, createEffect, createRoot, createSignal } from 'solid-js'

  export { signOut }
  export function open(given, { onUnauthenticated, see }) {
    return createRoot(dispose => {
      const Member = () => {
        const session = useSession({ required: true, onUnauthenticated })
        createEffect(() => see(session().status))
      }
      createComponent(SessionProvider, {
        ...given,
        get children() {
          return createComponent(Member, {})
        },
      })
      return dispose
    })
  }
  export function follow(first, see) {
    const [session, render] = createSignal(first)
    const close = createRoot(dispose => {
      const Who = () => {
        const known = useSession()
        createEffect(() => see(known().data?.user?.name ?? known().status))
      }
      createComponent(SessionProvider, {
        basePath: '/auth',
        get session() {
          return session()
        },
        get children() {
          return createComponent(Who, {})
        },
      })
      return dispose
    })
    return { render, close }
  }`

interface Bundled {
  open(
    given: SessionStoreOptions,
    told: { onUnauthenticated: () => void; see: (status: string) => void },
  ): () => void
  follow(
    first: Session | null,
    see: (who: string) => void,
  ): { render(session: Session | null): void; close(): void }
  signOut(options: { redirect: false }): Promise<unknown>
}

let bundled: Bundled

beforeAll(async () => {
  const script = Buffer.from(await bundle(PAGE, 'external')).toString('base64')
  bundled = await import(/* @vite-ignore */ `data:text/javascript;base64,${script}`)
})

afterEach(() => vi.unstubAllGlobals())

describe('a component that needs somebody to be signed in', () => {
  it('sends people away once, whatever else changes', async () => {
    const page = stubPage(ANN)
    const onUnauthenticated = vi.fn()
    const seen: string[] = []
    const close = bundled.open(
      { session: ANN, basePath: '/auth' },
      { onUnauthenticated, see: status => seen.push(status) },
    )
    page.answer = null
    await bundled.signOut({ redirect: false })
    expect(onUnauthenticated).toHaveBeenCalledTimes(1)
    page.answer = new TypeError('down')
    page.mark('2')
    await vi.waitFor(() => expect(page.failures).toBe(1))
    expect(onUnauthenticated).toHaveBeenCalledTimes(1)
    expect(new Set(seen)).toEqual(new Set(['authenticated', 'loading']))
    close()
  })
})

describe('a session that a query of the router brings late', () => {
  it.each([
    ['of before', { ...ANN, expires: '2098-01-01T00:00:00.000Z' }],
    ['of somebody else', { ...ANN, user: { name: 'Bob' } }],
  ])('signs nobody in again: one %s', async (_, late) => {
    const page = stubPage(ANN)
    page.mark('1')
    const seen: string[] = []
    const { render, close } = bundled.follow(ANN, who => seen.push(who))
    page.answer = null
    const leaving = bundled.signOut({ redirect: false })
    page.mark('2')
    await leaving
    render(late)
    await new Promise(resolve => setImmediate(resolve))
    expect(seen).toEqual(['Ann', 'unauthenticated'])
    close()
  })
})
