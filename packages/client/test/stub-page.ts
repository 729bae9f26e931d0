import type { Session } from '@siteauth/core/types'
import { vi } from 'vitest'

/** The page that tests of frameworks run on, and its server. */
export interface StubPage {
  /** What the server says, or how it fails. */
  answer: Session | null | Error
  /** How often it has failed, and the page knows. */
  failures: number
  /** Sets the change marker, as the server does. */
  mark(value: string): void
}

/** Puts a page in place of the globals, as far as stores and functions use one. */
export function stubPage(answer: Session | null): StubPage {
  const url = 'https://example.com/page'
  const cookieStore = new EventTarget()
  const document = Object.assign(new EventTarget(), { cookie: '', hidden: false })
  const window = new EventTarget()
  const page: StubPage = {
    answer,
    failures: 0,
    mark(value) {
      document.cookie = `siteauth.changed=${value}`
      cookieStore.dispatchEvent(new Event('change'))
    },
  }
  const globals = {
    ...{ window, document, cookieStore, location: { href: url, reload() {} } },
    ...{ navigator: { onLine: true }, BroadcastChannel: undefined },
    addEventListener: window.addEventListener.bind(window),
    async fetch(asked: string) {
      if (asked.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
      if (asked.endsWith('/signout')) return Response.json({ url })
      if (!(page.answer instanceof Error)) return Response.json(page.answer)
      // By then, what waits for nothing but its turn is done.
      setImmediate(() => page.failures++)
      throw page.answer
    },
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  return page
}
