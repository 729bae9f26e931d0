// Files that Nuxt compiles together with the pages. They only connect its functions with ours.

/** The plugin: it hands over who the page was rendered for. */
export function pluginFile(basePath: string): string {
  return `import { type Session, sessionFor, setUpPage } from '@siteauth/nuxt/app'
import { defineNuxtPlugin, useRequestEvent, useState } from '#imports'

export default defineNuxtPlugin({
  name: 'siteauth',
  enforce: 'pre',
  async setup({ vueApp }) {
    const event = useRequestEvent()
    const session = useState<Session | null | undefined>('siteauth')
    if (event) session.value = await sessionFor(event)
    const page = setUpPage(vueApp, { basePath: ${JSON.stringify(basePath)}, session: session.value })
    return { provide: { siteauth: page } }
  },
})
`
}

/** The route middleware: it sends strangers to sign in. */
export const MIDDLEWARE_FILE = `import { defineNuxtRouteMiddleware, navigateTo, useNuxtApp, useRouter } from '#imports'

export default defineNuxtRouteMiddleware(async to => {
  const nuxtApp = useNuxtApp()
  const signInPage = await nuxtApp.$siteauth.signInPageFor(useRouter().resolve(to).href)
  if (!signInPage) return
  return nuxtApp.runWithContext(() => navigateTo(signInPage, { external: true }))
})
`
