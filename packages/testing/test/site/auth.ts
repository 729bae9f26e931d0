import SiteAuth from '@siteauth/next'

export const { auth, signIn, signOut } = SiteAuth({ providers: [] })
