import {
  type ChangedPassword,
  type ChosenPassword,
  askForPassword as engineAsk,
  changePassword as engineChange,
  choosePassword as engineChoose,
  removePassword as engineRemove,
  type PasswordLinkWish,
  type RemovedPassword,
} from '@siteauth/core/endpoints'
import type { Settings } from '../config/settings.ts'
import { redirection } from '../current-request.ts'
import { callEngine, currentCall, type EngineCall } from './call-engine.ts'

/** Whether the visitor is sent on. */
interface Redirecting {
  /** False: don't redirect, just set the cookies and resolve with the URL to go to. */
  redirect?: boolean | undefined
}

/** Does something about a password, in a server action or a route handler. Takes a form as it is sent. */
type PasswordCall<Fields> = (given: FormData | (Fields & Redirecting)) => Promise<string>

/**
 * Passwords, for pages of the application's own, in server actions and route handlers. Each sends the visitor
 * on, or with `redirect: false` resolves with the URL; and rejects with a `PasswordRefused`, whose `code` says
 * why a password is not taken.
 *
 * @example
 * ```ts
 * import SiteAuth from '@siteauth/next'
 *
 * const { passwords } = SiteAuth({ providers: [] })
 *
 * export async function changePassword(form: FormData): Promise<void> {
 *   'use server'
 *   await passwords.change(form) // with the fields `current` and `password`
 * }
 * ```
 */
export interface Passwords {
  /** Sends a link to choose a password by. Everybody gets the same answer, known or not. */
  ask: PasswordCall<PasswordLinkWish>
  /** Stores the password that somebody has chosen behind a link, signs them in, and out everywhere else. */
  choose: PasswordCall<ChosenPassword>
  /** Replaces the password of whoever is signed in, and signs them out everywhere else. */
  change: PasswordCall<ChangedPassword>
  /** Removes the password of whoever is signed in, unless it is their only way in. */
  remove: PasswordCall<RemovedPassword>
}

/** Sends a link to choose a password by. */
export function askForPassword(
  settings: Settings,
  given: Parameters<Passwords['ask']>[0],
): Promise<string> {
  const { wish, email, redirectTo, redirect } = fieldsOf(given)
  return call(settings, 'passwords.ask()', redirect, ({ config, incoming }) =>
    engineAsk(config, incoming, { wish: wish === 'sign-up' ? wish : 'forgot', email, redirectTo }),
  )
}

/** Stores the password that somebody has chosen behind a link. */
export function choosePassword(
  settings: Settings,
  given: Parameters<Passwords['choose']>[0],
): Promise<string> {
  const { email, token, password, redirectTo, redirect } = fieldsOf(given)
  return call(settings, 'passwords.choose()', redirect, ({ config, incoming }) =>
    engineChoose(config, incoming, { email, token, password, redirectTo }),
  )
}

/** Replaces the password of whoever is signed in. */
export function changePassword(
  settings: Settings,
  given: Parameters<Passwords['change']>[0],
): Promise<string> {
  const { current, password, redirectTo, redirect } = fieldsOf(given)
  return call(settings, 'passwords.change()', redirect, ({ config, incoming }) =>
    engineChange(config, incoming, { current, password, redirectTo }),
  )
}

/** Removes the password of whoever is signed in. */
export function removePassword(
  settings: Settings,
  given: Parameters<Passwords['remove']>[0],
): Promise<string> {
  const { current, redirectTo, redirect } = fieldsOf(given)
  return call(settings, 'passwords.remove()', redirect, ({ config, incoming }) =>
    engineRemove(config, incoming, { current, redirectTo }),
  )
}

async function call(
  settings: Settings,
  called: string,
  redirect: boolean,
  run: (call: EngineCall) => ReturnType<typeof engineChange>,
): Promise<string> {
  const current = await currentCall(settings)
  const { to } = await callEngine(current, called, () => run(current))
  if (redirect) throw redirection(current.current, to)
  return to
}

interface Given extends Readonly<Record<string, unknown>> {
  readonly redirect: boolean
  readonly redirectTo: string | undefined
}

function fieldsOf(given: FormData | object): Given {
  const fields: Record<string, unknown> =
    given instanceof FormData ? Object.fromEntries(given) : { ...given }
  const { redirect, redirectTo } = fields
  return {
    ...fields,
    redirect: redirect !== false && redirect !== 'false',
    redirectTo: typeof redirectTo === 'string' ? redirectTo : undefined,
  }
}
