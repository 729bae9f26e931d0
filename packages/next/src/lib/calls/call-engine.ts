import { demandConfig, type Incoming, keepingCookies, receiveCall } from '@siteauth/core/endpoints'
import type { ResolvedConfig, SetCookie } from '@siteauth/core/integration'
import type { Settings } from '../config/settings.ts'
import {
  type CurrentRequest,
  cookieHeader,
  currentAddress,
  currentRequest,
  storeCookies,
} from '../current-request.ts'
import { withoutRsc } from '../without-rsc.ts'

/** The request that an action or a route handler answers, as the engine takes it. */
export interface EngineCall {
  readonly current: CurrentRequest
  readonly config: ResolvedConfig
  readonly incoming: Incoming
}

/** Finds that request. Throws where the configuration is faulty, or the host is not trusted. */
export async function currentCall(settings: Settings): Promise<EngineCall> {
  const current = await currentRequest()
  const loader = await settings.of(current.headers)
  const config = demandConfig(await loader.complete())
  const { protocol, host } = currentAddress(current, config)
  const headers = new Headers(current.headers)
  headers.set('cookie', cookieHeader(current))
  const referer = headers.get('referer')
  if (referer && URL.canParse(referer)) headers.set('referer', withoutRsc(new URL(referer)).href)
  return { current, config, incoming: receiveCall(config, { headers, protocol, host }) }
}

/**
 * Calls the engine and sets the cookies that it answers with. Throws on failure.
 *
 * @param called what the application has called, in its words
 */
export async function callEngine<Answer extends { readonly cookies: readonly SetCookie[] }>(
  { current, config, incoming }: EngineCall,
  called: string,
  call: (config: ResolvedConfig, incoming: Incoming) => Promise<Answer>,
): Promise<Answer> {
  // Before anything is done that could not be told to the browser.
  if (!current.writable) throw notWhileRendering(called)
  const store = (cookies: readonly SetCookie[]) => {
    try {
      storeCookies(current, cookies)
    } catch (cause) {
      throw notWhileRendering(called, cause)
    }
  }
  return keepingCookies(() => call(config, incoming), store)
}

function notWhileRendering(called: string, cause?: unknown): Error {
  return new Error(
    `${called} cannot be called while a page is being rendered: Next does not allow setting cookies then. Call it in a ` +
      "server action, such as a form's, or in a route handler. To send people to the sign-in page " +
      'while rendering, call signIn() without a provider.',
    { cause },
  )
}
