import { MemoryAdapter } from '@siteauth/adapters/memory'
import { type RequestMiddleware, SiteAuth } from '@siteauth/tanstack-start'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import { createMiddleware } from '@tanstack/react-start'

export const auth = SiteAuth(integrationConfig(process.env, MemoryAdapter()))
export const probe = guardProbe(process.env)

export const signedIn = createMiddleware().server(auth.requireSession({ except: [] }))
export const onlyAda = createMiddleware().server(
  auth.requireSession({ except: [], allow: ({ user }) => user?.name === 'Ada' }),
)

/** The guard in front of everything, if the suite asks for it. */
export const inFront: RequestMiddleware = async args => {
  const { isInFront, except, allow } = probe
  return isInFront ? auth.requireSession({ except, allow })(args) : args.next()
}
