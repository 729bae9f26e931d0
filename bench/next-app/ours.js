import SiteAuth from '@siteauth/next'

export const { auth } = SiteAuth({ providers: [] })
