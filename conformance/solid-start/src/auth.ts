import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/solid-start'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'

// SolidStart compiles this file twice, for pages and for server functions: what is kept in memory has to be global.
const kept = globalThis as { store?: ReturnType<typeof MemoryAdapter> }
kept.store ??= MemoryAdapter()
const { store } = kept

// A function, since the variables are not there yet while the application is built.
export const auth = SiteAuth(() => integrationConfig(process.env, store))
export const probe = guardProbe(process.env)
