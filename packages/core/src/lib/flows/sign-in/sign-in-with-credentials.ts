import { CallbackRouteError, CredentialsSignin } from '../../base/errors.ts'
import type { Account, User } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { uuidFrom } from '../../crypto/random.ts'
import type { OutgoingRedirect } from '../../http/response.ts'
import type { CredentialsConfig } from '../../providers/credentials.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { namedAccounts, provenName } from '../provider/credential-names.ts'
import type { Incoming } from '../request/incoming.ts'
import { repeatRequest } from '../request/incoming.ts'
import { authorizeSignIn } from './authorize-sign-in.ts'
import { asCallbackError } from './callback-error.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { CLOCKS_APART, startAttempt } from './sign-in-attempt.ts'

/** `POST callback` of a credentials provider */
export async function signInWithCredentials(
  config: ResolvedConfig,
  request: Incoming,
  provider: CredentialsConfig,
): Promise<OutgoingRedirect> {
  const began = config.ports.now()
  try {
    const signingIn = await startAttempt(config)
    const credentials = { ...request.body }
    const attempt = await requireAttempt(config, request, {
      kind: 'credentials',
      provider: provider.id,
      accounts: namedAccounts(provider, request.body),
    })
    const found = await provider.authorize(credentials, repeatRequest(request))
    if (!found) throw new CredentialsSignin('authorize returned no user.')
    if (typeof found !== 'object' || Array.isArray(found)) {
      // Such as the rows of a query, an object even if there are none.
      throw new TypeError('authorize must return a user, which is an object, or null.')
    }
    if (provenName(provider, request.body)) await attempt.succeeded()
    const user = withStringId(config, found)
    const account: Account = {
      providerAccountId: user.id,
      type: 'credentials',
      provider: provider.id,
    }
    const authorization = await authorizeSignIn(config, request, { user, account, credentials })
    if (authorization.redirect) return authorization.redirect
    await requireStoredUser(config, request, provider, user.id)
    const approved = authorization.approve({
      user,
      account,
      attempt: signingIn,
      isNewUser: false,
      async stillHolds() {
        if (!(await mayHaveBeenClaimed(config, user.id, began))) return true
        const again = await provider.authorize({ ...request.body }, repeatRequest(request))
        return again?.id === found.id
      },
    })
    return await completeSignIn(config, request, approved)
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

/** A session in a database belongs to a user who exists as well; otherwise it is rejected, or belongs to no one. */
async function requireStoredUser(
  { adapter }: ResolvedConfig,
  { sessions }: Incoming,
  provider: CredentialsConfig,
  userId: string,
): Promise<void> {
  if (!sessions.needsStoredUser || (await adapter?.getUser?.(userId))) return
  throw new CallbackRouteError(
    `authorize of "${provider.id}" returned a user whose id the adapter does not know. Sessions in the ` +
      'database need a stored user: return one that adapter.getUserByEmail found or adapter.createUser ' +
      'made. Or set session.strategy to "jwt".',
    { provider: provider.id },
  )
}

/**
 * Whether another person may have proved a user's address while someone signed in with a password. The application
 * has then removed that password, and is called again.
 */
async function mayHaveBeenClaimed(config: ResolvedConfig, userId: string, began: number) {
  if (!config.endUser || !config.adapter?.listAccounts) return false
  const proved = (await config.adapter.getUser?.(userId))?.emailVerified
  return proved instanceof Date && proved.getTime() > began - CLOCKS_APART
}

function withStringId({ ports }: ResolvedConfig, user: User): User & { id: string } {
  if (typeof user.id === 'string') return user as User & { id: string } // just checked
  const id: unknown = user.id
  return { ...user, id: id == null ? uuidFrom(ports.randomHex(16)) : String(id) }
}
