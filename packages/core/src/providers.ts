export type { CommonProviderOptions, ProviderType } from './lib/base/provider-type.ts'
export type { Logo, LogoPath } from './lib/branding/logos/logo.ts'
export type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderId,
  CredentialsUserConfig,
} from './lib/providers/credentials.ts'
export type { OAuth2Provider, OIDCProvider, StandardClaims } from './lib/providers/define.ts'
export type {
  EmailConfig,
  EmailProviderId,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
} from './lib/providers/email.ts'
export type { EmailMessage } from './lib/providers/messages/email-message.ts'
export type { PasswordMailReason } from './lib/providers/messages/password-message.ts'
export type {
  AccountCallback,
  AuthorizationEndpointHandler,
  EndSessionEndpointHandler,
  OAuth2Config,
  OAuthChecks,
  OAuthClientMetadata,
  OAuthConfig,
  OAuthEndpointType,
  OAuthProviderButtonStyles,
  OAuthProviderId,
  OAuthUserConfig,
  OIDCConfig,
  OIDCConfigInternal,
  OIDCUserConfig,
  ProfileCallback,
  ProfileField,
  TokenEndpointHandler,
  TokenRefreshContext,
  TokenRequestContext,
  UserinfoEndpointHandler,
  UserinfoRequestContext,
} from './lib/providers/oauth.ts'
export type {
  PasswordConfig,
  PasswordMail,
  PasswordPage,
  PasswordUserConfig,
} from './lib/providers/password.ts'
export type {
  AppProvider,
  AppProviders,
  BuiltInProviders,
  Provider,
  ProviderId,
  ProviderObject,
} from './lib/providers/provider.ts'
export type { WebAuthnConfig } from './lib/providers/webauthn.ts'
