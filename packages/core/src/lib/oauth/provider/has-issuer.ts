import { isSameIssuer } from '../../base/same-issuer.ts'
import { isSameOrigin } from '../secure-url.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'

type Named = Pick<ResolvedOAuthProvider, 'config' | 'issuer' | 'discovery'>

/** Whether an issuer is one of those that a provider, as it is configured, signs people in for. */
export function hasIssuer(provider: Named, name: string): boolean {
  const { config, issuer, discovery } = provider
  const issuers = [issuer, ...(discovery?.issuers ?? [])].filter(
    configured => configured !== undefined,
  )
  return issuers.some(configured =>
    config.issuerFor ? mayBecome(provider, configured, name) : isSameIssuer(configured, name),
  )
}

/** Whether a configured issuer may turn out to be another, which depends on who signs in. */
function mayBecome({ config }: Named, configured: string, name: string): boolean {
  // The issuers of Entra ID have the tenant in their path. Other claims are not known here.
  const [tid] = TENANT.exec(name) ?? []
  const found = config.issuerFor?.call(config, configured, { iss: name, tid }) ?? configured
  return isSameIssuer(found, name) || (tid === undefined && isSameOrigin(found, name))
}

const TENANT = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i
