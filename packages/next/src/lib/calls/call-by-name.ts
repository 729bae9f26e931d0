import { CALLS, type CallName, isUserCall } from '@siteauth/core/internal'
import { requireConfig } from '@siteauth/core/internal/config'
import { runCall, runUserCall, wantsRedirect } from '@siteauth/core/internal/endpoints'
import type { Settings } from '../config/settings.ts'
import { redirection } from '../current-request.ts'
import { currentCall } from './current-call.ts'
import { type SignInArguments, withDestination } from './sign-in.ts'

/** The calls that Next has. Sessions are read by `auth`. */
export type NextCallName = Exclude<CallName, 'getSession'>

/**
 * Makes a call of the library for the current request. A call whose result is a URL ends with a redirect there, unless its
 * option `redirect` is false.
 */
export async function callByName(
  settings: Settings,
  name: NextCallName,
  args: readonly unknown[],
): Promise<unknown> {
  if (isUserCall(name)) {
    const loader = await settings.of({})
    return runUserCall(name, requireConfig(await loader.complete()), args)
  }
  const call = await currentCall(settings, name === 'update' ? 'unstable_update' : name)
  const given = name === 'signIn' ? withDestination(args as SignInArguments) : args // as the list declares
  const value = await runCall(name, call, given)
  const options = name === 'signIn' ? given[1] : given[0]
  if (CALLS[name].result === 'url' && wantsRedirect(options)) {
    throw redirection(call.current, String(value))
  }
  return value
}
