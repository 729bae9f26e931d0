import { AuthError, isClientError } from '@siteauth/core/errors'
import { pageUrl } from '@siteauth/core/integration'
import { addressedBy } from './addressed-by.ts'
import { redirection } from './next-runtime.ts'
import { originOf } from './origin-of.ts'
import { type OwnRequest, ownCall, ownRequest } from './own-call.ts'
import { returnTo } from './return-to.ts'
import type { Settings } from './settings.ts'
import type {
  AuthorizationParams,
  SignInArguments,
  SignInOptions,
  SignInResult,
} from './sign-in-options.ts'

/** Signs someone in, and sends them where they have to go next. */
export async function signIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<string> {
  const own = await ownRequest(settings)
  const fields = fieldsOf(options)
  const to = await startSignIn(own, provider, fields, authorizationParams)
  if (fields.redirect !== false) throw redirection(own.current, to)
  return to
}

/** The same as a value: what a visitor may have done wrong is a result. */
export async function attemptSignIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<SignInResult> {
  const own = await ownRequest(settings)
  try {
    const url = await startSignIn(own, provider, fieldsOf(options), authorizationParams)
    return { ok: true, status: 200, url }
  } catch (error) {
    if (!(error instanceof AuthError) || !isClientError(error)) throw error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    const status = error.type === 'AccessDenied' ? 403 : 401
    return { ok: false, status, url: null, error: error.type, code }
  }
}

function fieldsOf(options: FormData | SignInOptions): SignInOptions {
  if (!(options instanceof FormData)) return options
  // Next adds fields of its own to the forms of actions.
  const given = [...options].filter(([name]) => !name.startsWith('$ACTION_'))
  const fields: Record<string, unknown> = Object.fromEntries(given)
  return { ...fields, redirect: fields['redirect'] !== 'false' }
}

/** Starts to sign someone in, and answers where they have to go next. */
async function startSignIn(
  own: OwnRequest,
  provider: string | undefined,
  { redirect: _, redirectTo, ...fields }: SignInOptions,
  authorizationParams: AuthorizationParams,
): Promise<string> {
  const callbackUrl = returnTo(own, redirectTo ?? fields['callbackUrl'])
  const { providers, pages, paths } = own.config
  const type = provider === undefined ? undefined : providers.get(provider)?.type
  if (provider === undefined || type === undefined || type === 'webauthn') {
    const origin = originOf(own.config, addressedBy(own.current.headers, own.config))
    if (origin !== undefined) return pageUrl({ pages, paths }, origin, 'signIn', { callbackUrl })
  }
  const query = new URLSearchParams(authorizationParams).toString()
  const action = type === 'credentials' ? 'callback' : 'signin'
  const path = provider === undefined ? action : `${action}/${encodeURIComponent(provider)}`
  const called = `signIn(${provider === undefined ? '' : JSON.stringify(provider)})`
  const all = { ...fields, callbackUrl }
  const answer = await ownCall(own, called, query ? `${path}?${query}` : path, all)
  if (answer.kind !== 'redirect') throw new TypeError(`POST ${path} must end in a redirect`)
  return answer.to
}
