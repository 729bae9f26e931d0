import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { SetCookie } from '../http/cookies.ts'
import type { Incoming } from '../http/incoming.ts'
import { checkSession } from './read-session.ts'

/** Someone who is signed in, as they know themselves. */
export interface Here {
  readonly person: string | undefined
}

/** Who is signed in already, where someone is about to sign in. */
export async function whoIsHere(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly here: Here | null; readonly cookies: readonly SetCookie[] }> {
  const site = siteOf(config, request.origin)
  try {
    // The `jwt` callback may have replaced something that cannot be used twice: the cookie must know.
    const header = request.headers.get('cookie')
    const { session, cookies } = await checkSession(config, site, header, true)
    const { email, name } = session?.user ?? {}
    return { here: session && { person: email || name || undefined }, cookies }
  } catch (error) {
    // If we cannot tell who it is, they can still sign in.
    if (error instanceof Error) config.logger.error(error)
    return { here: null, cookies: [] }
  }
}
