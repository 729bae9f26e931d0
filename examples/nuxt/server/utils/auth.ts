import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/nuxt/server'

export const auth = SiteAuth({
  providers: [
    GitHub,
    // To try it without GitHub. Instead of this, look the user up and compare a hash of the password.
    Credentials({
      credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize: ({ name, password }) =>
        name === 'ada' && password === 'open sesame' ? { id: 'ada', name: 'Ada' } : null,
    }),
  ],
})
