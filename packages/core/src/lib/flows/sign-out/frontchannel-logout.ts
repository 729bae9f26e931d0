import { SignOutError } from '../../base/errors.ts'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { frame, json, type Outgoing } from '../../http/response.ts'
import { sessionKeys } from '../../oauth/logout/session-keys.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { parseUrl } from '../../oauth/secure-url.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import type { Incoming } from '../request/incoming.ts'
import { reportUnreachable } from './log-unreachable.ts'
import { spendNotice } from './notice-budget.ts'

/** `GET frontchannel-logout`: a page of the provider, in the browser of a user who signs out there. */
export async function endInFrame(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<Outgoing> {
  const { revokeByProvider, ports } = config
  if (!configured.frontChannelLogout || !revokeByProvider) return notHere
  const provider = oauthRuntime(config).resolve(configured)
  const { iss, sid } = request.query
  if (!iss || !sid || sid.length > MAX_NAME_LENGTH) return rejected
  const now = ports.now()
  const message = `Whoever has signed out at ${JSON.stringify(provider.id)} may be signed in here.`
  try {
    if (!(await isIssuer(config, provider, iss))) return rejected
  } catch (cause) {
    reportUnreachable(config, provider, new SignOutError(message, { cause }))
    return later
  }
  if (!spendNotice(config, 'front', configured.id, MAX_PER_MINUTE)) return tooMany
  try {
    // It comes in a frame of another site, without a cookie. The key identifies the session.
    const keys = await sessionKeys(provider.client.client_id, { issuer: iss, sid })
    const issuedUpTo = Math.floor(now / 1000) + CLOCK_TOLERANCE // by the provider's clock
    await revokeByProvider({ keys: Object.values(keys), issuedUpTo })
  } catch (cause) {
    config.logger.error(new SignOutError(message, { cause }))
    return later
  }
  const { events } = config
  await events.providerSignOut?.({ provider: provider.id, channel: 'front', user: null, sid })
  return frame(parseUrl(iss)?.origin ?? "'none'")
}

const rejected = json({ error: 'invalid_request' }, 400)
const notHere = json({ error: 'invalid_request' }, 404)
const tooMany = json({ error: 'temporarily_unavailable' }, 429)
const later = json({ error: 'temporarily_unavailable' }, 503)

const MAX_NAME_LENGTH = 1000

async function isIssuer(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  iss: string,
): Promise<boolean> {
  const { metadata } = await oauthRuntime(config).servers.serverFor(provider)
  // Which one it is depends on who signed in. No session has the key of one that was made up.
  const { discovery } = provider
  if (discovery?.origin !== undefined) return parseUrl(iss)?.origin === discovery.origin
  return iss === metadata.issuer
}

/** Nothing proves who asks, and each time takes a row in the store. In a minute, a process, and by provider. */
const MAX_PER_MINUTE = 100
