import { update } from '@siteauth/core/endpoints'
import { callEngine, currentCall } from './call-engine.ts'
import type { Settings } from './settings.ts'

/** Hands changes to the application's callbacks, and answers the session that they make of them. */
export async function updateSession(settings: Settings, changes: unknown): Promise<unknown> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'unstable_update()', (config, incoming) =>
    update(config, incoming, changes),
  )
  return body
}
