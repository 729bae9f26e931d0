/** How a provider signs people in. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn' | 'password'

/** The options that all providers have. */
export interface CommonProviderOptions {
  /** Identifies the provider in URLs, in the database and in environment variables. */
  id: string
  /** Shown on the sign-in page. */
  name: string
  type: ProviderType
}
