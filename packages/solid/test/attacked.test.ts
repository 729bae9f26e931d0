import type { SessionStoreOptions } from '@siteauth/client'
import type { Session } from '@siteauth/core/types'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { stubPage } from '../../client/test/stub-page.ts'
import { bundle } from '../../react/test/bundle.ts'

const ANN: Session = { user: { name: 'Ann' }, expires: '2099-01-01T00:00:00.000Z' }

/** A page with one component that needs somebody to be signed in, as Solid runs it in a browser. */
const PAGE = `
  import { SessionProvider, signOut, useSession } from '@siteauth/solid'
  import { createComponent, createEffect, createRoot } from 'solid-js'

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
  }`

interface Bundled {
  open(
    given: SessionStoreOptions,
    told: { onUnauthenticated: () => void; see: (status: string) => void },
  ): () => void
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
