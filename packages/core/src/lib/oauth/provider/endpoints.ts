import type { Profile } from '../../base/user.ts'
import type {
  AuthorizationEndpointHandler,
  EndSessionEndpointHandler,
  OAuthConfig,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from '../../providers/oauth.ts'
import { ProviderError } from '../provider-error.ts'
import { isSecureUrl, withoutQuery } from '../secure-url.ts'
import { type Parameter, parametersOf, urlOf, withParameters } from './parameters.ts'

/** The endpoints of a provider, as far as the application has configured them. */
export interface Endpoints {
  readonly authorization: {
    readonly url: string | undefined
    /** Without the scope. */
    readonly params: readonly Parameter[]
    readonly fragment: string | undefined
  }
  readonly token: Pick<TokenEndpointHandler, 'request' | 'refresh' | 'conform'> & {
    readonly url: string | undefined
    readonly params: readonly Parameter[]
  }
  readonly userinfo: Pick<UserinfoEndpointHandler, 'request' | 'conform'> & {
    readonly url: string | undefined
  }
  readonly jwksUri: string | undefined
  readonly endSession: {
    readonly url: string | undefined
    readonly params: readonly Parameter[]
    /** The provider's name for the redirect URI. */
    readonly returnParam: string
  }
  readonly revocationUrl: string | undefined
}

/** Decides where each endpoint is, and what it is sent. */
export function resolveEndpoints(
  config: OAuthConfig<Profile>,
  authorization: Endpoints['authorization'],
): Endpoints {
  const token: TokenEndpointHandler = handlerOf(config.token)
  const userinfo: UserinfoEndpointHandler = handlerOf(config.userinfo)
  const endSession: EndSessionEndpointHandler = handlerOf(config.endSession)
  return {
    authorization: Object.freeze(authorization),
    token: Object.freeze({
      ...hooksOf(token),
      ...(token.refresh && { refresh: token.refresh.bind(token) }),
      url: token.url || undefined,
      params: parametersOf(token.params),
    }),
    userinfo: Object.freeze({
      ...hooksOf(userinfo),
      url: withParameters(userinfo.url || undefined, parametersOf(userinfo.params)),
    }),
    jwksUri: config.jwks_endpoint || undefined,
    endSession: Object.freeze({
      url: endSession.url || undefined,
      params: parametersOf(endSession.params),
      returnParam: endSession.returnParam ?? 'post_logout_redirect_uri',
    }),
    revocationUrl: config.revocation ? String(config.revocation) : undefined,
  }
}

/** Decides where sign-ins go, and with which scope. */
export function resolveAuthorization(
  config: OAuthConfig<Profile>,
): Endpoints['authorization'] & { readonly scope: string | undefined } {
  const handler: AuthorizationEndpointHandler = handlerOf(config.authorization)
  const url = handler.url ? urlOf('authorization', handler.url) : undefined
  const given = parametersOf(handler.params)
  const inUrl = [...(url?.searchParams ?? [])].filter(
    ([name]) => !given.some(([other]) => other === name),
  )
  const all: readonly Parameter[] = [...inUrl, ...given]
  const scope = all.findLast(([name]) => name === 'scope')?.[1].trim()
  // OIDC Core §3.1.2.1 wants `openid`; plain OAuth has no scope that every server knows.
  const fallback = config.type === 'oidc' ? 'openid profile email' : undefined
  const fragment = handler.fragment ?? url?.hash
  return {
    url: url && withoutQuery(url),
    params: Object.freeze(all.filter(([name]) => name !== 'scope')),
    fragment: fragment?.replace(/^#/, '') || undefined,
    scope: scope || fallback,
  }
}

/** Throws if one of the URLs of a provider would be requested without TLS. */
export function assertSecureUrls(
  urls: Readonly<Record<string, string | undefined>>,
  options: { readonly allowInsecure: boolean },
): void {
  for (const [name, text] of Object.entries(urls)) {
    if (text === undefined) continue
    const url = urlOf(name, text)
    if (!isSecureUrl(url, options)) {
      throw new ProviderError(`${name}: expected an https URL, found ${withoutQuery(url)}`)
    }
  }
}

/** A configured endpoint, whose URL may stand for all of it. */
export function handlerOf<H extends { url?: string }>(
  endpoint: string | H | undefined,
): Partial<H> {
  if (!endpoint) return {}
  // Applications also write URL objects, at the top and inside.
  if (typeof endpoint === 'string' || endpoint instanceof URL) {
    return { url: String(endpoint) } as Partial<H> // `url` is a member of every H
  }
  return endpoint.url ? { ...endpoint, url: String(endpoint.url) } : endpoint
}

function hooksOf<H extends { request?: unknown; conform?: unknown }>(
  handler: H,
): Pick<H, 'request' | 'conform'> {
  // Called on the handler, because applications write methods.
  const bound: Record<string, unknown> = {}
  for (const name of ['request', 'conform'] as const) {
    const hook = handler[name]
    if (typeof hook === 'function') bound[name] = hook.bind(handler)
  }
  return bound as Pick<H, 'request' | 'conform'> // the same functions, bound
}
