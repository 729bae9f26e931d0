import type { Frame, ResolvedConfig } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { type Outgoing, type PageAnswer, page, redirect } from '../http/outgoing.ts'
import { addPasskeyPage } from '../pages/add-passkey.ts'
import { errorPage } from '../pages/error.ts'
import type { PasskeyView } from '../pages/passkey-form.ts'
import { type FieldView, type ProviderView, signInPage } from '../pages/sign-in.ts'
import { signOutPage } from '../pages/sign-out.ts'
import { verifyRequestPage } from '../pages/verify-request.ts'
import type { CredentialInput } from '../providers/credentials.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { isDiscoverable, type WebAuthnConfig } from '../providers/webauthn.ts'
import type { Words } from '../words/words.ts'
import { chooseReturn, rememberReturn } from './choose-redirect.ts'
import { issueFormToken } from './csrf.ts'
import { currentUser } from './current-user.ts'
import { emailAskedFor } from './email-parts.ts'
import { lastFault } from './last-fault.ts'
import { type Asker, settingOf } from './page-setting.ts'
import { endpointUrl, pageUrl } from './page-url.ts'
import { passkeySignUp } from './passkey-sign-up.ts'

/** `GET signin` */
export async function showSignIn(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error, email } = request.query
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  const toAdd = error === undefined ? await showAddPasskey(config, request) : null
  if (toAdd) return toAdd
  if (config.pages.signIn) {
    const to = pageUrl(config, request.origin, 'signIn', { callbackUrl, error })
    return redirect(to, cookies)
  }
  const setting = await settingOf(config, request.origin, request)
  const { words } = setting.language
  const providers = [...config.providers.values()].flatMap(
    provider => viewOf(config, request.origin, provider, words, callbackUrl, email) ?? [],
  )
  const rendered = await signInPage({
    ...setting,
    providers,
    csrfToken,
    callbackUrl,
    error,
    details: lastFault(config, error),
  })
  return page(rendered, 200, cookies)
}

/** `GET signin?add=…`: for somebody who has just signed in, to make a passkey. Else null. */
async function showAddPasskey(config: ResolvedConfig, request: Incoming): Promise<Outgoing | null> {
  const { add } = request.query
  const provider = add === undefined ? undefined : config.providers.get(add)
  if (provider?.type !== 'webauthn') return null
  const user = await currentUser(config, request)
  if (!user) return null
  const { origin } = request
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  const rendered = await addPasskeyPage({
    ...(await settingOf(config, origin, request)),
    action: endpointUrl(config, origin, `callback/${encodeURIComponent(provider.id)}`),
    passkey: passkeyView(config, origin, provider, callbackUrl),
    csrfToken,
    callbackUrl,
    person: user.email ?? user.name ?? '',
  })
  return page(rendered, 200, cookies)
}

/** `GET signout` */
export async function showSignOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  if (config.pages.signOut) {
    return redirect(pageUrl(config, request.origin, 'signOut'), cookies)
  }
  const rendered = await signOutPage({
    ...(await settingOf(config, request.origin, request)),
    action: endpointUrl(config, request.origin, 'signout'),
    csrfToken,
    callbackUrl,
  })
  return page(rendered, 200, cookies)
}

/** What a form needs, ours or the application's own: a token, and where to go afterwards. */
async function beginForm(config: ResolvedConfig, request: Incoming) {
  const callbackUrl = await chooseReturn(config, request)
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const remembered = rememberReturn(config, request, callbackUrl)
  return { callbackUrl, csrfToken, cookies: [...cookies, ...remembered] }
}

/** `GET verify-request` */
export async function showVerifyRequest(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const { origin, query } = request
  if (config.pages.verifyRequest) {
    return redirect(pageUrl(config, origin, 'verifyRequest', query))
  }
  const rendered = await verifyRequestPage({
    ...(await settingOf(config, origin, request)),
    email: (await emailAskedFor(config, request))?.identifier,
    signInUrl: pageUrl(config, origin, 'signIn'),
  })
  return page(rendered)
}

/** `GET error` */
export async function showError(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error } = request.query
  if (config.pages.error) return redirect(pageUrl(config, request.origin, 'error', { error }))
  const details = lastFault(config, error)
  return builtInError(config, request.origin, request, error, details)
}

