import type { Awaitable, Profile } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { readCsrf } from '../flows/request/form-token.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import { answerSession } from '../flows/session/get-session.ts'
import { answerProviders } from '../flows/sign-in/list-providers.ts'
import type { AuthAction } from '../http/request.ts'
import type { Outgoing } from '../http/response.ts'
import type { CredentialsConfig } from '../providers/credentials.ts'
import type { EmailConfig } from '../providers/email.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { PasswordConfig } from '../providers/password.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { WebAuthnConfig } from '../providers/webauthn.ts'

interface ProviderOfKind {
  email: EmailConfig
  oauth: OAuthConfig<Profile>
  credentials: CredentialsConfig
  webauthn: WebAuthnConfig
  password: PasswordConfig
}

type Kind = keyof ProviderOfKind

/** An endpoint, with the kind of provider where the path names one. */
export type RouteKey = `${'GET' | 'POST'} ${AuthAction}` | `${'GET' | 'POST'} ${AuthAction}/${Kind}`

type ProviderIn<Key extends RouteKey> = Key extends `${string} password${'' | `/${string}`}`
  ? PasswordConfig
  : Key extends `${string}/${infer K extends Kind}`
    ? ProviderOfKind[K]
    : ProviderObject | undefined

/**
 * What keeps a page of another site from using an endpoint through a visitor's browser.
 *
 * - `reads`: nothing to use. It changes nothing that matters, and other sites cannot read the answer.
 * - `own form`: only a page of this application can send it: see {@link demandOwnForm}.
 * - `own attempt`: it signs in only where this very browser began, by a sealed cookie of its own.
 * - `signed notice`: a server sends it, not a browser, and signs it.
 * - `known session`: it ends one session, for whoever knows what only the provider and its visitor are told.
 */
type Protection = 'reads' | 'own form' | 'own attempt' | 'signed notice' | 'known session'

/** Answers one kind of request. */
type Flow<Provider> = (
  config: ResolvedConfig,
  request: Incoming,
  provider: Provider,
) => Awaitable<Outgoing>

/** An endpoint: what protects it, and where its flow is. Most processes never load most of them. */
export interface Route<Key extends RouteKey> {
  readonly protection: Protection
  load(): Awaitable<Flow<ProviderIn<Key>>>
}

const ownSessions = () => import('../flows/session/end-sessions.ts')
const ownAccounts = () => import('../flows/account/unlink-account.ts')
const pages = () => import('../flows/page/show-page.ts')
const emailLinks = () => import('../flows/email/finish-email.ts')
const passwords = () => import('../flows/password/password-routes.ts')
const toSignInPage = async () => (await import('../flows/sign-in/choose-method.ts')).toSignInPage
const providerLogout = () => import('../flows/sign-out/provider-logout.ts')
const finishOAuth = async () => (await import('../flows/oauth/finish-oauth.ts')).finishOAuth

