import { InvalidConfiguration } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { webHeaders } from '../../http/request.ts'
import type { SimpleWebAuthn } from '../../providers/simple-webauthn.ts'
import type {
  RelayingParty,
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnRequest,
} from '../../providers/webauthn.ts'
import { relyingPartyOf } from '../../webauthn/relying-party.ts'
import type { Incoming } from '../request/incoming.ts'
import { passkeyStore } from './passkey-store.ts'

/** The functions of SimpleWebAuthn, which the provider loads. */
export async function loadLibrary(provider: WebAuthnConfig): Promise<SimpleWebAuthn> {
  const { simpleWebAuthn } = provider
  if (!simpleWebAuthn) {
    throw new InvalidConfiguration(
      `The provider "${provider.id}" has no simpleWebAuthn. Use the functions Passkey or WebAuthn.`,
    )
  }
  return typeof simpleWebAuthn === 'function' ? simpleWebAuthn() : simpleWebAuthn
}

/** The site that passkeys are made for. */
export function resolveRelyingParty(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): RelayingParty {
  const { getRelayingParty, relayingParty } = provider
  return getRelayingParty
    ? getRelayingParty.call(
        provider,
        toContext(config, request, provider),
        toProviderRequest(request),
      )
    : relyingPartyOf(relayingParty, request.origin, config)
}

/** The context that a provider's functions receive. */
export function toContext(
  config: ResolvedConfig,
  { url }: Incoming,
  provider: WebAuthnConfig,
): WebAuthnContext {
  return { provider, adapter: passkeyStore(config), url }
}

/** A request, as a provider's functions see it. */
export function toProviderRequest({
  method,
  url,
  query,
  body,
  headers,
}: Incoming): WebAuthnRequest {
  return { method, url, query, body, headers: webHeaders(headers) }
}
