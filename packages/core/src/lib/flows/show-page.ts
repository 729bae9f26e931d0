import type { Frame, ResolvedConfig } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { type Outgoing, type PageAnswer, page, redirect } from '../http/outgoing.ts'
import { errorPage } from '../pages/error.ts'
import { type FieldView, type ProviderView, signInPage } from '../pages/sign-in.ts'
import { signOutPage } from '../pages/sign-out.ts'
import { verifyRequestPage } from '../pages/verify-request.ts'
import type { CredentialInput } from '../providers/credentials.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { isDiscoverable } from '../providers/webauthn.ts'
import { chooseReturn, rememberReturn } from './choose-redirect.ts'
import { issueFormToken } from './csrf.ts'
import { settingOf } from './page-setting.ts'
import { endpointUrl, pageUrl } from './page-url.ts'

/** `GET signin` */
export async function showSignIn(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error, email } = request.query
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  if (config.pages.signIn) {
    const to = pageUrl(config, request.origin, 'signIn', { callbackUrl, error })
    return redirect(to, cookies)
  }
  const providers = [...config.providers.values()].flatMap(
    provider => viewOf(config, request.origin, provider, email) ?? [],
  )
  const rendered = await signInPage({
    ...settingOf(config, request.origin),
    providers,
    csrfToken,
    callbackUrl,
    error,
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
    ...settingOf(config, request.origin),
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
  return page(await verifyRequestPage(settingOf(config, origin)))
}

/** `GET error` */
export async function showError(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error } = request.query
  if (config.pages.error) return redirect(pageUrl(config, request.origin, 'error', { error }))
  return builtInError(config, request.origin, error)
}

/** The built-in error page, whatever the application has. */
export async function builtInError(
  frame: Frame,
  origin: string,
  error: string | undefined,
  details: readonly string[] = [],
): Promise<PageAnswer> {
  const shown = errorPage({
    ...settingOf(frame, origin),
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
  email: string | undefined,
): ProviderView | null {
  const { id, name, type } = provider
  const path = encodeURIComponent(id)
  switch (type) {
    case 'oauth':
    case 'oidc': {
      const action = endpointUrl(config, origin, `signin/${path}`)
      return { id, name, action, fields: [], isExternal: true }
    }
    case 'email': {
      const field: CredentialInput = {
        label: 'Email',
        type: 'email',
        placeholder: 'email@example.com',
        autocomplete: 'email',
        required: true,
        value: email ?? '',
      }
      const action = endpointUrl(config, origin, `signin/${path}`)
      return { id, name, action, fields: [fieldView('email', field)], isExternal: false }
    }
    case 'credentials': {
      const action = endpointUrl(config, origin, `callback/${path}`)
      const fields = Object.entries(provider.credentials ?? {}).map(([key, input]) =>
        fieldView(key, input),
      )
      return { id, name, action, fields, isExternal: false }
    }
    case 'webauthn': {
      if (!provider.formFields) return null
      return {
        id,
        name,
        action: endpointUrl(config, origin, `callback/${path}`),
        fields: Object.entries(provider.formFields).map(([key, input]) =>
          fieldView(key, { type: 'email', ...input, 'data-form-field': true }),
        ),
        isExternal: false,
        passkey: {
          options: endpointUrl(config, origin, `webauthn-options/${path}`),
          autofill: provider.enableConditionalUI ?? false,
          named: !isDiscoverable(provider),
          signUp: provider.allowSignUp ?? true,
        },
      }
    }
  }
}

function fieldView(name: string, { label, ...rest }: CredentialInput): FieldView {
  const attributes: Record<string, string | number | boolean | null> = {}
  for (const [attribute, value] of Object.entries(rest)) {
    if (['string', 'number', 'boolean'].includes(typeof value) || value === null) {
      attributes[attribute] = value as string | number | boolean | null // just checked
    }
  }
  return { name, label, attributes }
}
