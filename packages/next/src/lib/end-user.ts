import { demandConfig, endUser as endUserOf } from '@siteauth/core/endpoints'
import type { Settings } from './settings.ts'

/** Signs a user out everywhere. */
export async function endUser(settings: Settings, userId: string): Promise<void> {
  const loader = await settings.of({})
  await endUserOf(demandConfig(await loader.complete()), userId)
}
