import { redirection } from './next-runtime.ts'
import { ownCall, ownRequest } from './own-call.ts'
import { returnTo } from './return-to.ts'
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
  const own = await ownRequest(settings)
  const callbackUrl = returnTo(own, redirectTo)
  const answer = await ownCall(own, 'signOut()', 'signout', { callbackUrl })
  if (answer.kind !== 'redirect') throw new TypeError('POST signout must end in a redirect')
  if (redirect) throw redirection(own.current, answer.to)
  return answer.to
}
