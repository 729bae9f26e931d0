import { MemoryAdapter } from '@siteauth/adapters/memory'
import SiteAuth from '@siteauth/next'

/** What was sent last. */
export const sent = { code: '' }

/** A site of its own below the same address: people who sign in by a code. */
export const { signIn } = SiteAuth({
  basePath: '/codes-auth',
  adapter: MemoryAdapter(),
  providers: [
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest({ code = '' }) {
        sent.code = code
      },
    },
  ],
})
