import type { ResolvedConfig } from '../config/resolved.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import type { PublicProvider } from '../providers/provider.ts'
import type { Incoming } from '../steps/incoming.ts'
import { endpointUrl } from '../steps/page-url.ts'

/** `GET providers` */
export async function listProviders(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const listed = [...config.providers.values()].map(
    ({ id, name, type }): PublicProvider => ({
      id,
      name,
      type,
      signinUrl: endpointUrl(config, request.origin, `signin/${encodeURIComponent(id)}`),
      callbackUrl: endpointUrl(config, request.origin, `callback/${encodeURIComponent(id)}`),
    }),
  )
  return json(Object.fromEntries(listed.map(provider => [provider.id, provider])))
}
