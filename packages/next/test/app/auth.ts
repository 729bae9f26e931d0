import SiteAuth from '@siteauth/next'
import { config } from './config'
import { store } from './store'

export const { handlers, auth, requireSession, sessions, signIn, signOut, unstable_update } =
  SiteAuth(config)
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

/** Sites that call the API of a provider: with tokens in cookies, and in a store. */
export const tokens = {
  kept: SiteAuth({ ...config, basePath: '/kept-auth', account: { storeTokensInCookie: true } }),
  stored: SiteAuth({
    ...config,
    basePath: '/stored-auth',
    adapter: store,
    session: { ...config.session, strategy: 'jwt' },
  }),
}
