import type { FindEndpoints } from './endpoints.ts'
import { asPasskeyError, PasskeyError } from './passkey-error.ts'
import { readProviders } from './read.ts'
import { type EndpointPath, send } from './request.ts'
import type { SignInAuthorizationParams, SignInOptions, SignInResponse } from './sign-in.ts'
import { goTo, outcomeOf, post, submit, targetOf } from './submit.ts'

/** How to sign in with a passkey, and any fields the provider asks for. */
export interface PasskeySignInOptions<RedirectType extends boolean = boolean>
  extends SignInOptions<RedirectType> {
  /**
   * `register` creates a passkey: for the person who is signed in, or for a new user with the
   * address in `email`. Otherwise an existing one is used.
   */
  action?: 'register' | 'authenticate'
  /**
   * Wait in the autofill of a field with `autocomplete="username webauthn"` until someone chooses a
   * passkey there. Another call takes its place; `cancelPasskey` ends it.
   */
  autofill?: boolean
}

/** Signs in with a passkey, or creates one. See `signIn`. */
export type PasskeySignIn = <RedirectType extends boolean = true>(
  provider?: string,
  options?: PasskeySignInOptions<RedirectType>,
  authorizationParams?: SignInAuthorizationParams,
) => Promise<RedirectType extends false ? SignInResponse : void>

type Library = typeof import('@simplewebauthn/browser')
type Ceremony = 'register' | 'authenticate'

/** Challenges live five minutes: one that waits in autofill is replaced before. */
const REFRESH_AFTER = 4 * 60_000

/** Makes a `signIn` with passkeys for the endpoints at some place. */
export function createPasskeySignIn(findEndpoints: FindEndpoints): PasskeySignIn {
  // Sound because there is an outcome exactly where the page is not left.
  return (id, options, params) => signInAt(findEndpoints(), id, options, params) as Promise<never>
}

async function signInAt(
  base: string,
  id = 'passkey',
  { autofill = false, ...options }: PasskeySignInOptions = {},
  params?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const library = await loadLibrary()
  await requireProvider(base, id)
  const { redirect: _, redirectTo: _to, callbackUrl: _url, ...fields } = options
  try {
    const { action, data, site } = await runCeremony(library, base, id, fields, autofill)
    const path = `callback/${encodeURIComponent(id)}?${new URLSearchParams(params)}` as const
    const form = { ...options, action, data: JSON.stringify(data) }
    return action === 'register'
      ? await deliver(base, path, form, { rpId: site, credentialId: data.id })
      : await submit(base, path, form)
  } catch (error) {
    const failure = asPasskeyError(error)
    if (options.redirect === false) return outcomeOf(failure.type, 0)
    // Nobody is told that autofill was given up for something else: that is what it is there for.
    if (autofill && failure.type === 'PasskeyAborted') return undefined
    throw failure
  }
}

/** Asks the server what to ask of the browser, and asks that. */
async function runCeremony(
  library: Library,
  base: string,
  id: string,
  fields: Record<string, unknown>,
  autofill: boolean,
): Promise<{ action: Ceremony; data: { id: string }; site: string }> {
  const isSupported = autofill
    ? await library.browserSupportsWebAuthnAutofill()
    : library.browserSupportsWebAuthn()
  if (!isSupported) throw new PasskeyError('PasskeyUnsupported')
  const { action, options } = await readOptions(base, id, fields)
  if (action === 'register') {
    const data = await library.startRegistration({ optionsJSON: options as never }) // as the server made them
    return { action, data, site: options.rp?.id ?? '' }
  }
  const asked = { optionsJSON: options as never, useBrowserAutofill: autofill } // as the server made them
  if (!autofill) return { action, data: await library.startAuthentication(asked), site: '' }
  let isStale = false
  const refresh = setTimeout(() => {
    isStale = true
    library.WebAuthnAbortService.cancelCeremony()
  }, REFRESH_AFTER)
  try {
    return { action, data: await library.startAuthentication(asked), site: '' }
  } catch (error) {
    if (isStale) return await runCeremony(library, base, id, fields, autofill)
    throw error
  } finally {
    clearTimeout(refresh)
  }
}

interface CeremonyOptions {
  readonly action: Ceremony
  readonly options: { readonly rp?: { readonly id?: string } }
}

async function readOptions(
  base: string,
  id: string,
  fields: Record<string, unknown>,
): Promise<CeremonyOptions> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value != null) query.set(name, String(value))
  }
  const response = await send(base, `webauthn-options/${encodeURIComponent(id)}?${query}`)
  if (response.status === 400) throw new PasskeyError('PasskeyRefused', await response.text())
  if (response.status === 403) throw new PasskeyError('ReauthenticationRequired')
  if (!response.ok || response.redirected) {
    throw new Error(`The options could not be read: status ${response.status}. See the server log.`)
  }
  return (await response.json()) as CeremonyOptions // what this endpoint answers
}

/**
 * A new passkey that the application refuses would stay on the device, and be offered for ever: the
 * device is told to forget it, where the browser can do that.
 */
async function deliver(
  base: string,
  path: EndpointPath,
  form: SignInOptions,
  passkey: { readonly rpId: string; readonly credentialId: string },
): Promise<SignInResponse | undefined> {
  const { redirect = true, redirectTo: _, ...fields } = form
  const outcome = redirect
    ? await post(base, path, { ...fields, callbackUrl: targetOf(form) })
    : await submit(base, path, form)
  if (!outcome?.ok) await forget(passkey)
  if (!redirect) return outcome
  if (!outcome?.url) throw new Error(`${base}/${path} cannot be reached`)
  return goTo(outcome.url)
}

async function forget(passkey: { rpId: string; credentialId: string }): Promise<void> {
  // Newer than the types of the language.
  const { signalUnknownCredential } = PublicKeyCredential as unknown as {
    signalUnknownCredential?(passkey: { rpId: string; credentialId: string }): Promise<void>
  }
  try {
    await signalUnknownCredential?.call(PublicKeyCredential, passkey)
  } catch {
    // It is left to the person, then.
  }
}

async function requireProvider(base: string, id: string): Promise<void> {
  const providers = await readProviders(base)
  const type = providers?.[id]?.type
  if (providers && type !== 'webauthn') {
    throw new TypeError(
      `"${id}" is ${type ? `a provider of type ${type}` : 'not a provider'}. Passkeys need one of type webauthn.`,
    )
  }
}

/** Cancels whatever is waiting for a passkey, such as autofill on a page being left. */
export async function cancelPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await loadLibrary()
  WebAuthnAbortService.cancelCeremony()
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('@simplewebauthn/browser')
  } catch (error) {
    throw new Error(
      'Passkeys need two packages: npm install @simplewebauthn/browser@14 @simplewebauthn/server@14',
      { cause: error },
    )
  }
}
