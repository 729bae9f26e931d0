import { applyPasskey } from '../../account/apply-passkey.ts'
import type { AdapterUser, Authenticator } from '../../base/adapter.ts'
import { AccountNotLinked, InvalidCheck } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Outgoing } from '../../http/response.ts'
import { receivedLimits } from '../../principal/end-received-sessions.ts'
import { findSessionCondition } from '../../principal/get-principal.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import type { Challenge } from '../../webauthn/challenge.ts'
import { verifyRegistration } from '../../webauthn/verify.ts'
import { passkeySignUp } from '../provider/passkey-sign-up.ts'
import type { Incoming } from '../request/incoming.ts'
import { claimableRows } from '../sign-in/account-store.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { whileSignedIn } from '../sign-in/sign-in-attempt.ts'
import { storeClaim } from './claim-challenge.ts'
import type { PasskeyResponse } from './passkey-response.ts'
import { type PasskeyStore, passkeyStore } from './passkey-store.ts'
import { recheckPasskey } from './recheck-passkey.ts'
import { loadLibrary, resolveRelyingParty } from './relying-party.ts'
import { requireSameUser } from './require-same-user.ts'

/** Stores a new passkey: of the user who is signed in, or of one who signs up with it. */
export async function registerPasskey(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  { attempt, response, challenge }: PasskeyResponse,
): Promise<Outgoing> {
  const { signUp } = challenge
  const addTo = await requireSameUser(config, request, challenge)
  if (!addTo && passkeySignUp(config, provider) !== 'with an address that is typed') {
    throw new InvalidCheck('The challenge was made when visitors could sign up with a passkey.')
  }
  const authenticator = await verifyRegistration(await loadLibrary(provider), provider, response, {
    challenge: challenge.challenge,
    party: resolveRelyingParty(config, request, provider),
  })
  await rejectRegisteredPasskey(config, provider, authenticator)
  await storeClaim(config, challenge.challenge)
  const user = addTo ?? (signUp && toProfile(signUp))
  if (!user) throw new InvalidCheck('The challenge does not say who is signing up.')
  const { providerAccountId } = authenticator
  const account = { providerAccountId, provider: provider.id, type: 'webauthn' } as const
  const isEmailProven = Boolean(addTo?.emailVerified)
  const params = { user, account: { ...account }, isEmailProven }
  const authorization = await authorizeSignIn(config, request, params)
  if (authorization.redirect) return authorization.redirect
  if (signUp?.exists) throw new AccountNotLinked('The application already knows this person.')
  const rows = claimableRows(config, passkeyStore(config), attempt) as PasskeyStore
  const linked = await applyPasskey(rows, config.events, {
    account,
    authenticator,
    addTo,
    findSession: () => findSessionCondition(config, request, addTo),
    signUp,
    randomHex: config.ports.randomHex,
  })
  const identity = {
    ...linked,
    attempt: addTo ? whileSignedIn(attempt, config, request, addTo) : attempt,
    // A user who adds a passkey has not signed in again.
    ...(addTo && { limits: await receivedLimits(request), isContinued: true }),
    account: { ...account, userId: linked.user.id },
    isEmailProven,
    stillHolds: recheckPasskey(config, authenticator, provider, linked.user),
  }
  return completeSignIn(config, request, authorization.approve(identity))
}

function toProfile({ email, name }: NonNullable<Challenge['signUp']>): Partial<AdapterUser> {
  return { email, ...(name !== null && { name }) }
}

/** WebAuthn §7.1 step 26: a known id, no matter whose, is not a new passkey. */
async function rejectRegisteredPasskey(
  config: ResolvedConfig,
  provider: WebAuthnConfig,
  { credentialID, providerAccountId }: Omit<Authenticator, 'userId'>,
): Promise<void> {
  const store = passkeyStore(config)
  const registered =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider.id))
  if (registered) throw new AccountNotLinked('This passkey is already registered.')
}
