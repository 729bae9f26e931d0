import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/react-router'
import { integrationConfig } from '@siteauth/testing/integration-config'

export const auth = SiteAuth(integrationConfig(process.env, MemoryAdapter()))
