import type { Awaitable } from '../base/awaitable.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { limitAttempts } from '../flows/cookies/attempt-budget.ts'
import { applyCookies } from '../flows/request/failure.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import type { SetCookie } from '../http/cookies.ts'
import { forbidCookies } from '../principal/received-credentials.ts'
import { withRenewedSession } from '../principal/session-cookies.ts'
import { CALLS, type CallNamed, type UserCallName, type VisitorCallName } from './auth-calls.ts'
import * as calls from './calls.ts'
import { fieldsOf } from './fields-of.ts'
import * as passwords from './password-calls.ts'
import { toSignInRequest } from './sign-in-options.ts'

/** The request on behalf of which a call is made. */
export interface CallContext {
  readonly config: ResolvedConfig
  readonly incoming: Incoming
  /** Why no cookie can be set, as a sentence; undefined if cookies can be set. */
  readonly noCookiesReason: string | undefined
  /** Sets cookies on the response of the application. */
  setCookies(cookies: readonly SetCookie[]): Awaitable<void>
}

/** The result of a call, and the cookies that it sets. */
interface Outcome<Result> {
  readonly value: Result
  readonly cookies: readonly SetCookie[]
}

/** The part of the context that the rows below receive. */
interface Received {
  readonly config: ResolvedConfig
  readonly incoming: Incoming
  readonly canSetCookies: boolean
}

type Row<Call> = Call extends (...args: infer Args) => Promise<infer Result>
  ? (received: Received, ...args: Args) => Promise<Outcome<Result>>
  : never

const NONE: readonly SetCookie[] = []

/** The calls on behalf of a visitor. */
const VISITOR_CALLS: { readonly [Name in VisitorCallName]: Row<CallNamed<Name>> } = {
  async signIn({ config, incoming }, ...given) {
    return redirecting(calls.signIn(config, incoming, toSignInRequest(...given)))
  },
  async signOut({ config, incoming }, options) {
    return redirecting(calls.signOut(config, incoming, fieldsOf(options)))
  },
  async update({ config, incoming }, changes) {
    return sessionIn(calls.update(config, incoming, changes))
  },
  async listProviders({ config, incoming }) {
    return { value: await calls.listProviders(config, incoming), cookies: NONE }
  },
  async 'sessions.list'({ config, incoming }) {
    return { value: await calls.listSessions(config, incoming), cookies: NONE }
  },
  async 'sessions.end'({ config, incoming }, handle) {
    const { body, cookies } = await calls.endSession(config, incoming, handle)
    return { value: body.ended, cookies }
  },
  async 'sessions.endOthers'({ config, incoming }) {
    const { body, cookies } = await calls.endOtherSessions(config, incoming)
    return { value: body.ended, cookies }
  },
  async 'sessions.onEnd'({ config, incoming }, listener, options) {
    const value = await calls.onSessionEnd(config, incoming, listener, options)
    return { value, cookies: NONE }
  },
  async 'sessions.rotate'({ config, incoming }) {
    return sessionIn(calls.rotate(config, incoming))
  },
  async 'accounts.list'({ config, incoming }) {
    return { value: await calls.listAccounts(config, incoming), cookies: NONE }
  },
  async 'accounts.unlink'({ config, incoming }, account, options) {
    const { body, cookies } = await calls.unlinkAccount(config, incoming, account, options)
    return { value: body, cookies }
  },
  async 'accounts.getAccessToken'({ config, incoming, ...means }, provider, options) {
    const { body, cookies } = await calls.getAccessToken(config, incoming, provider, options, means)
    return { value: body, cookies }
  },
  async 'accounts.fetch'({ config, incoming, ...means }, provider, url, init, options) {
    const request = { provider, url, init, options }
    const { response, cookies } = await calls.providerFetch(config, incoming, request, means)
    return { value: response, cookies }
  },
  async 'passwords.sendLink'({ config, incoming }, options) {
    return redirecting(passwords.sendPasswordLink(config, incoming, fieldsOf(options)))
  },
  async 'passwords.choose'({ config, incoming }, options) {
    return redirecting(passwords.choosePassword(config, incoming, fieldsOf(options)))
  },
  async 'passwords.change'({ config, incoming }, options) {
    return redirecting(passwords.changePassword(config, incoming, fieldsOf(options)))
  },
  async 'passwords.remove'({ config, incoming }, options) {
    return redirecting(passwords.removePassword(config, incoming, fieldsOf(options)))
  },
}

/** The calls about any user. */
const USER_CALLS: {
  readonly [Name in UserCallName]: (
    config: ResolvedConfig,
    ...args: Parameters<CallNamed<Name>>
  ) => ReturnType<CallNamed<Name>>
} = {
  async 'users.endSessions'(config, userId) {
    const { endUser } = await import('../flows/session/end-user-sessions.ts')
    await endUser(config, userId)
  },
  async 'users.revokeAccess'(config, userId) {
    const { revokeAccess } = await import('../flows/session/revoke-access.ts')
    return revokeAccess(config, userId)
  },
}

/**
 * Makes a call on behalf of a visitor. Sets its cookies, also if it fails, and returns its value: for calls that redirect,
 * the URL.
 */
export async function runCall(
  name: VisitorCallName,
  { config, incoming, noCookiesReason, setCookies }: CallContext,
  args: readonly unknown[],
): Promise<unknown> {
  const canSetCookies = noCookiesReason === undefined
  if (!canSetCookies && needsCookies(name, config, args)) {
    throw new TypeError(`${name} sets a cookie. ${noCookiesReason}`)
  }
  // The list declares the arguments of this very name.
  const call = VISITOR_CALLS[name] as (
    received: Received,
    ...args: readonly unknown[]
  ) => Promise<Outcome<unknown>>
  if (!canSetCookies) forbidCookies(incoming)
  const run = () => call({ config, incoming, canSetCookies }, ...args)
  const storeCookies = async (cookies: readonly SetCookie[]) => {
    if (!canSetCookies) return
    const limited = await limitAttempts(config, incoming, cookies)
    await setCookies(await withRenewedSession(incoming, limited))
  }
  return (await applyCookies(run, storeCookies)).value
}

/** Makes a call about any user. */
export function runUserCall(
  name: UserCallName,
  config: ResolvedConfig,
  args: readonly unknown[],
): Promise<unknown> {
  const call = USER_CALLS[name] as (
    config: ResolvedConfig,
    ...args: readonly unknown[]
  ) => Promise<unknown> // as above
  return call(config, ...args)
}

/** Whether a call cannot do without cookies. The sign-in page needs none, so components can redirect there. */
function needsCookies(
  name: VisitorCallName,
  config: ResolvedConfig,
  [provider]: readonly unknown[],
): boolean {
  if (CALLS[name].cookies !== 'required') return false
  return name !== 'signIn' || calls.beginsOnServer(config, { provider: provider as string })
}

async function redirecting(
  flow: Promise<{ readonly to: string; readonly cookies: readonly SetCookie[] }>,
): Promise<Outcome<string>> {
  const { to, cookies } = await flow
  return { value: to, cookies }
}

async function sessionIn<Sess>(
  flow: Promise<{ readonly body: unknown; readonly cookies: readonly SetCookie[] }>,
): Promise<Outcome<Sess>> {
  const { body, cookies } = await flow
  return { value: body as Sess, cookies } // what the application's own callback returned
}
