import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/nuxt/h3'
import { integrationConfig } from '@siteauth/testing/integration-config'

export const auth = SiteAuth(() => integrationConfig(process.env, MemoryAdapter()))
