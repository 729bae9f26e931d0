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
import { tellSignOut } from './after-provider-sign-out.ts'
import { reportUnreachable } from './log-unreachable.ts'

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
    if (!isNews) return rejected
  } catch (cause) {
    config.logger.error(failure(provider, 'could not be carried out', cause))
    return later
  }
  await tellSignOut(config, provider, notice)
  return taken
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
