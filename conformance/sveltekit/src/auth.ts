import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/sveltekit'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { env } from '$env/dynamic/private'

export const auth = SiteAuth(() => integrationConfig(env, MemoryAdapter()))
