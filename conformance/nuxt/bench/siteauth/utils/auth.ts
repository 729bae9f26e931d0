import { SiteAuth } from '@siteauth/nuxt/h3'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

export const auth = SiteAuth(ourConfig)
