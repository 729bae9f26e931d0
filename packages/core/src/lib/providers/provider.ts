import type { Profile } from '../model.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import type { OAuth2Config, OIDCConfig } from './oauth.ts'
import type { WebAuthnConfig } from './webauthn.ts'

// A provider's functions take its own profile type. Written as methods they are compared
// bivariantly, but `profile` is a property, so the list must say that any profile type will do.
// biome-ignore lint/suspicious/noExplicitAny: see above; applications never see this type's `any`
type AnyProfile = any

/** A provider, as an object. */
export type ProviderObject =
  | OIDCConfig<AnyProfile>
  | OAuth2Config<AnyProfile>
  | EmailConfig
  | CredentialsConfig
  | WebAuthnConfig

/**
 * A provider as it may stand in `providers`: an object, what its function returned, or the function
 * itself, which is then called with what the environment says.
 */
export type Provider<_P extends Profile = Profile> =
  | ProviderObject
  | ((config: never) => ProviderObject)

/** The id of a provider. */
export type ProviderId = string

/** What `GET providers` tells of a provider. */
export interface PublicProvider {
  id: string
  name: string
  type: ProviderObject['type']
  signinUrl: string
  callbackUrl: string
}
