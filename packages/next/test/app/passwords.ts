import { MemoryAdapter } from '@siteauth/adapters/memory'
import SiteAuth from '@siteauth/next'
import Password from '@siteauth/next/providers/password'

interface Shared {
  passwordStore?: ReturnType<typeof MemoryAdapter>
  passwordMails?: string[]
}

// Kept where all bundles of the server find the same one.
const shared = globalThis as Shared
shared.passwordStore ??= MemoryAdapter()
shared.passwordMails ??= []

/** What messages have in them: a link to choose a password by, or a code. */
export const mails = shared.passwordMails

/** A site of its own below the same address: people with passwords or codes, kept in a store. */
export const { handlers, auth, passwords, listProviders } = SiteAuth({
  basePath: '/password-auth',
  // The proxy, which belongs to the other site, cannot read this one's sessions.
  cookies: { sessionToken: { name: 'passwords.session-token' } },
  adapter: shared.passwordStore,
  providers: [
    Password({
      mail: ({ url }) => void (url && mails.push(url)),
      hashing: { scryptCost: { ln: 1, r: 1 }, algorithm: 'scrypt' },
    }),
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code = '' }) => void mails.push(code),
    },
  ],
})
