import { applyPasskey } from '../../account/apply-passkey.ts'
import { isSameUser } from '../../account/decide-link.ts'
import {
  AccountNotLinked,
  InvalidCheck,
  InvalidRequest,
  WebAuthnVerificationError,
} from '../../base/errors.ts'
import type { AdapterAuthenticator, AdapterUser, Authenticator } from '../../base/model.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { clearCookie } from '../../http/cookies.ts'
import type { Outgoing } from '../../http/response.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import { type BrowserAnswer, readBrowserAnswer } from '../../webauthn/browser-answer.ts'
import { type Challenge, openChallenge } from '../../webauthn/challenge.ts'
import { toStored } from '../../webauthn/encode-id.ts'
import { verifyAuthentication, verifyRegistration } from '../../webauthn/verify.ts'
import { isOwnMark } from '../cookies/browser-binding.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { passkeySignUp } from '../provider/passkey-sign-up.ts'
import { currentUser } from '../request/current-user.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { authorizeSignIn, type VerifiedIdentity } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { currentTerms } from '../sign-in/session-terms.ts'
import {
  claimEverywhere,
  claimHere,
  digestOf,
  libraryOf,
  partyOf,
  userHandles,
  webauthnRows,
} from './passkey-store.ts'

/** `POST callback` of a WebAuthn provider: a passkey was used, or made. */
export async function finishWebAuthn(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): Promise<Outgoing> {
  await requireAttempt(config, request, { kind: 'callback', provider: provider.id, accounts: [] })
  const { action, data } = request.body as { action?: unknown; data?: unknown }
  if (action !== 'authenticate' && action !== 'register') {
    throw new InvalidRequest('The action field is neither "authenticate" nor "register".')
  }
  const answer = readBrowserAnswer(data)
  const cookie = request.cookieOptions.webauthnChallenge
  const opened = await openChallenge(
    { challenge: answer.challenge, action, provider: provider.id },
    {
      cookieName: cookie.name,
      cookies: request.cookies,
      sealer: config.sealerFor(cookie.name),
      now: config.ports.now(),
    },
  )
  // A challenge can be answered once, whatever comes of it.
  const usedUp = opened.cookieName === null ? [] : [clearCookie(cookie, opened.cookieName)]
  if (!opened.ok) throw new Failure(new InvalidCheck(opened.why, { provider: provider.id }), usedUp)
  try {
    const { challenge } = opened
    if (!(await isOwnMark(config, request, challenge.browser ?? undefined))) {
      throw new InvalidCheck('The challenge belongs to another browser.', { provider: provider.id })
    }
    claimHere(config, challenge.challenge)
    const finish = action === 'register' ? finishRegistration : finishAuthentication
    const outgoing = await finish(config, request, provider, answer, challenge)
    return { ...outgoing, cookies: [...usedUp, ...outgoing.cookies] }
  } catch (error) {
    throw new Failure(asCallbackError(error, provider.id), usedUp)
  }
}

async function finishAuthentication(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  answer: BrowserAnswer,
  challenge: Challenge,
): Promise<Outgoing> {
  const rows = webauthnRows(config)
  await requireBeginner(config, request, challenge)
  const stored = await findKey(config, answer, challenge)
  const counter = await verifyAuthentication(await libraryOf(provider), provider, answer, stored, {
    challenge: challenge.challenge,
    party: partyOf(config, request, provider),
  })
  await claimEverywhere(config, challenge.challenge)
  await rows.updateAuthenticatorCounter(stored.credentialID, counter)
  const account = await rows.getAccount(stored.providerAccountId, provider.id)
  const user = account?.userId === stored.userId ? await rows.getUser(stored.userId) : null
  if (!account || !user) {
    throw new WebAuthnVerificationError('The passkey has no account at this provider, or no user.')
  }
  const isEmailProven = Boolean(user.emailVerified)
  const authorization = await authorizeSignIn(config, request, { user, account, isEmailProven })
  if (authorization.redirect) return authorization.redirect
  const identity = {
    user,
    account,
    isNewUser: false,
    isEmailProven,
    stillHolds: stillHolding(config, stored, provider, user),
  }
  return completeSignIn(config, request, authorization.approve(identity))
}

