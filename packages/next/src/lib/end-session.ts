import { signOut } from '@siteauth/core/endpoints'
import { callEngine, currentCall } from './call-engine.ts'
import { redirection } from './next-runtime.ts'
import type { Settings } from './settings.ts'

/** How, in the words of `signOut`. */
interface Options {
  readonly redirect?: boolean | undefined
  readonly redirectTo?: string | undefined
}

/** Signs the visitor of the current request out, and answers where to go, or goes there. */
export async function endSession(
  settings: Settings,
  { redirect = true, redirectTo }: Options = {},
): Promise<string> {
  const call = await currentCall(settings)
  const { to } = await callEngine(call, 'signOut()', (config, incoming) =>
    signOut(config, incoming, { redirectTo }),
  )
  if (redirect) throw redirection(call.current, to)
  return to
}
