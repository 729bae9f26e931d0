import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { json, type Outgoing } from '../../http/response.ts'
import type { PublicProvider } from '../../providers/provider.ts'
import { lastProvider } from '../cookies/last-provider.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'

/** `GET providers` */
export async function providersEndpoint(
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
