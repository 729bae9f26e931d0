import type { ProviderType } from './provider-type.ts'

/** The user fields the library itself uses. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/**
 * The person who signed in: what a provider's `profile` or `authorize` returned, or the stored
 * user. Add your own fields by augmenting this interface.
 */
export interface User extends DefaultUser {}

/** A token endpoint's response, plus the absolute time when the access token expires. */
export interface TokenSet {
  access_token?: string
  refresh_token?: string
  id_token?: string
  scope?: string
  /** Always lower case: the value is case-insensitive. */
  token_type?: Lowercase<string>
  /** Seconds from the response until the access token expires. */
  expires_in?: number
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
  [member: string]: unknown
}

/** Which provider was used to sign in, and what it sent. */
export interface Account extends TokenSet {
  /** The provider's id, such as `github`. */
  provider: string
  /**
   * The user's id at the provider: the id from `profile()` for OAuth and OIDC, the address for email, the `id` from
   * `authorize()` for credentials.
   */
  providerAccountId: string
  type: ProviderType
  /** The id of the user who owns the account. */
  userId?: string
}

/** A provider's claims about a person: the standard OpenID Connect claims, and any others. */
export interface Profile {
  id?: string | null
  sub?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  picture?: unknown
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    formatted?: string | null
    street_address?: string | null
    locality?: string | null
    region?: string | null
    postal_code?: string | null
    country?: string | null
  } | null
  [claim: string]: unknown
}
