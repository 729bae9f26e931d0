import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { receivedLimits } from '../../principal/end-received-sessions.ts'
import type { SessionLimits } from '../../session/lifetime.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * The limits of a session that a user signs in to.
 *
 * @param requested whether it is to be remembered, if the visitor chose
 * @param cap when it ends at the latest, in milliseconds
 */
export async function decideSessionLimits(
  config: ResolvedConfig,
  request: Incoming,
  requested: boolean | undefined,
  cap?: number,
): Promise<SessionLimits> {
  const isRemembered = requested ?? (await isUsuallyRemembered(config, request))
  return { cap, ...(!isRemembered && { tmp: true }) }
}

/** The value of the field `remember` of a form; undefined if the form does not have it. */
export function saysRemember({ remember }: Incoming['body']): boolean | undefined {
  if (['true', 'on', '1'].includes(String(remember))) return true
  return ['false', 'off', '0'].includes(String(remember)) ? false : undefined
}

/** Adding an account does not make a temporary session permanent. */
async function isUsuallyRemembered(config: ResolvedConfig, request: Incoming): Promise<boolean> {
  return config.remember === true && !(await receivedLimits(request)).tmp
}
