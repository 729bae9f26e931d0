import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/astro'
import { integrationConfig } from '@siteauth/testing/integration-config'

// A function, since the variables are not there yet while pages are prerendered.
export const auth = SiteAuth(() => integrationConfig(process.env, MemoryAdapter()))
