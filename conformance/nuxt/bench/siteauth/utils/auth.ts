import { SiteAuth } from '@siteauth/nuxt/server'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

export const auth = SiteAuth(ourConfig)
