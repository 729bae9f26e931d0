import { primitives } from '#crypto'
import { InvalidConfiguration, WebAuthnVerificationError } from '../../base/errors.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { PURPOSES } from '../../crypto/keys.ts'
import { webHeaders } from '../../http/request.ts'
import type { SimpleWebAuthn } from '../../providers/simple-webauthn.ts'
import type {
  RelayingParty,
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnRequest,
} from '../../providers/webauthn.ts'
import { CHALLENGE_MAX_AGE } from '../../webauthn/challenge.ts'
import { relyingPartyOf } from '../../webauthn/relying-party.ts'
import { createUsedChallenges } from '../../webauthn/used-challenges.ts'
import { createUserHandles, type UserHandles } from '../../webauthn/user-handle.ts'
import type { Incoming } from '../request/incoming.ts'

/** What passkeys ask of a store. */
export type WebAuthnStore = StoreFor<'webauthn'>

/** The store. That it has the methods was checked when the configuration was. */
export function webauthnRows({ adapter }: ResolvedConfig): WebAuthnStore {
  return adapter as WebAuthnStore
}

/** The functions of SimpleWebAuthn, which the provider loads. */
export async function libraryOf(provider: WebAuthnConfig): Promise<SimpleWebAuthn> {
  const { simpleWebAuthn } = provider
  if (!simpleWebAuthn) {
    throw new InvalidConfiguration(
      `The provider "${provider.id}" has no simpleWebAuthn. Use the functions Passkey or WebAuthn.`,
    )
  }
  return typeof simpleWebAuthn === 'function' ? simpleWebAuthn() : simpleWebAuthn
}

/** The site that passkeys are made for. */
export function partyOf(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): RelayingParty {
  const { getRelayingParty, relayingParty } = provider
  return getRelayingParty
    ? getRelayingParty.call(provider, contextOf(config, request, provider), asSeen(request))
    : relyingPartyOf(relayingParty, request.origin)
}

/** What the functions of a provider are told. */
export function contextOf(
  config: ResolvedConfig,
  { url }: Incoming,
  provider: WebAuthnConfig,
): WebAuthnContext {
  return { provider, adapter: webauthnRows(config), url }
}

/** A request, as a provider's functions see it. */
export function asSeen({ method, url, query, body, headers }: Incoming): WebAuthnRequest {
  return { method, url, query, body, headers: webHeaders(headers) }
}

/** The handles that devices keep for users. */
export function userHandles({ secrets }: ResolvedConfig): UserHandles {
  return createUserHandles(primitives, secrets)
}

/** Stands for a key in a sealed challenge, where long ids would not fit. */
export async function digestOf(id: string): Promise<string> {
  return toBase64Url(await primitives.digest('SHA-256', id)).slice(0, 22)
}

/** Throws unless this process sees the challenge for the first time. */
export function claimHere(config: ResolvedConfig, challenge: string): void {
  config.runtime.challenges ??= createUsedChallenges()
  if (!config.runtime.challenges.claim(challenge, config.ports.now())) {
    throw new WebAuthnVerificationError('The challenge has already been answered.')
  }
}

/**
 * Throws unless the store sees the challenge for the first time. A token cannot be stored twice, so
 * of two answers to one challenge, at whichever servers they arrive, one is refused.
 */
export async function claimEverywhere(config: ResolvedConfig, challenge: string): Promise<void> {
  const { createVerificationToken } = webauthnRows(config)
  if (!createVerificationToken) return
  // Not the hash of a token that is sent by email: nobody signs in with this one.
  const token = toBase64Url(
    await primitives.digest('SHA-256', `${PURPOSES.challenge} ${challenge}`),
  )
  const expires = new Date(config.ports.now() + 2 * CHALLENGE_MAX_AGE * 1000)
  try {
    await createVerificationToken({ identifier: 'webauthn-challenge', token, expires })
  } catch (error) {
    const message = 'The challenge has already been answered, or the store cannot tell.'
    throw new WebAuthnVerificationError(message, { cause: error })
  }
}
