import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SvelteKitAuth } from '@siteauth/sveltekit'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { env } from '$env/dynamic/private'

export const auth = SvelteKitAuth(() => integrationConfig(env, MemoryAdapter()))
