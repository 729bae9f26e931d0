import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import type { ProductionOption } from '../reject-production.ts'
import type { ProviderFailure, SignInFailure } from './failure.ts'
import type { FakePerson } from './fake-person.ts'
import type { IssueToken } from './grants.ts'
import type { SigningAlgorithm, TokenHeader } from './signing-key.ts'

/** The options of {@link createFakeProvider}. */
export interface FakeProviderOptions extends ProductionOption {
  /** Where it is. Defaults to `https://provider.example.com`; a server has an address of its own. */
  issuer?: string | undefined
  /** Defaults to `test-client`. */
  clientId?: string | undefined
  /** Defaults to one. With `null`, anybody is taken for the application. */
  clientSecret?: string | null | undefined
  /** Who has an account there. Defaults to Ada and Ben. */
  people?: readonly [FakePerson, ...FakePerson[]] | undefined
  /** Defaults to `ES256`. */
  algorithm?: SigningAlgorithm | undefined
  /** How long access tokens live, in seconds. Defaults to an hour. */
  tokenLifetimeSeconds?: number | undefined
  /** Signs browsers in as the first person without a page. Defaults to false. */
  automatic?: boolean | undefined
  /** Names tokens, for tests that compare them. They are random by default. */
  issueToken?: IssueToken | undefined
  /** Answers requests to other servers, where `fetch` is used for all. By default, such requests fail. */
  elsewhere?: typeof fetch | undefined
  /** The time, in milliseconds since 1970: `now` of a clock. */
  now?: (() => number) | undefined
}

/** A request that a provider was sent. */
export interface SeenRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  /** The fields of the form. */
  readonly body: URLSearchParams
}

/**
 * Changes what a provider answers, for what has no name among the failures. Each is given what would be
 * answered. Undefined members are left out.
 */
export interface ProviderChanges {
  /** The document that discovery finds. */
  metadata?: (document: Record<string, unknown>) => Record<string, unknown>
  /** The claims of id_tokens. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** The header of id_tokens. */
  header?: (header: TokenHeader) => TokenHeader
  /** Makes the id_token itself. */
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string
  /** What the token endpoint answers. */
  tokens?: (tokens: Record<string, unknown>) => Record<string, unknown>
  /** What the userinfo endpoint answers. */
  profile?: (profile: Record<string, unknown>) => Record<string, unknown>
  /** Answers instead of the provider, unless it answers nothing. */
  respond?: (request: SeenRequest) => Response | undefined | Promise<Response | undefined>
}

/** How somebody answers an authorization request. */
export interface Authorization {
  /** Who signs in. Defaults to the first person. */
  readonly as?: FakePerson | string | undefined
  /** What goes wrong with this sign-in alone. */
  readonly failure?: SignInFailure | undefined
}

/** An OpenID provider that does as it is told. */
export interface FakeProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Answers what an application asks the provider. `provider()` uses it already. */
  readonly fetch: typeof fetch
  /** All that the provider was asked, the latest last. */
  readonly requests: readonly SeenRequest[]
  readonly change: ProviderChanges
  /** An entry for `providers` of a configuration. Name it after the one it stands in for. */
  provider(more?: Partial<OIDCConfig<Profile>>): OIDCConfig<Profile>
  /** From now on this goes wrong, too. */
  fail(failure: ProviderFailure): void
  /** From now on nothing does. */
  recover(): void
  /** Where a person is sent back to who was sent to an authorization URL and answered. */
  authorize(url: string | URL, authorization?: Authorization): URL
  /** A logout token, to be posted to `backchannel-logout`, as `logout_token`: ends what the claims name. */
  logoutToken(claims: { readonly sub?: string; readonly sid?: string }): Promise<string>
  /** Signs anything as the provider. */
  sign(claims: object, header?: TokenHeader): Promise<string>
  /** The public key that everything is signed with. */
  publicJwk(): JsonWebKey & { readonly kid: string }
  /** From now on everything is signed with a new key, and the old one is gone. */
  rotateKeys(): Promise<void>
}
