import type { OAuth2Config, OIDCConfig } from './oauth.ts'
import type { ProviderObject } from './provider.ts'

/** Whether a provider speaks OAuth 2, with or without OpenID Connect. */
export function isOAuth(
  provider: ProviderObject,
): provider is OAuth2Config<unknown> | OIDCConfig<unknown> {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

/** Whether a provider may end sessions here. */
export function takesNotices(provider: ProviderObject): boolean {
  return isOAuth(provider) && Boolean(provider.backChannelLogout || provider.frontChannelLogout)
}
