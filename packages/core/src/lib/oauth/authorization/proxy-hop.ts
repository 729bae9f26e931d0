import type { Sealer } from '../../crypto/jwe.ts'
import { isListedOrigin } from '../../http/hosts/listed-origin.ts'
import type { Forwarding } from '../provider/redirect-proxy.ts'
import { isSameOrigin, isSecureUrl, parseUrl } from '../secure-url.ts'

/** Decides about a response that may be for another deployment. */
export type ProxyDecision =
  | { readonly do: 'handle' }
  | { readonly do: 'forward'; readonly to: string }
  | { readonly do: 'reject'; readonly reason: string }
  /** To an origin that the operator has not listed. */
  | { readonly do: 'report'; readonly unlisted: string }

/**
 * The second half: the stable deployment forwards the response to the deployment in the state. It is sealed with the
 * secret that the deployments share. Its origin may still be what a visitor sent as the host, so codes go only to
 * origins that the operator listed.
 */
export async function decideProxyHop(
  provider: Forwarding,
  response: {
    readonly parameters: URLSearchParams
    readonly callbackUrl: string
    /** The sealer for {@link STATE_PURPOSE}. */
    readonly sealer: Sealer
    readonly now: number
  },
): Promise<ProxyDecision> {
  const { proxyCallbackUrl } = provider
  const { parameters, callbackUrl } = response
  if (!proxyCallbackUrl || !isSameOrigin(proxyCallbackUrl, callbackUrl)) return handle
  const [state, ...more] = parameters.getAll('state')
  // Not sealed, or not by us: nothing to read in it. Whether it is right is checked all the same.
  const opened = state && more.length === 0 && (await response.sealer.open(state, response.now))
  if (!opened || typeof opened === 'string') return handle
  const { origin } = opened.claims as { origin?: unknown }
  if (origin === undefined) return handle
  const target = typeof origin === 'string' ? parseUrl(origin) : null
  if (!target) return { do: 'reject', reason: 'the state has no URL to forward to' }
  if (isSameOrigin(target.href, callbackUrl)) return handle
  // RFC 9700 §4.4: the answer of one provider must not be handed over as that of another.
  if (!isCallbackOf(provider.id, target.pathname)) {
    return { do: 'reject', reason: 'the state was made for another provider' }
  }
  if (!isSecureUrl(target, { allowInsecure: provider.allowInsecureRequests })) {
    return { do: 'reject', reason: 'codes are only forwarded over https' }
  }
  if (!isListedOrigin(target.href, provider.proxyOrigins)) {
    return { do: 'report', unlisted: target.origin }
  }
  target.search = parameters.toString()
  return { do: 'forward', to: target.href }
}

const handle: ProxyDecision = { do: 'handle' }

/** Auth.js wrote ids into paths as they are. */
function isCallbackOf(id: string, pathname: string): boolean {
  return [id, encodeURIComponent(id)].some(each => pathname.endsWith(`/callback/${each}`))
}
