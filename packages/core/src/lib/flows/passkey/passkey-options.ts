import { primitives } from '#crypto'
import { findByAddress } from '../../account/find-by-address.ts'
import type { AdapterUser } from '../../base/adapter.ts'
import { parseEnteredAddress, readAddress } from '../../base/email-address.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { fromHex, toBase64Url } from '../../crypto/encoding.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { setCookie } from '../../http/cookies.ts'
import { json, type Outgoing } from '../../http/response.ts'
import { isDiscoverable, type WebAuthnConfig } from '../../providers/webauthn.ts'
import {
  CHALLENGE_MAX_AGE,
  type Challenge,
  newChallenge,
  type SignUpRequest,
  sealChallenge,
} from '../../webauthn/challenge.ts'
import { decideCeremony } from '../../webauthn/decide-ceremony.ts'
import { decoysFor } from '../../webauthn/decoys.ts'
import { fromStored } from '../../webauthn/encode-id.ts'
import {
  authenticationOptions,
  registrationOptions,
  type UserCredential,
} from '../../webauthn/options.ts'
import { chooseSlot } from '../cookies/attempt-slots.ts'
import { browserBinding } from '../cookies/browser-binding.ts'
import { findLinkingUser, signedInUser } from '../cookies/reauthentication.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { passkeySignUp } from '../provider/passkey-sign-up.ts'
import type { Incoming } from '../request/incoming.ts'
import { credentialDigest, passkeyStore, userHandles } from './passkey-store.ts'
import { loadLibrary, resolveRelyingParty, toContext, toProviderRequest } from './relying-party.ts'

/** `GET webauthn-options`: what the browser is to be asked, and the challenge that it answers. */
export async function passkeyOptions(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): Promise<Outgoing> {
  const { action } = request.query
  if (action !== undefined && action !== 'authenticate' && action !== 'register') {
    return json({ error: 'Invalid action' }, 400)
  }
  // A page of another site cannot read the challenge, but each takes the place of one that is waiting for its passkey.
  if (config.csrf && isForeignRequest(request.headers, request.origin, config.trustedOrigins)) {
    return json({ error: 'A page of another site sent the request.' }, 403)
  }
  await requireAttempt(config, request, { kind: 'passkey', provider: provider.id, accounts: [] })
  const user = await userFor(config, request, action)
  const signUp = passkeySignUp(config, provider)
  if (!user && action === 'register' && typeof signUp === 'object') {
    // The same for every address, so no one learns which are known.
    const { name } = signUp.first
    const error = `The address has to be proved first: sign in with ${name}, then add a passkey.`
    return json({ error }, 400)
  }
  const visitor = user ? null : await visitorOf(config, request, provider)
  const ceremony = decideCeremony({
    action,
    isSignedIn: user !== null,
    hasUser: visitor !== null,
    allowSignUp: signUp === 'with an address that is typed',
  })
  if (!ceremony) return json({ error: 'Invalid request' }, 400)
  return ceremony === 'register'
    ? register(config, request, provider, user, visitor)
    : authenticate(config, request, provider, user, visitor)
}

/** The user who adds a passkey, or who is known to use one; null if the request may be that of another person. */
function userFor(
  config: ResolvedConfig,
  request: Incoming,
  action: string | undefined,
): Promise<AdapterUser | null> {
  return action === 'register' ? findLinkingUser(config, request) : signedInUser(config, request)
}

async function register(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  user: AdapterUser | null,
  visitor: Visitor | null,
): Promise<Outgoing> {
  const challenge = newChallenge(
    await chooseSlot(config, request, 'webauthnChallenge'),
    config.ports.randomHex,
  )
  const signUp = user ? null : (visitor?.signUp ?? null)
  const options = await registrationOptions(await loadLibrary(provider), provider, {
    party: resolveRelyingParty(config, request, provider),
    challenge,
    user: {
      // Someone signing up has no id yet.
      handle: user
        ? await userHandles(config).of(user.id)
        : fromHex(config.ports.randomHex(HANDLE_LENGTH)),
      name: user ? (user.email ?? user.name ?? user.id) : (signUp?.email ?? ''),
      displayName: (user ?? signUp)?.name ?? '',
    },
    exclude: user ? await credentialsOf(config, user.id) : [],
  })
  return optionsResponse(config, request, options, {
    challenge: toBase64Url(challenge),
    action: 'register',
    provider: provider.id,
    userId: user?.id ?? null,
    allowed: null,
    signUp,
  })
}

