import {
  providerFetch as engineFetch,
  listAccounts as engineList,
  getAccessToken as engineToken,
  unlinkAccount as engineUnlink,
  keepingCookies,
} from '@siteauth/core/endpoints'
import type { SetCookie } from '@siteauth/core/integration'
import type {
  AccessToken,
  AccessTokenWish,
  ListedAccount,
  NamedAccount,
  UnlinkedAccount,
  UnlinkWish,
} from '@siteauth/core/types'
import type { Settings } from '../config/settings.ts'
import { storeCookies } from '../current-request.ts'
import { currentCall, type EngineCall } from './call-engine.ts'

/** An access token of the visitor of the current request. */
export async function getAccessToken(
  settings: Settings,
  provider: string,
  wish?: AccessTokenWish,
): Promise<AccessToken> {
  const call = await currentCall(settings)
  const { config, incoming } = call
  const { body } = await callAnywhere(call, means =>
    engineToken(config, incoming, provider, wish, means),
  )
  return body
}

/** Asks a provider's API on behalf of the visitor of the current request. */
export async function providerFetch(
  settings: Settings,
  provider: string,
  url: string | URL,
  init?: RequestInit,
  wish?: AccessTokenWish,
): Promise<Response> {
  const call = await currentCall(settings)
  const { config, incoming } = call
  const { response } = await callAnywhere(call, means =>
    engineFetch(config, incoming, { provider, url, init, wish }, means),
  )
  return response
}

/** The accounts of the visitor of the current request. */
export async function listAccounts(settings: Settings): Promise<readonly ListedAccount[]> {
  const { config, incoming } = await currentCall(settings)
  return engineList(config, incoming)
}

/** Removes one of them. */
export async function unlinkAccount(
  settings: Settings,
  account: NamedAccount,
  wish?: UnlinkWish,
): Promise<UnlinkedAccount> {
  const call = await currentCall(settings)
  const { config, incoming } = call
  const { body } = await callAnywhere(call, () => engineUnlink(config, incoming, account, wish))
  return body
}

/** Calls the engine, which is told whether cookies can be set: not while a page is rendered. */
function callAnywhere<Answer extends { readonly cookies: readonly SetCookie[] }>(
  { current }: EngineCall,
  call: (means: { readonly canSetCookies: boolean }) => Promise<Answer>,
): Promise<Answer> {
  return keepingCookies(
    () => call({ canSetCookies: current.writable }),
    cookies => {
      if (current.writable) storeCookies(current, cookies)
    },
  )
}
