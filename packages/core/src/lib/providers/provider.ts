import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import type { OAuth2Config, OIDCConfig } from './oauth.ts'
import type { PasswordConfig } from './password.ts'
import type { WebAuthnConfig } from './webauthn.ts'

/** A provider, as an object. */
export type ProviderObject =
  | OIDCConfig<unknown>
  | OAuth2Config<unknown>
  | EmailConfig
  | CredentialsConfig
  | WebAuthnConfig
  | PasswordConfig

/**
 * A provider as you may list it in `providers`: an object, what its function returned, or the
 * function itself, which is then called with values from the environment.
 */
export type Provider = ProviderObject | ((config: never) => ProviderObject)

/** The id of a provider. */
export type ProviderId = string

/** A provider in an application's configuration. */
export type AppProvider = Provider

/** An application's providers. */
export type AppProviders = AppProvider[]

/** The functions that make the built-in providers, by id. */
export type BuiltInProviders = Record<ProviderId, (config: never) => ProviderObject>

/** The public part of a provider, in `GET providers`. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderObject['type']
  signinUrl: string
  callbackUrl: string
  /**
   * Whether this browser signed in with it last. Only known where several ways to sign in begin with an
   * address: a password, email, a passkey.
   */
  lastUsed?: true
}
