import type { ServerResponse } from 'node:http'
import {
  askForPassword as askBy,
  type ChangedPassword,
  type ChosenPassword,
  changePassword as changeBy,
  choosePassword as chooseBy,
  demandConfig,
  type PasswordLinkWish,
  type RemovedPassword,
  removePassword as removeBy,
} from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'
import { writeRedirect } from './write-redirect.ts'

/** Whether the visitor is sent on. */
interface Responding {
  /** False: don't respond, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
}

/** How somebody asks for a link to choose a password by. */
export type AskForPasswordOptions = PasswordLinkWish & Responding
/** What somebody has chosen behind a link. */
export type ChoosePasswordOptions = ChosenPassword & Responding
/** What somebody changes their password from, and to. */
export type ChangePasswordOptions = ChangedPassword & Responding
/** With what somebody shows that the password is theirs. */
export type RemovePasswordOptions = RemovedPassword & Responding

/**
 * Sends a link to choose a password by, from your own handler. Everybody gets the same answer, known or not.
 * Resolves with the URL that the visitor is sent to.
 *
 * @example
 * ```ts
 * import { askForPassword, type ExpressAuthConfig } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function forgot(req: Request, res: Response): Promise<void> {
 *   await askForPassword(req, res, config, { wish: 'forgot', email: req.body.email })
 * }
 * ```
 */
export async function askForPassword<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  { redirect, ...wish }: AskForPasswordOptions,
): Promise<string> {
  const known = applicationOf(config)
  const resolved = demandConfig(known.resolved)
  relyOnPath(known, config) // the link leads there
  const { to } = await callEngine(req, res, resolved, incoming => askBy(resolved, incoming, wish))
  return answer(res, to, redirect)
}

/**
 * Stores the password that somebody has chosen behind a link, signs them in, and out everywhere else. Throws a
 * `PasswordRefused`, whose `code` says why a password is not taken.
 */
export async function choosePassword<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  { redirect, ...chosen }: ChoosePasswordOptions,
): Promise<string> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { to } = await callEngine(req, res, resolved, incoming =>
    chooseBy(resolved, incoming, chosen),
  )
  return answer(res, to, redirect)
}

/**
 * Replaces the password of whoever is signed in, and signs them out everywhere else. Throws a
 * `PasswordRefused`, whose `code` says why a password is not taken.
 *
 * @example
 * ```ts
 * import { changePassword, type ExpressAuthConfig, PasswordRefused } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function change(req: Request, res: Response): Promise<void> {
 *   try {
 *     const { current, password } = req.body
 *     await changePassword(req, res, config, { current, password, redirectTo: '/account' })
 *   } catch (error) {
 *     if (!(error instanceof PasswordRefused)) throw error
 *     res.status(422).send(error.code)
 *   }
 * }
 * ```
 */
export async function changePassword<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  { redirect, ...changed }: ChangePasswordOptions,
): Promise<string> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { to } = await callEngine(req, res, resolved, incoming =>
    changeBy(resolved, incoming, changed),
  )
  return answer(res, to, redirect)
}

/**
 * Removes the password of whoever is signed in. Throws a `PasswordRefused`: its `code` is `wrong` where the
 * current one is not what was typed, and `last` where it is the only way in.
 */
export async function removePassword<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  { redirect, ...removed }: RemovePasswordOptions,
): Promise<string> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { to } = await callEngine(req, res, resolved, incoming =>
    removeBy(resolved, incoming, removed),
  )
  return answer(res, to, redirect)
}

function answer(res: ServerResponse, to: string, redirect = true): string {
  if (redirect) writeRedirect(res, to)
  return to
}
