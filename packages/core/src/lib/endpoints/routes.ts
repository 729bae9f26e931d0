import type { Awaitable } from '../base/awaitable.ts'
import type { Profile } from '../base/user.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import { sessionEndpoint } from '../flows/session/get-session.ts'
import { providersEndpoint } from '../flows/sign-in/list-providers.ts'
import type { ProviderAction } from '../http/parse-path.ts'
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
type Method = 'GET' | 'POST'

/** The endpoints that are about passwords. */
type PasswordAction = Extract<AuthAction, 'password' | `password/${string}`>

/** How an endpoint gets its provider. Only one looks after passwords, and the paths do not name it. */
type ProviderSource<Action extends AuthAction> = Action extends PasswordAction
  ? 'password'
  : Action extends ProviderAction
    ? 'path'
    : 'none'

/** A method, with the kind of provider if the path names one. */
type FlowKey<Action extends AuthAction> =
  | Method
  | (Action extends ProviderAction ? `${Method} ${Kind}` : never)

type ProviderFor<Action extends AuthAction, Key extends string> = Action extends PasswordAction
  ? PasswordConfig
  : Key extends `${Method} ${infer K extends Kind}`
    ? ProviderOfKind[K]
    : ProviderObject | undefined

/**
 * The protection of an endpoint against pages of other sites, which use it through a visitor's browser.
 *
 * - `reads`: nothing to use. It changes nothing that matters, and other sites cannot read the answer.
 * - `own form`: only a page of this application can send it: see {@link requireOwnForm}.
 * - `own attempt`: it signs in only where this very browser began, by a sealed cookie of its own.
 * - `signed notice`: a server sends it, not a browser, and signs it.
 * - `known session`: it ends one session, for a caller that knows a secret of the provider and its visitor.
 */
type Protection = 'reads' | 'own form' | 'own attempt' | 'signed notice' | 'known session'

/** Responds to one kind of request. */
type Flow<Provider> = (
  config: ResolvedConfig,
  request: Incoming,
  provider: Provider,
) => Awaitable<Outgoing>

/** The protection of a flow, and its module. Most processes never load most of them. */
export interface Route<Provider> {
  readonly protection: Protection
  load(): Awaitable<Flow<Provider>>
}

/** Everything that is particular to one endpoint. */
interface Endpoint<Action extends AuthAction> {
  /** The response to a browser while the configuration has errors: the error page, or JSON. */
  readonly kind: 'page' | 'data'
  readonly provider: ProviderSource<Action>
  /**
   * Whether it may be fetched before anyone wants it: not if it sets cookies or uses something up. Scripts need
   * data also before a page is shown.
   */
  readonly prefetch: boolean
  /** Whether it answers `HEAD` as it answers `GET`: not if a request alone uses something up, or ends something. */
  readonly head: boolean
  /** The message for scripts while the answer is unknown. Endpoints without it show a page. */
  readonly unknownMessage?: string
  /** The key contains the kind of provider that the flow receives, if the path names the provider. */
  readonly flows: {
    readonly [Key in FlowKey<Action>]?: Route<ProviderFor<Action, Key>>
  }
}

const emailLinks = () => import('../flows/email/finish-email.ts')
const passwords = () => import('../flows/password/password-routes.ts')
const toSignInPage = async () => (await import('../flows/sign-in/choose-method.ts')).toSignInPage
const providerLogout = () => import('../flows/sign-out/provider-logout.ts')
const finishOAuth = async () => (await import('../flows/oauth/finish-oauth.ts')).finishOAuth

const UNKNOWN_SESSIONS = 'Which sessions there are is not known.'
const UNKNOWN_ACCOUNTS = 'Which accounts there are is not known.'

