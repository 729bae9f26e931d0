import { SignOutError } from '../../base/errors.ts'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { json, type Outgoing } from '../../http/response.ts'
import { noticeKey, sessionKeys } from '../../oauth/logout/session-keys.ts'
import {
  type LogoutNotice,
  readLogoutToken,
  type UnprovenNotice,
  verifyLogoutToken,
} from '../../oauth/logout/verify-logout-token.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import type { Server } from '../../oauth/provider/server.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import type { Incoming } from '../request/incoming.ts'
import { accountOfNotice, tellSignOut } from './after-provider-sign-out.ts'
import { reportUnreachable } from './log-unreachable.ts'
import { refundNotice, spendNotice } from './notice-budget.ts'

/** `POST backchannel-logout`: the server of a provider reports that a user has signed out there. */
export async function endByNotice(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<Outgoing> {
  const { revokeByProvider } = config
  if (!configured.backChannelLogout || !revokeByProvider) return notHere
  const [token, ...others] = request.form.getAll('logout_token')
  if (!token || others.length > 0) return rejected
  const provider = oauthRuntime(config).resolve(configured)
  const unproven = readNotice(config, token, provider)
  if (!unproven) return rejected
  const server = await reachServer(config, provider, unproven)
  if (!server) return later
  const notice = await proveNotice(config, unproven, provider, server)
  if (!notice) return rejected
  const isCounted = spendNotice(config, 'back', provider.id, MAX_PER_MINUTE)
  if (!isCounted && !(await isKnownUser(config, provider, notice))) return later
  const { client_id } = provider.client
  try {
    const isNews = await revokeByProvider({
      keys: await keysOf(client_id, notice),
      issuedUpTo: notice.issuedAt,
      once: {
        key: await noticeKey(client_id, notice.issuer, notice.jti),
        until: new Date((notice.expiresAt + CLOCK_TOLERANCE) * 1000),
      },
    })
    if (!isNews) {
      // It takes no row. Otherwise an attacker who has one notice could send it until the budget is used up.
      if (isCounted) refundNotice(config, 'back', provider.id)
      return rejected
    }
  } catch (cause) {
    if (isCounted) refundNotice(config, 'back', provider.id)
    config.logger.error(failure(provider, 'could not be carried out', cause))
    return later
  }
  const isKnown = await tellSignOut(config, provider, notice)
  if (isKnown && isCounted) refundNotice(config, 'back', provider.id)
  return taken
}

/**
 * Each notice takes rows in the store for as long as a session can last, and a provider can sign any number of them.
 * Those about users with an account here do not count. Whether there is a session for any other notice cannot be told,
 * because sessions are not found by the names that providers have for them: so it is more than a provider sends that
 * ends the sessions of all its users. In a minute, a process, and by provider.
 */
const MAX_PER_MINUTE = 6000

/** Whether the user of a notice has an account here. If not, the log says once a minute why it is not recorded. */
async function isKnownUser(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  notice: LogoutNotice,
): Promise<boolean> {
  // A store that fails here fails as well where the notice would be recorded.
  const account = await accountOfNotice(config, provider, notice).catch(() => null)
  if (account) return true
  const cause = new Error(
    `more than ${MAX_PER_MINUTE} have come within a minute about users who have no account here`,
  )
  reportUnreachable(config, provider, failure(provider, 'was answered with status 503', cause))
  return false
}

// OpenID Connect Back-Channel Logout §2.8. Anyone can send one: the response reveals no more.
const taken = json({}, 200)
const rejected = json({ error: 'invalid_request' }, 400)
const notHere = json({ error: 'invalid_request' }, 404)
/** Providers that try again do so then. */
const later = json({ error: 'temporarily_unavailable' }, 503)

/**
 * §2.7: with a `sid` it is that session, of any user. Sessions of the same person that do not know which one they
 * came from may be it.
 */
async function keysOf(clientId: string, notice: LogoutNotice): Promise<readonly string[]> {
  const { issuer, sid, sub } = notice
  const named = await sessionKeys(clientId, { issuer, sid, sub })
  const unnamed = sid === undefined ? {} : await sessionKeys(clientId, { issuer, sub })
  const keys = sid === undefined ? [named.sub] : [named.sid, unnamed.sid]
  return keys.filter(key => key !== undefined)
}

/** The server with its keys in memory. A notice cannot be checked without them. */
async function reachServer(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { alg }: UnprovenNotice,
): Promise<Server | null> {
  try {
    const server = await oauthRuntime(config).servers.serverFor(provider)
    const isBySecret = typeof alg === 'string' && alg.startsWith('HS')
    if (!isBySecret) await server.keys.get('logout token')
    return server
  } catch (cause) {
    // Anyone can have this looked into, as often as they like.
    reportUnreachable(config, provider, failure(provider, 'could not be checked', cause))
    return null
  }
}

function readNotice(
  config: ResolvedConfig,
  token: string,
  provider: ResolvedOAuthProvider,
): UnprovenNotice | null {
  try {
    return readLogoutToken(token, provider.client.client_id, config.ports.now())
  } catch (error) {
    return logRejection(config, provider, error)
  }
}

async function proveNotice(
  config: ResolvedConfig,
  unproven: UnprovenNotice,
  provider: ResolvedOAuthProvider,
  server: Server,
): Promise<LogoutNotice | null> {
  try {
    return await verifyLogoutToken(provider, unproven, server, config.ports.now())
  } catch (error) {
    return logRejection(config, provider, error)
  }
}

/** Anyone can send such requests, as often as they like: no reason to fill the log. */
function logRejection(
  { logger }: ResolvedConfig,
  { id }: ResolvedOAuthProvider,
  error: unknown,
): null {
  logger.debug(`back-channel logout: refused: ${messageOf(error)}`, { provider: id })
  return null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason'
}

function failure({ id }: ResolvedOAuthProvider, what: string, cause: unknown): SignOutError {
  const message = `The notice of ${JSON.stringify(id)} that somebody has signed out ${what}.`
  return new SignOutError(message, { cause })
}
