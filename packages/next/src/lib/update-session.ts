import { ownCall, ownRequest } from './own-call.ts'
import type { Settings } from './settings.ts'

/** Hands changes to the application's callbacks, and answers the session that they make of them. */
export async function updateSession(settings: Settings, changes: unknown): Promise<unknown> {
  const own = await ownRequest(settings)
  const answer = await ownCall(own, 'unstable_update()', 'session', { data: changes })
  if (answer.kind !== 'json') throw new TypeError('POST session must answer a session')
  return answer.body
}
