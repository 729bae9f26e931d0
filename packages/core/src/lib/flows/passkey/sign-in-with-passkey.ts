import type { AdapterAuthenticator } from '../../base/adapter.ts'
import { WebAuthnVerificationError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import type { Outgoing } from '../../http/response.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import type { BrowserResponse } from '../../webauthn/browser-response.ts'
import type { Challenge } from '../../webauthn/challenge.ts'
import { toStored } from '../../webauthn/encode-id.ts'
import { verifyAuthentication } from '../../webauthn/verify.ts'
import type { Incoming } from '../request/incoming.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { storeClaim } from './claim-challenge.ts'
import type { PasskeyResponse } from './passkey-response.ts'
import { credentialDigest, type PasskeyStore, passkeyStore, userHandles } from './passkey-store.ts'
import { recheckPasskey } from './recheck-passkey.ts'
import { loadLibrary, resolveRelyingParty } from './relying-party.ts'
import { requireSameUser } from './require-same-user.ts'

/** Signs in the user that a passkey belongs to. */
export async function signInWithPasskey(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  { attempt, response, challenge }: PasskeyResponse,
): Promise<Outgoing> {
  const store = passkeyStore(config)
  await requireSameUser(config, request, challenge)
  const stored = await findPasskey(config, response, challenge)
  const counter = await verifyAuthentication(
    await loadLibrary(provider),
    provider,
    response,
    stored,
    {
      challenge: challenge.challenge,
      party: resolveRelyingParty(config, request, provider),
    },
  )
  await storeClaim(config, challenge.challenge)
  await storeCounter(store, stored, counter)
  const account = await store.getAccount(stored.providerAccountId, provider.id)
  const user = account?.userId === stored.userId ? await store.getUser(stored.userId) : null
  if (!account || !user) {
    throw new WebAuthnVerificationError('The passkey has no account at this provider, or no user.')
  }
  const isEmailProven = Boolean(user.emailVerified)
  const authorization = await authorizeSignIn(config, request, { user, account, isEmailProven })
  if (authorization.redirect) return authorization.redirect
  const identity = {
    user,
    account,
    attempt,
    isNewUser: false,
    isEmailProven,
    stillHolds: recheckPasskey(config, stored, provider, user),
  }
  return completeSignIn(config, request, authorization.approve(identity))
}

/** Stores the counter in place of the one that it was compared with. Of two uses with the same one, the second fails. */
async function storeCounter(
  store: PasskeyStore,
  { credentialID, counter: from }: AdapterAuthenticator,
  counter: number,
): Promise<void> {
  const updated = await store.updateAuthenticatorCounter(credentialID, counter, from)
  // Adapters of Auth.js compare nothing, and may return nothing.
  if (updated !== null) return
  throw new WebAuthnVerificationError('The passkey was used somewhere else at the same time.')
}

/**
 * WebAuthn §7.2 steps 5 to 7: the key must be one of those asked for, and anyone named or claiming
 * to have it must be its owner. The visitor never learns which of these failed.
 */
async function findPasskey(
  config: ResolvedConfig,
  { id, userHandle }: BrowserResponse,
  { userId, allowed }: Challenge,
): Promise<AdapterAuthenticator> {
  const credentialID = toStored(id)
  const stored = await passkeyStore(config).getAuthenticator(credentialID)
  if (stored?.credentialID !== credentialID) {
    throw new WebAuthnVerificationError('This passkey is unknown. It may have been removed.')
  }
  if (userId !== null && stored.userId !== userId) {
    throw new WebAuthnVerificationError(
      'The passkey belongs to a different user from the one asked.',
    )
  }
  if (allowed?.length && !allowed.includes(await credentialDigest(toBase64Url(id)))) {
    throw new WebAuthnVerificationError('The passkey is not one of those asked for.')
  }
  if (!allowed && userHandle === null) {
    throw new WebAuthnVerificationError('The device does not say whose passkey it is.')
  }
  if (userHandle && (await userHandles(config).isOfAnother(userHandle, stored.userId))) {
    throw new WebAuthnVerificationError('The device says the passkey belongs to another user.')
  }
  return stored
}
