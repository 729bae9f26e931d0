import { InvalidConfiguration } from '../../base/errors.ts'
import { isListedOrigin } from '../../http/hosts/listed-origin.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import { isSameOrigin } from '../secure-url.ts'

/** Where a provider is to send its answer. */
export interface RedirectTarget {
  readonly redirectUri: string
  /** This deployment's own callback URL, where the answer has to come through a proxy. */
  readonly proxyOrigin: string | undefined
}

/**
 * The first half: a preview deployment, whose URL no provider knows, asks for the answer to be sent
 * to the stable deployment, and writes its own URL into the sealed state. That URL may be a visitor's
 * word, so it has to be one that the operator listed.
 */
export function chooseRedirectUri(
  provider: Pick<ResolvedOAuthProvider, 'authorization' | 'proxyCallbackUrl' | 'proxyOrigins'>,
  callbackUrl: string,
): RedirectTarget {
  const { proxyCallbackUrl } = provider
  if (proxyCallbackUrl && !isSameOrigin(proxyCallbackUrl, callbackUrl)) {
    if (!isListedOrigin(callbackUrl, provider.proxyOrigins)) throw unlistedOrigin(callbackUrl)
    return { redirectUri: proxyCallbackUrl, proxyOrigin: callbackUrl }
  }
  // An application that has to name another URL knows that it leads here. RFC 6749 §4.1.3: the
  // token request must then name the same.
  const named = provider.authorization.params.find(([name]) => name === 'redirect_uri')
  return { redirectUri: named?.[1] ?? callbackUrl, proxyOrigin: undefined }
}

/** The fault of an origin that answers would have to go to, and may not. */
export function unlistedOrigin(url: string): InvalidConfiguration {
  const { origin } = new URL(url)
  return new InvalidConfiguration(
    `The redirect proxy passes no codes to ${origin}, because redirectProxyOrigins does not list it. ` +
      `If that is your own deployment, add ${JSON.stringify(origin)} to redirectProxyOrigins, or to ` +
      'AUTH_REDIRECT_PROXY_ORIGINS, there and on the proxy.',
  )
}