const HANDLE_LENGTH = 32

async function authenticate(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
  user: AdapterUser | null,
  visitor: Visitor | null,
): Promise<Outgoing> {
  const challenge = newChallenge(
    await chooseSlot(config, request, 'webauthnChallenge'),
    config.ports.randomHex,
  )
  const allow = user
    ? await credentialsOf(config, user.id)
    : await namedCredentials(config, provider, visitor)
  const options = await authenticationOptions(await loadLibrary(provider), provider, {
    party: resolveRelyingParty(config, request, provider),
    challenge,
    allow,
  })
  return optionsResponse(config, request, options, {
    challenge: toBase64Url(challenge),
    action: 'authenticate',
    provider: provider.id,
    userId: user?.id ?? null,
    allowed: allow && (await Promise.all(allow.map(({ id }) => credentialDigest(id)))),
    signUp: null,
  })
}

/**
 * The keys of the user a visitor claims to be, or invented ones: no one can tell which. Null if
 * devices find their keys on their own, which needs no list.
 */
async function namedCredentials(
  config: ResolvedConfig,
  provider: WebAuthnConfig,
  visitor: Visitor | null,
): Promise<readonly UserCredential[] | null> {
  if (!visitor || isDiscoverable(provider)) return null
  const { email } = visitor.signUp
  const store = passkeyStore(config)
  const userId = visitor.userId ?? (await findByAddress(store, email))?.id
  // If there is no such user, the store is queried as often, so that it takes as long.
  const found = userId
    ? await credentialsOf(config, userId)
    : void (await findByAddress(store, email))
  return found?.length ? found : decoysFor(primitives, config.secrets[0] ?? '', email)
}

async function credentialsOf(config: ResolvedConfig, userId: string): Promise<UserCredential[]> {
  const authenticators = await passkeyStore(config).listAuthenticatorsByUserId(userId)
  return authenticators.flatMap(({ credentialID, transports }) => {
    const id = fromStored(credentialID)
    return id
      ? { id: toBase64Url(id), transports: transports?.split(',').filter(Boolean) ?? [] }
      : []
  })
}

/** The name that a visitor who is not signed in enters. */
interface Visitor {
  readonly signUp: SignUpRequest
  /** Known only where the application looks people up itself. */
  readonly userId: string | null
}

async function visitorOf(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): Promise<Visitor | null> {
  if (provider.getUserInfo) {
    const context = toContext(config, request, provider)
    const info = await provider.getUserInfo(context, toProviderRequest(request))
    const email = info?.user.email
    if (!info || typeof email !== 'string') return null
    if (info.exists) return { signUp: { email, name: null, exists: 1 }, userId: info.user.id }
    const address = readAddress(email)
    return address === null
      ? null
      : { signUp: { email: address, name: info.user.name ?? null, exists: 0 }, userId: null }
  }
  const email = parseEnteredAddress(request.query['email'])
  return email === null ? null : { signUp: { email, name: null, exists: 0 }, userId: null }
}

async function optionsResponse(
  config: ResolvedConfig,
  request: Incoming,
  options: object,
  requested: Omit<Challenge, 'browser'>,
): Promise<Outgoing> {
  const now = config.ports.now()
  const { value: browser = null, cookies: marking } = await browserBinding(config, request)
  const challenge = { ...requested, browser }
  const cookie = request.cookieOptions.webauthnChallenge
  const { name, value } = await sealChallenge(challenge, {
    cookieName: cookie.name,
    sealer: config.sealerFor(cookie.name),
    now,
  })
  return json({ action: challenge.action, options }, 200, [
    ...marking,
    setCookie({ ...cookie, name }, value, {
      maxAge: CHALLENGE_MAX_AGE,
      expires: new Date(now + CHALLENGE_MAX_AGE * 1000),
    }),
  ])
}
