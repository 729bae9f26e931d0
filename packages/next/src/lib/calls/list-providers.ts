import { listProviders as engineList } from '@siteauth/core/endpoints'
import type { PublicProvider } from '@siteauth/core/types'
import type { Settings } from '../config/settings.ts'
import { currentCall } from './call-engine.ts'

/** The ways to sign in, for the visitor of the current request. */
export async function listProviders(settings: Settings): Promise<readonly PublicProvider[]> {
  const { config, incoming } = await currentCall(settings)
  return engineList(config, incoming)
}
