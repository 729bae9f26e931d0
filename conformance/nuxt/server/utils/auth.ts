import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/nuxt/server'
import { integrationConfig } from '@siteauth/testing/integration-config'

export const auth = SiteAuth(() => integrationConfig(process.env, MemoryAdapter()))
