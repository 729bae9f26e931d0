import {
  endSession as engineEnd,
  endOtherSessions as engineEndOthers,
  listSessions as engineList,
} from '@siteauth/core/endpoints'
import type { ListedSession } from '@siteauth/core/types'
import type { Settings } from '../config/settings.ts'
import { callEngine, currentCall } from './call-engine.ts'

/** The sessions of the visitor of the current request. */
export async function listSessions(settings: Settings): Promise<readonly ListedSession[]> {
  const { config, incoming } = await currentCall(settings)
  return engineList(config, incoming)
}

/** Ends one of them. Answers whether it was there. */
export async function endSession(settings: Settings, handle: string): Promise<boolean> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'endSession()', (config, incoming) =>
    engineEnd(config, incoming, handle),
  )
  return body.ended
}

/** Ends all but the one that the visitor uses. Answers whether anybody is signed in. */
export async function endOtherSessions(settings: Settings): Promise<boolean> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'endOtherSessions()', engineEndOthers)
  return body.ended
}
