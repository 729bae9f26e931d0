import {
  demandConfig,
  endUser as engineEndUser,
  respond as engineRespond,
  rotate as engineRotate,
  signOut as engineSignOut,
  update as engineUpdate,
} from '@siteauth/core/endpoints'
import type { NextRequest } from 'next/server.js'
import type { Settings } from '../config/settings.ts'
import { redirection } from '../current-request.ts'
import { callEngine, currentCall } from './call-engine.ts'

// What signs people in and out, in one module that bundlers put aside with all that it needs: most requests
// only ask who they are from.
export { listProviders } from './list-providers.ts'
export { endOtherSessions, endSession, listSessions } from './own-sessions.ts'
export {
  askForPassword,
  changePassword,
  choosePassword,
  removePassword,
} from './passwords.ts'
export {
  getAccessToken,
  listAccounts,
  providerFetch,
  unlinkAccount,
} from './provider-tokens.ts'
export { attemptSignIn, signIn } from './sign-in.ts'

/** Answers a request to the endpoints. */
export async function respond(settings: Settings, request: NextRequest): Promise<Response> {
  const loader = await settings.of(request, request)
  return engineRespond(await loader.complete(), request)
}

/** How to sign someone out. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** False: don't redirect, just remove the cookie and resolve with the URL to go to. */
  redirect?: Redirect | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
}

/**
 * Signs the visitor out, in a server action or a route handler: ends the session and removes its
 * cookie.
 */
export type SignOut = <Redirect extends boolean = true>(
  options?: SignOutOptions<Redirect>,
) => Promise<Redirect extends false ? string : never>

/** Signs the visitor of the current request out, and answers where to go, or goes there. */
export async function signOut(
  settings: Settings,
  { redirect = true, redirectTo }: SignOutOptions = {},
): Promise<string> {
  const call = await currentCall(settings)
  const { to } = await callEngine(call, 'signOut()', (config, incoming) =>
    engineSignOut(config, incoming, { redirectTo }),
  )
  if (redirect) throw redirection(call.current, to)
  return to
}

/** Hands changes to the application's callbacks, and answers the session that they make of them. */
export async function update(settings: Settings, changes: unknown): Promise<unknown> {
  const call = await currentCall(settings)
  const { body } = await callEngine(call, 'unstable_update()', (config, incoming) =>
    engineUpdate(config, incoming, changes),
  )
  return body
}

/** Gives the session a new token, and answers the session. */
export async function rotate(settings: Settings): Promise<unknown> {
  const { body } = await callEngine(await currentCall(settings), 'rotate()', engineRotate)
  return body
}

/** Signs a user out everywhere. */
export async function endUser(settings: Settings, userId: string): Promise<void> {
  const loader = await settings.of({})
  await engineEndUser(demandConfig(await loader.complete()), userId)
}
