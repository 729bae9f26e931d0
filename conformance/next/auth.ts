import { MemoryAdapter } from '@siteauth/adapters/memory'
import SiteAuth, { type NextAuthConfig } from '@siteauth/next'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { probe } from './probe'

// The proxy, pages and handlers are bundles of their own, and the store is one.
const shared = globalThis as { store?: ReturnType<typeof MemoryAdapter> }
shared.store ??= MemoryAdapter()
const { store } = shared as Required<typeof shared>

let config: NextAuthConfig | undefined

function readConfig(): NextAuthConfig {
  const given = integrationConfig(process.env, store)
  return {
    ...given,
    // Beside the sign-in page, pages that the proxy lets everybody see, one of them with actions.
    ...(given.pages && { pages: { ...given.pages, error: '/oops', verifyRequest: '/sent' } }),
    callbacks: {
      ...given.callbacks,
      authorized({ request, auth }) {
        const { pathname } = request.nextUrl
        if (probe.isInFront) return pathname === '/ran' || (auth !== null && probe.allow(auth))
        if (pathname.startsWith('/admin')) return auth?.user?.name === 'Ada'
        return !pathname.startsWith('/private') || auth !== null
      },
    },
  }
}

// A function, since nothing is configured yet while Next builds.
export const { handlers, auth, signIn, signOut, unstable_update } = SiteAuth(() => {
  config ??= readConfig()
  return config
})
