import { lazily } from '../base/awaitable.ts'
import type { Awaitable, Profile } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { answerSession } from '../flows/answer-session.ts'
import { readCsrf } from '../flows/csrf.ts'
import { listProviders } from '../flows/list-providers.ts'
import type { AuthAction, Incoming } from '../http/incoming.ts'
import { type Outgoing, redirect } from '../http/outgoing.ts'
import type { CredentialsConfig } from '../providers/credentials.ts'
import type { EmailConfig } from '../providers/email.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { WebAuthnConfig } from '../providers/webauthn.ts'
import { chooseReturn, rememberReturn } from '../steps/choose-redirect.ts'
import { pageUrl } from '../steps/page-url.ts'

interface ProviderOfKind {
  email: EmailConfig
  oauth: OAuthConfig<Profile>
  credentials: CredentialsConfig
  webauthn: WebAuthnConfig
}

type Kind = 'oauth' | 'email' | 'credentials' | 'webauthn'

/** An endpoint, with the kind of provider where the path names one. */
export type RouteKey = `${'GET' | 'POST'} ${AuthAction}` | `${'GET' | 'POST'} ${AuthAction}/${Kind}`

type ProviderIn<Key extends RouteKey> =
  Key extends `${string}/${infer K extends keyof ProviderOfKind}`
    ? ProviderOfKind[K]
    : ProviderObject | undefined

/**
 * What keeps a page of another site from using an endpoint through a visitor's browser.
 *
 * - `reads`: nothing to use. It changes nothing that matters, and other sites cannot read the answer.
 * - `own form`: only a page of this application can send it: see {@link demandOwnForm}.
 * - `own attempt`: it signs in only where this very browser began, by a sealed cookie of its own.
 */
type Protection = 'reads' | 'own form' | 'own attempt'

/** What an endpoint does, and what protects it. */
export interface Route<Key extends RouteKey> {
  readonly protection: Protection
  run(config: ResolvedConfig, request: Incoming, provider: ProviderIn<Key>): Awaitable<Outgoing>
}

// What a session check does not need is loaded when somebody needs it.
const pages = lazily(() => import('../flows/show-page.ts'))
const assets = lazily(() => import('../flows/serve-asset.ts'))
const startOAuth = lazily(() => import('../flows/start-oauth.ts'))
const finishOAuth = lazily(() => import('../flows/finish-oauth.ts'))
const startEmail = lazily(() => import('../flows/start-email.ts'))
const finishEmail = lazily(() => import('../flows/finish-email.ts'))
const credentials = lazily(() => import('../flows/sign-in-with-credentials.ts'))
const webauthnOptions = lazily(() => import('../flows/webauthn-options.ts'))
const finishWebAuthn = lazily(() => import('../flows/finish-webauthn.ts'))
const update = lazily(() => import('../flows/update-session.ts'))
const signOut = lazily(() => import('../flows/sign-out.ts'))

/** The whole HTTP surface. The key says which kind of provider the flow receives. */
const ROUTES: { readonly [Key in RouteKey]?: Route<Key> } = {
  'GET session': { protection: 'reads', run: answerSession },
  'POST session': {
    protection: 'own form',
    run: (config, request) => update(flow => flow.updateSession(config, request)),
  },
  'GET csrf': { protection: 'reads', run: readCsrf },
  'GET providers': { protection: 'reads', run: listProviders },
  'GET signin': {
    protection: 'reads',
    run: (config, request) => pages(flow => flow.showSignIn(config, request)),
  },
  'POST signin': { protection: 'own form', run: toSignInPage },
  'POST signin/credentials': { protection: 'own form', run: toSignInPage },
  'POST signin/webauthn': { protection: 'own form', run: toSignInPage },
  'POST signin/oauth': {
    protection: 'own form',
    run: (...given) => startOAuth(flow => flow.startOAuth(...given)),
  },
  // By state, PKCE and nonce: a form of ours would not come from the provider.
  'GET callback/oauth': { protection: 'own attempt', run: finish },
  'POST callback/oauth': { protection: 'own attempt', run: finish },
  'POST signin/email': {
    protection: 'own form',
    run: (...given) => startEmail(flow => flow.startEmail(...given)),
  },
  // By the cookie of whoever asked for the link. In another browser it only shows a page with a form.
  'GET callback/email': {
    protection: 'own attempt',
    run: (...given) => finishEmail(flow => flow.confirmEmail(...given)),
  },
  'POST callback/email': {
    protection: 'own form',
    run: (...given) => finishEmail(flow => flow.finishEmail(...given)),
  },
  'POST callback/credentials': {
    protection: 'own form',
    run: (...given) => credentials(flow => flow.signInWithCredentials(...given)),
  },
  // The challenge is for the browser that asked.
  'GET webauthn-options/webauthn': {
    protection: 'reads',
    run: (...given) => webauthnOptions(flow => flow.webauthnOptions(...given)),
  },
  'POST callback/webauthn': {
    protection: 'own form',
    run: (...given) => finishWebAuthn(flow => flow.finishWebAuthn(...given)),
  },
  'GET signout': {
    protection: 'reads',
    run: (config, request) => pages(flow => flow.showSignOut(config, request)),
  },
  'POST signout': {
    protection: 'own form',
    run: (config, request) => signOut(flow => flow.signOut(config, request)),
  },
  'GET assets': {
    protection: 'reads',
    run: (config, request) => assets(flow => flow.serveAsset(config, request)),
  },
  'GET error': {
    protection: 'reads',
    run: (config, request) => pages(flow => flow.showError(config, request)),
  },
  'GET verify-request': {
    protection: 'reads',
    run: (config, request) => pages(flow => flow.showVerifyRequest(config, request)),
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

function finish(
  config: ResolvedConfig,
  request: Incoming,
  provider: OAuthConfig<Profile>,
): Awaitable<Outgoing> {
  return finishOAuth(flow => flow.finishOAuth(config, request, provider))
}

/** The visitor has yet to say with what to sign in. */
async function toSignInPage(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const callbackUrl = await chooseReturn(config, request)
  // Ours reads the cookie; the application's own page may only know the parameter.
  const params = config.pages.signIn ? { callbackUrl } : {}
  const cookies = rememberReturn(config, request, callbackUrl)
  return redirect(pageUrl(config, request.origin, 'signIn', params), cookies)
}
