import { beginsOnServer, signIn as engineSignIn } from '@siteauth/core/endpoints'
import { AuthError, isClientError } from '@siteauth/core/errors'
import { callEngine, currentCall, type EngineCall } from './call-engine.ts'
import { redirection } from './next-runtime.ts'
import type { Settings } from './settings.ts'
import type {
  AuthorizationParams,
  SignInArguments,
  SignInOptions,
  SignInResult,
} from './sign-in-options.ts'

/** Signs somebody in, and sends them where they have to go next. */
export async function signIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<string> {
  const call = await currentCall(settings)
  const fields = fieldsOf(options)
  const to = await startSignIn(call, provider, fields, authorizationParams)
  if (fields.redirect !== false) throw redirection(call.current, to)
  return to
}

/** The same as a value: what a visitor may have done wrong is a result. */
export async function attemptSignIn(
  settings: Settings,
  ...[provider, options = {}, authorizationParams]: SignInArguments
): Promise<SignInResult> {
  const call = await currentCall(settings)
  try {
    const url = await startSignIn(call, provider, fieldsOf(options), authorizationParams)
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

/** Starts to sign somebody in, and answers where they have to go next. */
async function startSignIn(
  call: EngineCall,
  provider: string | undefined,
  { redirect: _, redirectTo, ...fields }: SignInOptions,
  authorizationParams: AuthorizationParams,
): Promise<string> {
  const { callbackUrl } = fields
  const to = redirectTo ?? (typeof callbackUrl === 'string' ? callbackUrl : undefined)
  const wish = { provider, fields, redirectTo: to, authorizationParams }
  const { config, incoming } = call
  // The sign-in page needs no cookies, so that pages can lead there while they are rendered.
  const answer = beginsOnServer(config, wish)
    ? await callEngine(call, `signIn(${JSON.stringify(provider)})`, () =>
        engineSignIn(config, incoming, wish),
      )
    : await engineSignIn(config, incoming, wish)
  return answer.to
}
