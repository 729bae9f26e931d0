import type { Session } from '@siteauth/core/types'
import { siteAuth, useSession } from '@siteauth/vue'
import type { App } from 'vue'

/** The options that the server passes to a page. */
export interface PageOptions {
  /** Where the endpoints are. */
  readonly basePath: string
  /** Who the page was rendered for; undefined if the server did not say. */
  readonly session: Session | null | undefined
}

/** What the route middleware needs. */
export interface PageAuth {
  /** Where strangers are sent who want to see a page; undefined for whoever is signed in. */
  signInPageFor(href: string): Promise<string | undefined>
}

/** Tells components who is signed in. The module's plugin calls it, once for each visitor. */
export function setUpPage(app: App, { basePath, session }: PageOptions): PageAuth {
  app.use(siteAuth({ basePath, session }))
  const { data, refresh } = app.runWithContext(() => useSession())
  // What a server renders for everybody is decided in the browser.
  const isUndecided = () => data.value === undefined && typeof document === 'undefined'
  return {
    async signInPageFor(href) {
      if (isUndecided() || (data.value === undefined ? await refresh() : data.value)) return
      // A path that begins with two slashes would be another site.
      const callbackUrl = encodeURIComponent(href.replace(/^[/\\]+/, '/'))
      return `${basePath}/signin?callbackUrl=${callbackUrl}`
    },
  }
}
