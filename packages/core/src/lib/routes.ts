import type { ResolvedConfig } from './config/resolved.ts'
import { answerSession } from './flows/answer-session.ts'
import { chooseReturn, rememberReturn } from './flows/choose-redirect.ts'
import { readCsrf } from './flows/csrf.ts'
import { listProviders } from './flows/list-providers.ts'
import { pageUrl } from './flows/page-url.ts'
import type { AuthAction, Incoming } from './http/incoming.ts'
import { type Outgoing, redirect } from './http/outgoing.ts'
import { lazily } from './lazily.ts'
import type { Awaitable, Profile } from './model.ts'
import type { CredentialsConfig } from './providers/credentials.ts'
import type { EmailConfig } from './providers/email.ts'
import type { OAuthConfig } from './providers/oauth.ts'
import type { ProviderObject } from './providers/provider.ts'
import type { WebAuthnConfig } from './providers/webauthn.ts'

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

/** What an endpoint does, and whether only pages of the application itself may call it. */
export interface Route<Key extends RouteKey> {
  readonly csrf: boolean
  run(config: ResolvedConfig, request: Incoming, provider: ProviderIn<Key>): Awaitable<Outgoing>
}

// What a session check does not need is loaded when somebody needs it.
const pages = lazily(() => import('./flows/show-page.ts'))
const assets = lazily(() => import('./flows/serve-asset.ts'))
const startOAuth = lazily(() => import('./flows/start-oauth.ts'))
const finishOAuth = lazily(() => import('./flows/finish-oauth.ts'))
const startEmail = lazily(() => import('./flows/start-email.ts'))
const finishEmail = lazily(() => import('./flows/finish-email.ts'))
const credentials = lazily(() => import('./flows/sign-in-with-credentials.ts'))
const webauthnOptions = lazily(() => import('./flows/webauthn-options.ts'))
const finishWebAuthn = lazily(() => import('./flows/finish-webauthn.ts'))
const update = lazily(() => import('./flows/update-session.ts'))
const signOut = lazily(() => import('./flows/sign-out.ts'))

/** The whole HTTP surface. The key says which kind of provider the flow receives. */
const ROUTES: { readonly [Key in RouteKey]?: Route<Key> } = {
  'GET session': { csrf: false, run: answerSession },
  'POST session': {
    csrf: true,
    run: (config, request) => update(flow => flow.updateSession(config, request)),
  },
  'GET csrf': { csrf: false, run: readCsrf },
  'GET providers': { csrf: false, run: listProviders },
  'GET signin': {
    csrf: false,
    run: (config, request) => pages(flow => flow.showSignIn(config, request)),
  },
  'POST signin': { csrf: true, run: toSignInPage },
  'POST signin/credentials': { csrf: true, run: toSignInPage },
  'POST signin/webauthn': { csrf: true, run: toSignInPage },
  'POST signin/oauth': {
    csrf: true,
    run: (...given) => startOAuth(flow => flow.startOAuth(...given)),
  },
  // Bound to this browser by state, PKCE and nonce; a form of ours would not come from the provider.
  'GET callback/oauth': { csrf: false, run: finish },
  'POST callback/oauth': { csrf: false, run: finish },
  'POST signin/email': {
    csrf: true,
    run: (...given) => startEmail(flow => flow.startEmail(...given)),
  },
  'GET callback/email': {
    csrf: false,
    run: (...given) => finishEmail(flow => flow.confirmEmail(...given)),
  },
  // Bound by the token that was sent.
  'POST callback/email': {
    csrf: false,
    run: (...given) => finishEmail(flow => flow.finishEmail(...given)),
  },
  'POST callback/credentials': {
    csrf: true,
    run: (...given) => credentials(flow => flow.signInWithCredentials(...given)),
  },
  // Gives nothing away and changes nothing: the challenge is for the browser that asked.
  'GET webauthn-options/webauthn': {
    csrf: false,
    run: (...given) => webauthnOptions(flow => flow.webauthnOptions(...given)),
  },
  'POST callback/webauthn': {
    csrf: true,
    run: (...given) => finishWebAuthn(flow => flow.finishWebAuthn(...given)),
  },
  'GET signout': {
    csrf: false,
    run: (config, request) => pages(flow => flow.showSignOut(config, request)),
  },
  'POST signout': {
    csrf: true,
    run: (config, request) => signOut(flow => flow.signOut(config, request)),
  },
  'GET assets': {
    csrf: false,
    run: (config, request) => assets(flow => flow.serveAsset(config, request)),
  },
  'GET error': {
    csrf: false,
    run: (config, request) => pages(flow => flow.showError(config, request)),
  },
  'GET verify-request': {
    csrf: false,
    run: (config, request) => pages(flow => flow.showVerifyRequest(config, request)),
  },
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
