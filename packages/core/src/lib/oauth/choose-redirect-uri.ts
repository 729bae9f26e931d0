import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import { isSameOrigin } from './secure-url.ts'

/** Where a provider is to send its answer. */
export interface RedirectTarget {
  readonly redirectUri: string
  /** This deployment's own callback URL, where the answer has to come through a proxy. */
  readonly proxyOrigin: string | undefined
}

/**
 * The first half: a preview deployment, whose URL no provider knows, asks for the answer to be sent
 * to the stable deployment, and writes its own URL into the sealed state.
 */
export function chooseRedirectUri(
  provider: Pick<ResolvedOAuthProvider, 'authorization' | 'proxyCallbackUrl'>,
  callbackUrl: string,
): RedirectTarget {
  const { proxyCallbackUrl } = provider
  if (proxyCallbackUrl && !isSameOrigin(proxyCallbackUrl, callbackUrl)) {
    return { redirectUri: proxyCallbackUrl, proxyOrigin: callbackUrl }
  }
  // An application that has to name another URL knows that it leads here. RFC 6749 §4.1.3: the
  // token request must then name the same.
  const named = provider.authorization.params.find(([name]) => name === 'redirect_uri')
  return { redirectUri: named?.[1] ?? callbackUrl, proxyOrigin: undefined }
}
