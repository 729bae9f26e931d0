import { endUser as endUserOf, usable } from '@siteauth/core/endpoints'
import type { Settings } from './settings.ts'

/** Signs a user out everywhere. */
export async function endUser(settings: Settings, userId: string): Promise<void> {
  const setup = await settings.of({})
  await endUserOf(usable(await setup.complete()), userId)
}
