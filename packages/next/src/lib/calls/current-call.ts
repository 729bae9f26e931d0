import { requireConfig } from '@siteauth/core/internal/config'
import { type CallContext, receiveCall } from '@siteauth/core/internal/endpoints'
import type { Settings } from '../config/settings.ts'
import {
  type CurrentRequest,
  cookieHeader,
  currentAddress,
  currentRequest,
  storeCookies,
} from '../current-request.ts'
import { withoutRsc } from '../without-rsc.ts'

/** The request that a component, an action or a route handler answers, as calls take it. */
export interface CurrentCall extends CallContext {
  readonly current: CurrentRequest
}

/**
 * Finds that request. Throws if the configuration is faulty, or the host is not trusted.
 *
 * @param called the function that the application calls, for messages
 */
export async function currentCall(settings: Settings, called: string): Promise<CurrentCall> {
  const current = await currentRequest()
  const loader = await settings.of(current.headers)
  const config = requireConfig(await loader.complete())
  const { protocol, host } = currentAddress(current, config)
  const headers = new Headers(current.headers)
  headers.set('cookie', cookieHeader(current))
  const referer = headers.get('referer')
  if (referer && URL.canParse(referer)) headers.set('referer', withoutRsc(new URL(referer)).href)
  return {
    current,
    config,
    incoming: receiveCall(config, { headers, protocol, host }),
    noCookiesReason: current.writable ? undefined : whileRendering(called),
    setCookies(cookies) {
      try {
        storeCookies(current, cookies)
      } catch (cause) {
        // The jar was sealed meanwhile, as it is after an action.
        throw new TypeError(`${called} sets a cookie. ${whileRendering(called)}`, { cause })
      }
    },
  }
}

function whileRendering(called: string): string {
  return (
    `Next does not allow that while a page is being rendered. Call ${called}() in a server action, such as that of a form, ` +
    'or in a route handler. To send visitors to the sign-in page while rendering, call signIn() without a provider.'
  )
}
