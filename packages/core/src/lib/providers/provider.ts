import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import type { OAuth2Config, OIDCConfig } from './oauth.ts'
import type { WebAuthnConfig } from './webauthn.ts'

/** A provider, as an object. */
export type ProviderObject =
  | OIDCConfig<unknown>
  | OAuth2Config<unknown>
  | EmailConfig
  | CredentialsConfig
  | WebAuthnConfig

/**
 * A provider as it may stand in `providers`: an object, what its function returned, or the function
 * itself, which is then called with what the environment says.
 */
export type Provider = ProviderObject | ((config: never) => ProviderObject)

/** The id of a provider. */
export type ProviderId = string

/** A provider in the configuration of an application. */
export type AppProvider = Provider

/** The providers of an application. */
export type AppProviders = AppProvider[]

/** The functions that make the built-in providers, by id. */
export type BuiltInProviders = Record<ProviderId, (config: never) => ProviderObject>

/** What `GET providers` tells of a provider. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderObject['type']
  signinUrl: string
  callbackUrl: string
}
