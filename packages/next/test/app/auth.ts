import SiteAuth from '@siteauth/next'
import { config } from './config'

export const { handlers, auth, signIn, signOut, unstable_update } = SiteAuth(config)
export const lazy = SiteAuth(async () => ({ ...config, basePath: '/lazy-auth' }))
