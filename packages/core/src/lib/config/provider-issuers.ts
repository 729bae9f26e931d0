import type { Adapter } from '../base/adapter.ts'
import { InvalidConfiguration } from '../base/errors.ts'
import { isSameIssuer } from '../base/same-issuer.ts'
import { isOAuth } from '../providers/is-oauth.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { type ConfiguredIssuer, getAdapterConfigs } from './adapter-configs.ts'
import type { AuthConfig } from './options.ts'
import { takesMore } from './session-readers.ts'

/** Adds the issuers of a configuration to those that are known for its adapter. */
export function addIssuers(adapter: Adapter, providers: Iterable<ProviderObject>): void {
  const { issuers } = getAdapterConfigs(adapter)
  for (const found of toConfiguredIssuers(providers)) {
    const existing = issuers.get(found.id) ?? []
    if (!existing.some(issuer => isSame(issuer, found))) issuers.set(found.id, [...existing, found])
  }
}

/** Whether configurations with the same adapter use an id for several issuers. */
export function isIdShared(adapter: Adapter | undefined, id: string): boolean {
  const found = adapter && getAdapterConfigs(adapter).issuers.get(id)
  return found !== undefined && found.length > 1
}

/**
 * The ids that an earlier configuration with the same adapter uses for another issuer, if accounts cannot be stored with
 * their issuers.
 */
export function sharedIdProblems(
  providers: readonly ProviderObject[],
  { adapter }: Pick<AuthConfig, 'adapter'>,
): InvalidConfiguration[] {
  if (!adapter) return []
  const { issuers } = getAdapterConfigs(adapter)
  return toConfiguredIssuers(providers).flatMap(found => {
    const [first] = issuers.get(found.id) ?? []
    if (!first || isSame(first, found)) return []
    if (!takesMore(adapter, 'issuers')) return [noColumn(found, first)]
    return found.isIssuer && first.isIssuer ? [] : [noIssuer(found, first)]
  })
}

function noColumn(one: ConfiguredIssuer, first: ConfiguredIssuer): InvalidConfiguration {
  return new InvalidConfiguration(
    `${sharedBy(one, first)} The adapter does not store the issuer of an account, so a person at one could sign in as a ` +
      'person at the other. Give each its own id, or use an adapter whose `extends` has "issuers".',
  )
}

function noIssuer(one: ConfiguredIssuer, first: ConfiguredIssuer): InvalidConfiguration {
  return new InvalidConfiguration(
    `${sharedBy(one, first)} Accounts are told apart by their issuer, which one of them lacks. Give each its own id, or set ` +
      '`issuer` on both.',
  )
}

function sharedBy(one: ConfiguredIssuer, first: ConfiguredIssuer): string {
  return `The provider id "${one.id}" stands for ${one.issuer} here, and for ${first.issuer} in another configuration with the same adapter.`
}

function isSame(one: ConfiguredIssuer, other: ConfiguredIssuer): boolean {
  return isSameIssuer(one.issuer, other.issuer)
}

function toConfiguredIssuers(providers: Iterable<ProviderObject>): readonly ConfiguredIssuer[] {
  return [...providers].filter(isOAuth).flatMap(provider => {
    const { id, type, issuer } = provider
    const found = issuer || findAddress(provider as OAuthConfig<unknown>)
    return found ? [{ id, issuer: found, isIssuer: type === 'oidc' || Boolean(issuer) }] : []
  })
}

const WELL_KNOWN = /\/\.well-known\/openid-configuration(?:\?.*)?$/

/** The address that stands for the issuer of a provider without one. */
function findAddress({
  wellKnown,
  token,
}: Pick<OAuthConfig<unknown>, 'wellKnown' | 'token'>): string | undefined {
  if (wellKnown) return wellKnown.replace(WELL_KNOWN, '')
  return typeof token === 'string' ? token : token?.url
}
