import { SignOutError } from '../base/errors.ts'
import type { Profile } from '../base/model.ts'
import { CLOCK_TOLERANCE } from '../base/ports.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import type { ResolvedOAuthProvider } from '../oauth/resolve-provider.ts'
import type { Server } from '../oauth/server.ts'
import { noticeKey, sessionKeys } from '../oauth/session-keys.ts'
import { type LogoutNotice, verifyLogoutToken } from '../oauth/verify-logout-token.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { Incoming } from '../steps/incoming.ts'
import { oauthRuntime } from '../steps/oauth-runtime.ts'

/** `POST backchannel-logout`: the server of a provider says who has signed out there. */
export async function endByNotice(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<Outgoing> {
  const { endProvided } = config
  if (!configured.backChannelLogout || !endProvided) return notHere
  const [token, ...others] = request.form.getAll('logout_token')
  if (!token || others.length > 0) return refused
  const provider = oauthRuntime(config).resolve(configured)
  const server = await reachServer(config, provider)
  if (!server) return later
  const notice = await readNotice(config, token, provider, server)
  if (!notice) return refused
  const { client_id } = provider.client
  try {
    const isNews = await endProvided({
      keys: await keysOf(client_id, notice),
      issuedUpTo: notice.issuedAt,
      once: {
        key: await noticeKey(client_id, notice.issuer, notice.jti),
        until: new Date((notice.expiresAt + CLOCK_TOLERANCE) * 1000),
      },
    })
    return isNews ? taken : refused
  } catch (cause) {
    report(config, provider, 'could not be carried out', cause)
    return later
  }
}

// OpenID Connect Back-Channel Logout §2.8. Anyone can send something: they are told no more.
const taken = json({}, 200)
const refused = json({ error: 'invalid_request' }, 400)
const notHere = json({ error: 'invalid_request' }, 404)
/** Providers that try again do so then. */
const later = json({ error: 'temporarily_unavailable' }, 503)

/** §2.7: with a `sid` it is that session and no other, whoever it is of. */
async function keysOf(clientId: string, notice: LogoutNotice): Promise<readonly string[]> {
  const { sid, sub } = await sessionKeys(clientId, notice)
  return [sid ?? sub].filter(key => key !== undefined)
}

/** The server with its keys at hand. Without them nothing can be said about a notice. */
async function reachServer(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
): Promise<Server | null> {
  try {
    const server = await oauthRuntime(config).servers.serverFor(provider)
    const isBySecret = provider.client.id_token_signed_response_alg?.startsWith('HS')
    if (!isBySecret) await server.keys.get()
    return server
  } catch (cause) {
    report(config, provider, 'could not be checked', cause)
    return null
  }
}

async function readNotice(
  config: ResolvedConfig,
  token: string,
  provider: ResolvedOAuthProvider,
  server: Server,
): Promise<LogoutNotice | null> {
  try {
    return await verifyLogoutToken(provider, token, server, config.ports.now())
  } catch (error) {
    // Anyone can send such requests, as often as they like: no reason to fill the log.
    config.logger.debug(`back-channel logout: refused: ${messageOf(error)}`, {
      provider: provider.id,
    })
    return null
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason'
}

function report(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  what: string,
  cause: unknown,
): void {
  const message = `The notice of ${JSON.stringify(provider.id)} that somebody has signed out ${what}.`
  config.logger.error(new SignOutError(message, { cause }))
}
