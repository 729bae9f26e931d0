import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/tanstack-start'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { createMiddleware } from '@tanstack/react-start'

export const auth = SiteAuth(integrationConfig(process.env, MemoryAdapter()))

export const signedIn = createMiddleware().server(auth.requireSession())
export const onlyAda = createMiddleware().server(
  auth.requireSession({ allow: ({ user }) => user?.name === 'Ada' }),
)