/** The built-in error page, whatever the application has. */
export async function builtInError(
  frame: Frame,
  origin: string,
  asker: Asker,
  error: string | undefined,
  details: readonly string[] = [],
): Promise<PageAnswer> {
  const shown = errorPage({
    ...(await settingOf(frame, origin, asker)),
    error,
    signInUrl: pageUrl(frame, origin, 'signIn'),
    details: frame.development ? details : [],
  })
  return page(await shown.page, shown.status)
}

function viewOf(
  config: ResolvedConfig,
  origin: string,
  provider: ProviderObject,
  words: Words,
  callbackUrl: string,
  email: string | undefined,
): ProviderView | null {
  const { id, name, type } = provider
  const path = encodeURIComponent(id)
  const toSignIn = endpointUrl(config, origin, `signin/${path}`)
  switch (type) {
    case 'oauth':
    case 'oidc':
      return {
        id,
        name,
        kind: 'external',
        action: toSignIn,
        fields: [],
        style: provider.style ?? {},
      }
    case 'email': {
      const field: CredentialInput = {
        label: words.email,
        type: 'email',
        placeholder: 'email@example.com',
        autocomplete: 'email',
        required: true,
        value: email ?? '',
      }
      const fields = [fieldView('email', field)]
      return { id, name, kind: 'email', action: toSignIn, fields, style: {} }
    }
    case 'credentials': {
      const action = endpointUrl(config, origin, `callback/${path}`)
      const fields = Object.entries(provider.credentials ?? {}).map(([key, input]) =>
        fieldView(key, { ...usualInput(key, input), ...input }),
      )
      return { id, name, kind: 'credentials', action, fields, style: {} }
    }
    case 'webauthn': {
      if (!provider.formFields) return null
      return {
        id,
        name,
        kind: 'passkey',
        action: endpointUrl(config, origin, `callback/${path}`),
        fields: Object.entries(provider.formFields).map(([key, input]) => {
          const translated = input.label === EMAIL_LABEL && { label: words.email }
          return fieldView(key, { type: 'email', ...input, ...translated, 'data-form-field': true })
        }),
        style: {},
        passkey: passkeyView(config, origin, provider, callbackUrl),
      }
    }
  }
}

function passkeyView(
  config: ResolvedConfig,
  origin: string,
  provider: WebAuthnConfig,
  callbackUrl: string,
): PasskeyView {
  const path = encodeURIComponent(provider.id)
  const signUp = passkeySignUp(config, provider)
  return {
    options: endpointUrl(config, origin, `webauthn-options/${path}`),
    autofill: provider.enableConditionalUI ?? false,
    named: !isDiscoverable(provider),
    signUp:
      typeof signUp === 'object'
        ? // The form of the passkey has to ask for what a link is sent to.
          'email' in (provider.formFields ?? {}) && {
            action: endpointUrl(config, origin, `signin/${encodeURIComponent(signUp.first.id)}`),
            callbackUrl: `${endpointUrl(config, origin, 'signin')}?${new URLSearchParams({ add: provider.id, callbackUrl })}`,
          }
        : signUp !== 'never',
  }
}

/** What the field of a passkey is called unless the application says it. Not imported: the provider loads much. */
const EMAIL_LABEL = 'Email'

/** What browsers and password managers should know of a field, unless the application says it. */
function usualInput(name: string, { type }: CredentialInput): CredentialInput {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (type === 'password') return { autocomplete: 'current-password' }
  if (type === 'email' || plain === 'email') return { autocomplete: 'email' }
  if (CODES.includes(plain)) return { autocomplete: 'one-time-code', inputmode: 'numeric' }
  if (NAMES.includes(plain)) return { autocomplete: 'username', autocapitalize: 'none' }
  return {}
}

const CODES = [
  'code',
  'otp',
  'totp',
  'token',
  'pin',
  'onetimecode',
  'mfa',
  'twofactor',
  'twofactorcode',
]
const NAMES = ['username', 'user', 'login', 'name', 'identifier']

function fieldView(name: string, { label, ...rest }: CredentialInput): FieldView {
  const attributes: Record<string, string | number | boolean | null> = {}
  for (const [attribute, value] of Object.entries(rest)) {
    if (['string', 'number', 'boolean'].includes(typeof value) || value === null) {
      attributes[attribute] = value as string | number | boolean | null // just checked
    }
  }
  return { name, label, attributes }
}
