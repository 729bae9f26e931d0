import type { ServerResponse } from 'node:http'
import { usable } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { ServerRequest } from './express.ts'
import { ownCall } from './own-call.ts'
import { ownOrigin } from './own-origin.ts'
import { relyOnPath, settle } from './resolutions.ts'
import { destination, ownReferer, signInPage, withReturn } from './sign-in-page.ts'
import { toRequest } from './to-request.ts'
import { writeRedirect } from './write-response.ts'

/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: don't respond, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
}

/** More parameters for an OAuth provider's authorization request. */
export type AuthorizationParams = ConstructorParameters<typeof URLSearchParams>[0]

/**
 * Signs someone in from your own handler: sends the visitor to a provider, or to the sign-in page
 * if none is named. With credentials, the visitor is signed in at once. Resolves with the URL the
 * visitor is sent to. Throws an `AuthError` if the sign-in fails.
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
  const known = settle(config)
  const { resolution } = known
  const { providers } = usable(resolution)
  const said =
    fields['callbackUrl'] ?? ownReferer(req, ownOrigin(resolution.frame, toRequest(req, '/')))
  const callbackUrl = destination(resolution.frame, redirectTo, said)
  const type = providers.get(provider ?? '')?.type
  if (type !== 'credentials' && (type || !resolution.frame.pages.signIn)) relyOnPath(known, config)
  let to: string
  if (!provider || !type || type === 'webauthn') {
    to = withReturn(signInPage(resolution.frame), String(callbackUrl))
  } else {
    const query = new URLSearchParams(authorizationParams).toString()
    const path = `${type === 'credentials' ? 'callback' : 'signin'}/${encodeURIComponent(provider)}`
    const target = query ? `${path}?${query}` : path
    to = await ownCall(req, res, resolution, target, { ...fields, callbackUrl })
  }
  if (redirect) writeRedirect(res, to)
  return to
}

function asFields(options: SignInOptions | FormData): SignInOptions {
  if (!(options instanceof FormData)) return options
  const fields: Record<string, unknown> = Object.fromEntries(options)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}
