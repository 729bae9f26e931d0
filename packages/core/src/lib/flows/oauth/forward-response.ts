import { InvalidCheck } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { STATE_PURPOSE } from '../../crypto/purposes.ts'
import { type Outgoing, redirect } from '../../http/response.ts'
import { unlistedOrigin } from '../../oauth/authorization/choose-redirect-uri.ts'
import { decideProxyHop } from '../../oauth/authorization/proxy-hop.ts'
import { resolveForwarding } from '../../oauth/provider/redirect-proxy.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { redirectProxyOf } from '../provider/oauth-runtime.ts'
import type { Incoming } from '../request/incoming.ts'

/** Passes an answer on to the deployment that asked for it; null if that is this one. */
export async function forwardResponse(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
  callbackUrl: string,
): Promise<Outgoing | null> {
  const forwarding = resolveForwarding(configured, redirectProxyOf(config))
  if (forwarding instanceof Error) throw forwarding
  const hop = await decideProxyHop(forwarding, {
    parameters: request.url.searchParams,
    callbackUrl,
    sealer: config.sealerFor(STATE_PURPOSE),
    now: config.ports.now(),
  })
  switch (hop.do) {
    case 'forward':
      return redirect(hop.to)
    case 'reject':
      throw new InvalidCheck(hop.reason, { provider: configured.id })
    case 'report':
      throw unlistedOrigin(hop.unlisted)
    case 'handle':
      return null
  }
}
