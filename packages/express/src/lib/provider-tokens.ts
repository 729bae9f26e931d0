import type { ServerResponse } from 'node:http'
import {
  demandConfig,
  providerFetch as fetchBy,
  listAccounts as listBy,
  getAccessToken as tokenBy,
  unlinkAccount as unlinkBy,
} from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import { isTooLate } from '@siteauth/core/node'
import type {
  AccessToken,
  AccessTokenWish,
  ListedAccount,
  NamedAccount,
  Session,
  UnlinkedAccount,
  UnlinkWish,
} from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine, receiveFrom } from './call-engine.ts'
import type { ServerRequest } from './express.ts'

/**
 * An access token of whoever is signed in, to call a provider's API with. Refreshes it first if it has
 * expired, or is about to: once, however many ask, also in several processes. Rejects with an
 * `AccessTokenError` if there is none; `code` says why. Signs nobody out.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, getAccessToken } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function events(req: Request, res: Response): Promise<void> {
 *   const { accessToken } = await getAccessToken(req, res, config, 'google')
 *   const headers = { authorization: `Bearer ${accessToken}` }
 *   const url = 'https://www.googleapis.com/calendar/v3/calendars/primary/events'
 *   res.json(await (await fetch(url, { headers })).json())
 * }
 * ```
 */
export async function getAccessToken<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  provider: string,
  wish?: AccessTokenWish,
): Promise<AccessToken> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming =>
    tokenBy(resolved, incoming, provider, wish, { canSetCookies: !isTooLate(res) }),
  )
  return body
}

/**
 * Asks a provider's API on behalf of whoever is signed in: adds the access token, and if the provider refuses
 * that with 401, gets another and asks once more. The URL must be your own choice: whoever answers there gets
 * the token.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, providerFetch } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function repositories(req: Request, res: Response): Promise<void> {
 *   const url = 'https://api.github.com/user/repos'
 *   const response = await providerFetch(req, res, config, { provider: 'github', url })
 *   res.status(response.status).json(await response.json())
 * }
 * ```
 */
export async function providerFetch<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  request: {
    readonly provider: string
    readonly url: string | URL
    readonly init?: RequestInit | undefined
    readonly wish?: AccessTokenWish | undefined
  },
): Promise<Response> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { response } = await callEngine(req, res, resolved, incoming =>
    fetchBy(resolved, incoming, request, { canSetCookies: !isTooLate(res) }),
  )
  return response
}

/**
 * The accounts of whoever is signed in, without their tokens: at which provider, with which scopes, and
 * whether the person has to sign in with it again. Empty where nobody is signed in, or nothing is stored.
 */
export async function listAccounts<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<readonly ListedAccount[]> {
  const resolved = demandConfig(applicationOf(config).resolved)
  return listBy(resolved, receiveFrom(req, resolved))
}

/**
 * Removes an account from whoever is signed in, unless they could not sign in without it. One of somebody else
 * is as unknown as one that does not exist.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, unlinkAccount } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function disconnect(req: Request, res: Response): Promise<void> {
 *   const account = { provider: 'google', accountId: String(req.body.accountId) }
 *   const { unlinked } = await unlinkAccount(req, res, config, account)
 *   res.redirect(303, unlinked ? '/account' : '/account?last')
 * }
 * ```
 */
export async function unlinkAccount<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  account: NamedAccount,
  wish?: UnlinkWish,
): Promise<UnlinkedAccount> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming =>
    unlinkBy(resolved, incoming, account, wish),
  )
  return body
}
