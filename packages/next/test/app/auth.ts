import SiteAuth from '@siteauth/next'
import { config } from './config'

export const { handlers, auth, rotate, signIn, signOut, unstable_update } = SiteAuth(config)
export const lazy = SiteAuth(async () => ({ ...config, basePath: '/lazy-auth' }))

/** As a page is configured whose proxy cannot load everything: with a callback of its own. */
export const split = SiteAuth({
  ...config,
  callbacks: {
    ...config.callbacks,
    jwt: ({ token }) => (token.name === 'Gone' ? null : { ...token, role: 'split' }),
  },
})

/** A site that answers for one host only. */
export const listed = SiteAuth({ ...config, trustHost: ['app.example.test'] })
