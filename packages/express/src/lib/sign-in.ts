import type { ServerResponse } from 'node:http'
import { demandConfig } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { ServerRequest } from './express.ts'
import { ownCall } from './own-call.ts'
import { ownOrigin } from './own-origin.ts'
import { destination, ownReferer, signInPage, withReturn } from './sign-in-page.ts'
import { toRequest } from './to-request.ts'
import { writeRedirect } from './write-response.ts'

/** How somebody signs in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: do not answer, only set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** Where to go then, a path. Defaults to the page that the visitor is on. */
  redirectTo?: string | undefined
}

/** Further parameters for the authorization request of an OAuth provider. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/**
 * Signs somebody in from a handler of the application: sends the visitor to a provider, or to the
 * sign-in page if none is named. With credentials, who the visitor is known at once. Resolves with the
 * URL that the visitor is sent to. Throws an `AuthError` where the sign-in fails.
 *
 * @example
 * ```ts
 * import { AuthError, type ExpressAuthConfig, signIn } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function login(req: Request, res: Response): Promise<void> {
 *   try {
 *     const { name, password } = req.body
 *     await signIn(req, res, config, 'credentials', { name, password, redirectTo: '/account' })
 *   } catch (error) {
 *     if (!(error instanceof AuthError)) throw error
 *     res.status(401).send('Who are you?')
 *   }
 * }
 * ```
 */
export async function signIn<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  provider?: string,
  options: SignInOptions | FormData = {},
  authorizationParams?: AuthorizationParams,
): Promise<string> {
  const { redirect = true, redirectTo, ...fields } = asFields(options)
  const known = applicationOf(config)
  const resolved = demandConfig(known.resolved)
  const { providers, pages } = resolved
  const said = fields['callbackUrl'] ?? ownReferer(req, ownOrigin(resolved, toRequest(req, '/')))
  const callbackUrl = destination(resolved, redirectTo, said)
  const type = providers.get(provider ?? '')?.type
  if (type !== 'credentials' && (type || !pages.signIn)) relyOnPath(known, config)
  let to: string
  if (!provider || !type || type === 'webauthn') {
    to = withReturn(signInPage(resolved), String(callbackUrl))
  } else {
    const query = new URLSearchParams(authorizationParams).toString()
    const path = `${type === 'credentials' ? 'callback' : 'signin'}/${encodeURIComponent(provider)}`
    const target = query ? `${path}?${query}` : path
    to = await ownCall(req, res, resolved, target, { ...fields, callbackUrl })
  }
  if (redirect) writeRedirect(res, to)
  return to
}

function asFields(options: SignInOptions | FormData): SignInOptions {
  if (!(options instanceof FormData)) return options
  const fields: Record<string, unknown> = Object.fromEntries(options)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}
