import { rotate } from '@siteauth/core/endpoints'
import { callEngine, currentCall } from './call-engine.ts'
import type { Settings } from './settings.ts'

/** Gives the session a new token, and answers the session. */
export async function rotateSession(settings: Settings): Promise<unknown> {
  const { body } = await callEngine(await currentCall(settings), 'rotate()', rotate)
  return body
}