/** The whole HTTP surface, one row for each endpoint. */
export const ENDPOINTS: { readonly [Action in AuthAction]: Endpoint<Action> } = {
  session: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: { protection: 'reads', load: () => sessionEndpoint },
      POST: {
        protection: 'own form',
        load: async () => (await import('../flows/session/update-session.ts')).updateSession,
      },
    },
  },
  sessions: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    unknownMessage: UNKNOWN_SESSIONS,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/session/list-sessions.ts')).sessionsEndpoint,
      },
    },
  },
  'sessions/end': {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    unknownMessage: UNKNOWN_SESSIONS,
    flows: {
      POST: {
        protection: 'own form',
        load: async () => (await import('../flows/session/end-sessions.ts')).endSessions,
      },
    },
  },
  accounts: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    unknownMessage: UNKNOWN_ACCOUNTS,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/account/list-accounts.ts')).accountsEndpoint,
      },
    },
  },
  'accounts/unlink': {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    unknownMessage: UNKNOWN_ACCOUNTS,
    flows: {
      POST: {
        protection: 'own form',
        load: async () => (await import('../flows/account/unlink-account.ts')).unlinkEndpoint,
      },
    },
  },
  'access-token': {
    kind: 'data',
    provider: 'path',
    prefetch: true,
    head: true,
    unknownMessage: 'There is no access token.',
    flows: {
      // Other sites cannot read it, and scripts of this one only where the application opens it.
      'GET oauth': {
        protection: 'reads',
        load: async () =>
          (await import('../flows/account/get-access-token.ts')).accessTokenEndpoint,
      },
    },
  },
  csrf: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/request/get-csrf-token.ts')).getCsrfToken,
      },
    },
  },
  providers: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: { protection: 'reads', load: () => providersEndpoint },
    },
  },
  signin: {
    kind: 'page',
    provider: 'path',
    prefetch: false,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/page/show-sign-in.ts')).showSignIn,
      },
      POST: { protection: 'own form', load: toSignInPage },
      'POST credentials': { protection: 'own form', load: toSignInPage },
      'POST webauthn': { protection: 'own form', load: toSignInPage },
      'POST oauth': {
        protection: 'own form',
        load: async () => (await import('../flows/oauth/start-oauth.ts')).startOAuth,
      },
      'POST email': {
        protection: 'own form',
        load: async () => (await import('../flows/email/start-email.ts')).startEmail,
      },
      'POST password': {
        protection: 'own form',
        load: async () =>
          (await import('../flows/password/sign-in-with-password.ts')).signInWithPassword,
      },
    },
  },
  callback: {
    kind: 'data',
    provider: 'path',
    prefetch: false,
    head: false,
    flows: {
      // By state, PKCE and nonce: a form of ours would not come from the provider.
      'GET oauth': { protection: 'own attempt', load: finishOAuth },
      'POST oauth': { protection: 'own attempt', load: finishOAuth },
      // By the cookie of the browser that requested the link. In another browser it only shows a page with a form.
      'GET email': {
        protection: 'own attempt',
        load: async () => (await emailLinks()).confirmEmail,
      },
      'POST email': {
        protection: 'own form',
        load: async () => (await emailLinks()).finishEmail,
      },
      'POST credentials': {
        protection: 'own form',
        load: async () =>
          (await import('../flows/sign-in/sign-in-with-credentials.ts')).signInWithCredentials,
      },
      'POST webauthn': {
        protection: 'own form',
        load: async () => (await import('../flows/passkey/finish-passkey.ts')).finishPasskey,
      },
      // It only shows a page with a form.
      'GET password': {
        protection: 'reads',
        load: async () => (await passwords()).showChoose,
      },
      'POST password': {
        protection: 'own form',
        load: async () => (await passwords()).postChoose,
      },
    },
  },
  'webauthn-options': {
    kind: 'data',
    provider: 'path',
    prefetch: true,
    head: true,
    flows: {
      // The challenge is for the browser that asked.
      'GET webauthn': {
        protection: 'reads',
        load: async () => (await import('../flows/passkey/passkey-options.ts')).passkeyOptions,
      },
    },
  },
  password: {
    kind: 'data',
    provider: 'password',
    prefetch: false,
    head: true,
    flows: {
      GET: { protection: 'reads', load: async () => (await passwords()).showChange },
      POST: { protection: 'own form', load: async () => (await passwords()).postChange },
    },
  },
  'password/remove': {
    kind: 'data',
    provider: 'password',
    prefetch: true,
    head: true,
    flows: {
      POST: {
        protection: 'own form',
        load: async () => (await passwords()).postRemove,
      },
    },
  },
  'password/sign-up': {
    kind: 'data',
    provider: 'password',
    prefetch: false,
    head: true,
    flows: {
      GET: { protection: 'reads', load: async () => (await passwords()).showSignUp },
      POST: {
        protection: 'own form',
        load: async () => (await passwords()).postSignUp,
      },
    },
  },
  'password/forgot': {
    kind: 'data',
    provider: 'password',
    prefetch: false,
    head: true,
    flows: {
      GET: { protection: 'reads', load: async () => (await passwords()).showForgot },
      POST: {
        protection: 'own form',
        load: async () => (await passwords()).postForgot,
      },
    },
  },
  signout: {
    kind: 'page',
    provider: 'none',
    prefetch: false,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/page/show-sign-out.ts')).showSignOut,
      },
      POST: {
        protection: 'own form',
        load: async () => (await import('../flows/sign-out/sign-out.ts')).signOut,
      },
    },
  },
  'signout/provider': {
    kind: 'data',
    provider: 'none',
    prefetch: false,
    head: false,
    flows: {
      // By a ticket that was sealed for one user, a minute ago at most.
      GET: {
        protection: 'own attempt',
        load: async () => (await providerLogout()).goOnToProvider,
      },
    },
  },
  'signout/return': {
    kind: 'data',
    provider: 'none',
    prefetch: false,
    head: false,
    flows: {
      GET: {
        protection: 'own attempt',
        load: async () => (await providerLogout()).returnFromProvider,
      },
    },
  },
  'backchannel-logout': {
    kind: 'data',
    provider: 'path',
    prefetch: true,
    head: true,
    flows: {
      'POST oauth': {
        protection: 'signed notice',
        load: async () => (await import('../flows/sign-out/backchannel-logout.ts')).endByNotice,
      },
    },
  },
  'frontchannel-logout': {
    kind: 'data',
    provider: 'path',
    prefetch: false,
    head: false,
    flows: {
      'GET oauth': {
        protection: 'known session',
        load: async () => (await import('../flows/sign-out/frontchannel-logout.ts')).endInFrame,
      },
    },
  },
  assets: {
    kind: 'data',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/page/serve-asset.ts')).serveAsset,
      },
    },
  },
  error: {
    kind: 'page',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/page/show-error.ts')).showError,
      },
    },
  },
  'verify-request': {
    kind: 'page',
    provider: 'none',
    prefetch: true,
    head: true,
    flows: {
      GET: {
        protection: 'reads',
        load: async () => (await import('../flows/page/show-verify-request.ts')).showVerifyRequest,
      },
    },
  },
}

/** Every flow, and what protects it. */
export function listProtections(): Readonly<Record<string, Protection>> {
  return Object.fromEntries(
    Object.entries(ENDPOINTS).flatMap(([action, { flows }]) =>
      Object.entries(flows).map(([key, { protection }]) => {
        const [method, kind] = key.split(' ')
        return [`${method} ${action}${kind ? `/${kind}` : ''}`, protection] as const
      }),
    ),
  )
}

/** Finds the flow for a request; the allowed methods if this one is not allowed. */
export function findRoute(
  method: Method | null,
  action: AuthAction,
  provider: ProviderObject | undefined,
): Route<ProviderObject | undefined> | { readonly allow: readonly string[] } {
  // Sound because the key, and with it the kind of provider, is made from the provider itself.
  const flows = ENDPOINTS[action].flows as Partial<
    Record<string, Route<ProviderObject | undefined>>
  >
  const keyOf = (each: Method) => (provider ? `${each} ${kindOf(provider)}` : each)
  const route = method && flows[keyOf(method)]
  return route || { allow: (['GET', 'POST'] as const).filter(each => flows[keyOf(each)]) }
}

function kindOf({ type }: ProviderObject): Kind {
  return type === 'oidc' ? 'oauth' : type
}