/** The whole HTTP surface. The key says which kind of provider the flow receives. */
const ROUTES: { readonly [Key in RouteKey]?: Route<Key> } = {
  'GET session': { protection: 'reads', load: () => answerSession },
  'POST session': {
    protection: 'own form',
    load: async () => (await import('../flows/session/update-session.ts')).updateSession,
  },
  'GET sessions': { protection: 'reads', load: async () => (await ownSessions()).answerSessions },
  'POST sessions/end': {
    protection: 'own form',
    load: async () => (await ownSessions()).endSessions,
  },
  'GET accounts': { protection: 'reads', load: async () => (await ownAccounts()).answerAccounts },
  'POST accounts/unlink': {
    protection: 'own form',
    load: async () => (await ownAccounts()).answerUnlink,
  },
  // Other sites cannot read it, and scripts of this one only where the application opens it.
  'GET access-token/oauth': {
    protection: 'reads',
    load: async () => (await import('../flows/account/get-access-token.ts')).answerAccessToken,
  },
  'GET csrf': { protection: 'reads', load: () => readCsrf },
  'GET providers': { protection: 'reads', load: () => answerProviders },
  'GET signin': {
    protection: 'reads',
    load: async () => (await import('../flows/page/show-sign-in.ts')).showSignIn,
  },
  'POST signin': { protection: 'own form', load: toSignInPage },
  'POST signin/credentials': { protection: 'own form', load: toSignInPage },
  'POST signin/webauthn': { protection: 'own form', load: toSignInPage },
  'POST signin/oauth': {
    protection: 'own form',
    load: async () => (await import('../flows/oauth/start-oauth.ts')).startOAuth,
  },
  // By state, PKCE and nonce: a form of ours would not come from the provider.
  'GET callback/oauth': { protection: 'own attempt', load: finishOAuth },
  'POST callback/oauth': { protection: 'own attempt', load: finishOAuth },
  'POST signin/email': {
    protection: 'own form',
    load: async () => (await import('../flows/email/start-email.ts')).startEmail,
  },
  // By the cookie of whoever asked for the link. In another browser it only shows a page with a form.
  'GET callback/email': {
    protection: 'own attempt',
    load: async () => (await emailLinks()).confirmEmail,
  },
  'POST callback/email': {
    protection: 'own form',
    load: async () => (await emailLinks()).finishEmail,
  },
  'POST callback/credentials': {
    protection: 'own form',
    load: async () =>
      (await import('../flows/sign-in/sign-in-with-credentials.ts')).signInWithCredentials,
  },
  // The challenge is for the browser that asked.
  'GET webauthn-options/webauthn': {
    protection: 'reads',
    load: async () => (await import('../flows/passkey/passkey-options.ts')).webauthnOptions,
  },
  'POST callback/webauthn': {
    protection: 'own form',
    load: async () => (await import('../flows/passkey/finish-passkey.ts')).finishWebAuthn,
  },
  'POST signin/password': {
    protection: 'own form',
    load: async () =>
      (await import('../flows/password/sign-in-with-password.ts')).signInWithPassword,
  },
  // It only shows a page with a form.
  'GET callback/password': {
    protection: 'reads',
    load: async () => (await passwords()).showChoose,
  },
  'POST callback/password': {
    protection: 'own form',
    load: async () => (await passwords()).postChoose,
  },
  'GET password': { protection: 'reads', load: async () => (await passwords()).showChange },
  'POST password': { protection: 'own form', load: async () => (await passwords()).postChange },
  'POST password/remove': {
    protection: 'own form',
    load: async () => (await passwords()).postRemove,
  },
  'GET password/sign-up': { protection: 'reads', load: async () => (await passwords()).showSignUp },
  'POST password/sign-up': {
    protection: 'own form',
    load: async () => (await passwords()).postSignUp,
  },
  'GET password/forgot': { protection: 'reads', load: async () => (await passwords()).showForgot },
  'POST password/forgot': {
    protection: 'own form',
    load: async () => (await passwords()).postForgot,
  },
  'GET signout': { protection: 'reads', load: async () => (await pages()).showSignOut },
  'POST signout': {
    protection: 'own form',
    load: async () => (await import('../flows/sign-out/sign-out.ts')).signOut,
  },
  // By a ticket that was sealed for one user, a minute ago at most.
  'GET signout/provider': {
    protection: 'own attempt',
    load: async () => (await providerLogout()).goOnToProvider,
  },
  'GET signout/return': {
    protection: 'own attempt',
    load: async () => (await providerLogout()).returnFromProvider,
  },
  'POST backchannel-logout/oauth': {
    protection: 'signed notice',
    load: async () => (await import('../flows/sign-out/backchannel-logout.ts')).endByNotice,
  },
  'GET frontchannel-logout/oauth': {
    protection: 'known session',
    load: async () => (await import('../flows/sign-out/frontchannel-logout.ts')).endInFrame,
  },
  'GET assets': {
    protection: 'reads',
    load: async () => (await import('../flows/page/serve-asset.ts')).serveAsset,
  },
  'GET error': { protection: 'reads', load: async () => (await pages()).showError },
  'GET verify-request': {
    protection: 'reads',
    load: async () => (await pages()).showVerifyRequest,
  },
}

/** Every endpoint, and what protects it. */
export function listProtections(): Readonly<Record<string, Protection>> {
  const all = Object.entries(ROUTES).map(([key, { protection }]) => [key, protection] as const)
  return Object.fromEntries(all)
}

/** Finds the endpoint for a request; the methods that there are, where not this one. */
export function findRoute(
  method: 'GET' | 'POST' | null,
  action: AuthAction,
  provider: ProviderObject | undefined,
): Route<RouteKey> | { readonly allow: readonly string[] } {
  const path = provider ? (`${action}/${kindOf(provider)}` as const) : action
  // Sound because the key, and with it the kind of provider, is made from the provider itself.
  const route = method && (ROUTES[`${method} ${path}`] as Route<RouteKey> | undefined)
  return route || { allow: (['GET', 'POST'] as const).filter(each => ROUTES[`${each} ${path}`]) }
}

function kindOf({ type }: ProviderObject): Kind {
  return type === 'oidc' ? 'oauth' : type
}
