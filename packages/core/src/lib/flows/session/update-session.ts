import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { changeSignal } from '../../http/fixed-cookies.ts'
import { json, type OutgoingJson } from '../../http/response.ts'
import { updateReceivedSession } from '../../principal/change-session.ts'
import type { Incoming } from '../request/incoming.ts'

/** `POST session`: hands what the visitor sent to the application's callbacks. */
export async function updateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingJson> {
  const changed = await updateReceivedSession(config, request, request.body['data'])
  if (!changed) return json(null)
  const marker = changeSignal(request.cookieOptions.sessionToken, config.ports.randomHex)
  return json(changed.session, 200, [...changed.cookies, marker])
}
