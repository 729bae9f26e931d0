import { endOtherSessions, endSession, listSessions } from '@siteauth/core/endpoints'
import type { ListedSession } from '@siteauth/core/types'
import { callEngine, currentCall } from './call-engine.ts'
import type { Settings } from './settings.ts'

/** The sessions of the visitor of the current request. */
export async function listOwnSessions(settings: Settings): Promise<readonly ListedSession[]> {
  const { config, incoming } = await currentCall(settings)
  return listSessions(config, incoming)
}

/** Ends one of them. Answers whether it was there. */
export async function endOwnSession(settings: Settings, handle: string): Promise<boolean> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'endSession()', (config, incoming) =>
    endSession(config, incoming, handle),
  )
  return body.ended
}

/** Ends all but the one that the visitor uses. Answers whether anybody is signed in. */
export async function endOtherOwnSessions(settings: Settings): Promise<boolean> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'endOtherSessions()', endOtherSessions)
  return body.ended
}
