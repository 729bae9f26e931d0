import type { ServerResponse } from 'node:http'
import {
  beginsOnServer,
  demandConfig,
  type Incoming,
  type RedirectAnswer,
  signIn as signInBy,
} from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'
import { writeRedirect } from './write-redirect.ts'

/** How to sign someone in. Everything else goes to the provider: credentials, an address. */
export interface SignInOptions extends Record<string, unknown> {
  /** False: don't respond, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
  /** Whether the visitor stays signed in when the browser is closed. Defaults to `session.remember`. */
  remember?: boolean | undefined
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
  const known = applicationOf(config)
  const resolved = demandConfig(known.resolved)
  const type = resolved.providers.get(provider ?? '')?.type
  if (type !== 'credentials' && (type || !resolved.pages.signIn)) relyOnPath(known, config)
  const wish = { provider, fields, redirectTo, authorizationParams }
  const { to } = await callEngine(req, res, resolved, async incoming => {
    const answer = await signInBy(resolved, incoming, wish)
    return beginsOnServer(resolved, wish) ? answer : asPath(answer, incoming)
  })
  if (redirect) writeRedirect(res, to)
  return to
}

/** Where a proxy hides the host, a path still leads to the sign-in page. */
function asPath(answer: RedirectAnswer, { origin }: Incoming): RedirectAnswer {
  const isOwn = answer.to.startsWith(`${origin}/`)
  return isOwn ? { ...answer, to: answer.to.slice(origin.length) } : answer
}

function asFields(options: SignInOptions | FormData): SignInOptions {
  if (!(options instanceof FormData)) return options
  const fields: Record<string, unknown> = Object.fromEntries(options)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}
