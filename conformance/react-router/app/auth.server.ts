import { MemoryAdapter } from '@siteauth/adapters/memory'
import { SiteAuth } from '@siteauth/react-router'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'

export const auth = SiteAuth(integrationConfig(process.env, MemoryAdapter()))
export const probe = guardProbe(process.env)

const { isInFront, allow } = probe
/**
 * The guard in front of everything, if the suite asks for it. Its names are those of `args.pattern`. The index is one of them,
 * since `args.url` says `/` for some requests that other routes answer.
 */
export const guards = isInFront
  ? [auth.requireSession({ except: ['/', 'login', 'POST login', 'ran'], allow })]
  : []
