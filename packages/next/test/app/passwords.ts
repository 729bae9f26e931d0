import { MemoryAdapter } from '@siteauth/adapters/memory'
import SiteAuth from '@siteauth/next'
import Password from '@siteauth/next/providers/password'

interface Shared {
  passwordStore?: ReturnType<typeof MemoryAdapter>
  passwordLinks?: string[]
}

// Kept where all bundles of the server find the same one.
const shared = globalThis as Shared
shared.passwordStore ??= MemoryAdapter()
shared.passwordLinks ??= []
export const links = shared.passwordLinks

/** A site of its own below the same address: people with passwords, kept in a store. */
export const { handlers, auth, passwords } = SiteAuth({
  basePath: '/password-auth',
  // The proxy, which belongs to the other site, cannot read this one's sessions.
  cookies: { sessionToken: { name: 'passwords.session-token' } },
  adapter: shared.passwordStore,
  providers: [
    Password({
      mail: ({ url }) => void (url && links.push(url)),
      hashing: { scryptCost: { ln: 1, r: 1 }, algorithm: 'scrypt' },
    }),
  ],
})
