import type { Session } from '@siteauth/core/types'
import { vi } from 'vitest'

/** Renders the page of one visitor, and waits at some points where the test says so. */
export type RenderPage = (session: Session | null, wait: () => Promise<void>) => Promise<string>

/** What a server has rendered, and what it did beside that. */
export interface Rendered {
  readonly pages: readonly { readonly name: string; readonly html: string }[]
  /** Anything that outlasts a page or leaves the process: requests, timers, words to other tabs. */
  readonly deeds: readonly string[]
}

/**
 * Renders the pages of many visitors at the same time, in one process. Whoever waits goes on in an order that looks
 * random and is the same each time.
 */
export async function renderForMany(render: RenderPage, seed: number): Promise<Rendered> {
  const deeds: string[] = []
  const note = (deed: string) => () => {
    deeds.push(deed)
    throw new Error(`a server has no business with ${deed}`)
  }
  vi.stubGlobal('fetch', note('fetch'))
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        note('BroadcastChannel')()
      }
    },
  )
  const waiting: (() => void)[] = []
  const wait = () => new Promise<void>(resolve => waiting.push(resolve))
  let state = seed
  const pick = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % count
  }
  const names = ['Ann', 'Bob', 'Cid', 'Dot', 'nobody']
  let left = names.length
  const rendering = names.map(async name => {
    const session = name === 'nobody' ? null : { user: { name }, expires: '2040-01-01' }
    const html = await render(session, wait).finally(() => left--)
    return { name, html }
  })
  while (left > 0) {
    await new Promise(resolve => setImmediate(resolve))
    waiting.splice(pick(waiting.length || 1), 1)[0]?.()
  }
  vi.unstubAllGlobals()
  return { pages: await Promise.all(rendering), deeds }
}

/** Orders in which visitors are served. */
export const SEEDS: readonly number[] = Array.from({ length: 20 }, (_, index) => index + 1)
