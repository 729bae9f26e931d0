import type { ResolvedConfig } from '../config/resolved.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import type { PublicProvider } from '../providers/provider.ts'
import type { Incoming } from '../steps/incoming.ts'
import { lastProvider } from '../steps/last-provider.ts'
import { endpointUrl } from '../steps/page-url.ts'

/** `GET providers` */
export async function answerProviders(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const listed = listProviders(config, request)
  return json(Object.fromEntries(listed.map(provider => [provider.id, provider])))
}

/** The providers, in the order of the configuration. */
export function listProviders(
  config: ResolvedConfig,
  request: Incoming,
): readonly PublicProvider[] {
  const last = lastProvider(config, request)
  return [...config.providers.values()].map(({ id, name, type }) => ({
    id,
    name,
    type,
    signinUrl: endpointUrl(config, request.origin, `signin/${encodeURIComponent(id)}`),
    callbackUrl: endpointUrl(config, request.origin, `callback/${encodeURIComponent(id)}`),
    ...(id === last && { lastUsed: true }),
  }))
}