/** Proving a user's address locks everyone else out: perhaps at this very moment. */
function stillHolding(
  config: ResolvedConfig,
  { credentialID, providerAccountId }: Pick<Authenticator, 'credentialID' | 'providerAccountId'>,
  provider: WebAuthnConfig,
  user: AdapterUser,
): VerifiedIdentity['stillHolds'] {
  if (!config.endUser || !config.adapter?.listAccounts) return 'cannot change'
  const { getAuthenticator, getAccount } = webauthnRows(config)
  const isOf = (found: { readonly userId: string } | null) =>
    String(found?.userId) === String(user.id)
  return async () =>
    isOf(await getAuthenticator(credentialID)) &&
    isOf(await getAccount(providerAccountId, provider.id))
}

/**
 * WebAuthn §7.2 steps 5 to 7: the key must be one of those asked for, and anyone named or claiming
 * to have it must be its owner. The visitor never learns which of these failed.
 */
async function findKey(
  config: ResolvedConfig,
  { id, userHandle }: BrowserAnswer,
  { userId, allowed }: Challenge,
): Promise<AdapterAuthenticator> {
  const credentialID = toStored(id)
  const stored = await webauthnRows(config).getAuthenticator(credentialID)
  if (stored?.credentialID !== credentialID) {
    throw new WebAuthnVerificationError('This passkey is unknown. It may have been removed.')
  }
  if (userId !== null && stored.userId !== userId) {
    throw new WebAuthnVerificationError(
      'The passkey belongs to a different user from the one asked.',
    )
  }
  if (allowed?.length && !allowed.includes(await digestOf(toBase64Url(id)))) {
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

async function finishRegistration(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  answer: BrowserAnswer,
  challenge: Challenge,
): Promise<Outgoing> {
  const { signUp } = challenge
  const addTo = await requireBeginner(config, request, challenge)
  if (!addTo && passkeySignUp(config, provider) !== 'with an address that is typed') {
    throw new InvalidCheck('The challenge was made when visitors could sign up with a passkey.')
  }
  const authenticator = await verifyRegistration(await libraryOf(provider), provider, answer, {
    challenge: challenge.challenge,
    party: partyOf(config, request, provider),
  })
  await refuseKnownKey(config, provider, authenticator)
  await claimEverywhere(config, challenge.challenge)
  const user = addTo ?? (signUp && profileOf(signUp))
  if (!user) throw new InvalidCheck('The challenge does not say who is signing up.')
  const { providerAccountId } = authenticator
  const account = { providerAccountId, provider: provider.id, type: 'webauthn' } as const
  const isEmailProven = Boolean(addTo?.emailVerified)
  const asked = { user, account: { ...account }, isEmailProven }
  const authorization = await authorizeSignIn(config, request, asked)
  if (authorization.redirect) return authorization.redirect
  if (signUp?.exists) throw new AccountNotLinked('The application already knows this person.')
  const linked = await applyPasskey(webauthnRows(config), config.events, {
    account,
    authenticator,
    addTo,
    isStillSignedIn: async () => isSameUser(await currentUser(config, request), addTo),
    signUp,
    randomHex: config.ports.randomHex,
  })
  const identity = {
    ...linked,
    // A user who adds a passkey has not signed in again.
    ...(addTo && { terms: await currentTerms(request), isContinued: true }),
    account: { ...account, userId: linked.user.id },
    isEmailProven,
    stillHolds: stillHolding(config, authenticator, provider, linked.user),
  }
  return completeSignIn(config, request, authorization.approve(identity))
}

/**
 * Who asked for this while signed in: no one else can answer. If it was asked for while signed out,
 * it is a sign-in or sign-up, whoever is signed in by now.
 */
async function requireBeginner(
  config: ResolvedConfig,
  request: Incoming,
  { userId }: Challenge,
): Promise<AdapterUser | null> {
  if (userId === null) return null
  const user = await currentUser(config, request)
  if (user && String(user.id) === String(userId)) return user
  throw new InvalidCheck('Someone else was signed in when the passkey was asked for.')
}

function profileOf({ email, name }: NonNullable<Challenge['signUp']>): Partial<AdapterUser> {
  return { email, ...(name !== null && { name }) }
}

/** WebAuthn §7.1 step 26: a known id, no matter whose, is not a new passkey. */
async function refuseKnownKey(
  config: ResolvedConfig,
  provider: WebAuthnConfig,
  { credentialID, providerAccountId }: Omit<Authenticator, 'userId'>,
): Promise<void> {
  const rows = webauthnRows(config)
  const isKnown =
    (await rows.getAuthenticator(credentialID)) ??
    (await rows.getAccount(providerAccountId, provider.id))
  if (isKnown) throw new AccountNotLinked('This passkey is already registered.')
}
