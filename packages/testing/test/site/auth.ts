import SiteAuth from '@siteauth/next'

export const { auth, signOut } = SiteAuth({ providers: [] })
