import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { asset, json, type Outgoing } from '../../http/response.ts'
import { findAsset } from '../../pages/shared/assets.ts'
import type { Incoming } from '../request/incoming.ts'

/** `GET assets`: the files that the built-in pages load. */
export async function serveAsset(_config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const file = request.url.pathname.slice(request.url.pathname.lastIndexOf('/') + 1)
  const found = await findAsset(file)
  // A page of another version may ask for its own script. That it gets none does it no harm.
  return found
    ? asset(found.text, 'text/javascript; charset=utf-8')
    : json({ message: 'Not found.' }, 404)
}
