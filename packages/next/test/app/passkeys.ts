import { MemoryAdapter } from '@siteauth/adapters/memory'
import SiteAuth from '@siteauth/next'
import Passkey from '@siteauth/next/providers/passkey'

// Kept where all bundles of the server find the same one.
const shared = globalThis as { passkeyStore?: ReturnType<typeof MemoryAdapter> }
shared.passkeyStore ??= MemoryAdapter()
export const adapter = shared.passkeyStore

/** A site of its own below the same address: people with passkeys, kept in a store. */
export const { handlers, auth } = SiteAuth({
  basePath: '/passkey-auth',
  adapter,
  providers: [Passkey({ allowSignUpWithUnprovenEmail: true })],
  experimental: { enableWebAuthn: true },
})
