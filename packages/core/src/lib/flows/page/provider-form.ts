import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasskeyView } from '../../pages/shared/passkey-form.ts'
import type { FieldView, ProviderView } from '../../pages/shared/sign-in-form.ts'
import type { CredentialInput } from '../../providers/credentials.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { isDiscoverable, type WebAuthnConfig } from '../../providers/webauthn.ts'
import type { Messages } from '../../translations/messages.ts'
import { translateLabel } from '../../translations/translate-label.ts'
import { passwordPageUrl } from '../password/password-page-url.ts'
import { usualInput } from '../provider/credential-fields.ts'
import { passkeySignUp } from '../provider/passkey-sign-up.ts'
import { endpointUrl } from '../request/endpoint-url.ts'

/** The dependencies of a provider's form besides the provider. */
export interface ProviderSetting {
  readonly origin: string
  readonly callbackUrl: string
  readonly messages: Messages
  /** The address that the link to the page names. */
  readonly email: string | undefined
  /** The values that were entered in the form of this provider before, by the names of its fields. */
  readonly values: Readonly<Record<string, string>>
}

/** A provider as the sign-in page shows it; null if it does not. */
export function providerView(
  config: ResolvedConfig,
  provider: ProviderObject,
  setting: ProviderSetting,
): ProviderView | null {
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return externalView(config, provider, setting)
    case 'email':
      return emailView(config, provider, setting)
    case 'credentials':
      return credentialsView(config, provider, setting)
    case 'password':
      return passwordView(config, provider, setting)
    case 'webauthn':
      return passkeyFormView(config, provider, setting)
  }
}

type ProviderOf<Type extends ProviderObject['type']> = Extract<
  ProviderObject,
  { readonly type: Type }
>

function externalView(
  config: ResolvedConfig,
  { id, name, style }: ProviderOf<'oauth' | 'oidc'>,
  { origin }: ProviderSetting,
): ProviderView {
  const action = providerUrl(config, origin, 'signin', id)
  return { id, name, kind: 'external', action, fields: [], style: style ?? {} }
}

function emailView(
  config: ResolvedConfig,
  { id, name, code }: ProviderOf<'email'>,
  { origin, messages, email, values }: ProviderSetting,
): ProviderView {
  const field: CredentialInput = {
    label: messages.email,
    type: 'email',
    placeholder: 'email@example.com',
    autocomplete: 'email',
    required: true,
    value: values['email'] ?? email ?? '',
  }
  const action = providerUrl(config, origin, 'signin', id)
  const fields = [fieldView('email', field)]
  return { id, name, kind: 'email', action, fields, style: {}, sendsCode: code ?? false }
}

function credentialsView(
  config: ResolvedConfig,
  { id, name, credentials }: ProviderOf<'credentials'>,
  { origin, messages, values }: ProviderSetting,
): ProviderView {
  const action = providerUrl(config, origin, 'callback', id)
  const fields = Object.entries(credentials ?? {}).map(([key, input]) => {
    const value = values[key]
    return fieldView(key, {
      ...usualInput(key, input),
      ...input,
      label: translateLabel(input.label, key, messages),
      ...(value !== undefined && { value }),
    })
  })
  return { id, name, kind: 'credentials', action, fields, style: {} }
}

function passwordView(
  config: ResolvedConfig,
  provider: ProviderOf<'password'>,
  { origin, messages, email, values }: ProviderSetting,
): ProviderView {
  const { id, name, signUp } = provider
  const address: CredentialInput = {
    label: messages.email,
    type: 'email',
    autocomplete: 'username',
    required: true,
    value: values['email'] ?? email ?? '',
  }
  const secret: CredentialInput = {
    label: messages.password,
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  }
  return {
    id,
    name,
    kind: 'credentials',
    action: providerUrl(config, origin, 'signin', id),
    fields: [fieldView('email', address), fieldView('password', secret)],
    style: {},
    password: {
      forgot: passwordPageUrl(config, origin, provider, 'forgot'),
      signUp: signUp === false ? null : passwordPageUrl(config, origin, provider, 'signUp'),
    },
  }
}

function passkeyFormView(
  config: ResolvedConfig,
  provider: WebAuthnConfig,
  { origin, callbackUrl, messages }: ProviderSetting,
): ProviderView | null {
  const { id, name, formFields } = provider
  if (!formFields) return null
  return {
    id,
    name,
    kind: 'passkey',
    action: providerUrl(config, origin, 'callback', id),
    fields: Object.entries(formFields).map(([key, input]) => {
      const label = translateLabel(input.label, key, messages)
      return fieldView(key, { type: 'email', ...input, label, 'data-form-field': true })
    }),
    style: {},
    passkey: passkeyView(config, origin, provider, callbackUrl),
  }
}

/** The field for the address, with which several methods begin. */
export function addressView(
  config: ResolvedConfig,
  {
    origin,
    messages,
    email,
    hasAutofill,
  }: Omit<ProviderSetting, 'callbackUrl' | 'values'> & { readonly hasAutofill: boolean },
): ProviderView {
  const field: CredentialInput = {
    label: messages.email,
    type: 'email',
    placeholder: 'email@example.com',
    autocomplete: hasAutofill ? 'username webauthn' : 'username',
    required: true,
    value: email ?? '',
  }
  return {
    id: 'address',
    name: messages.email,
    kind: 'address',
    action: endpointUrl(config, origin, 'signin'),
    fields: [fieldView('email', field)],
    style: {},
  }
}

/** The values that the script of a page needs for a passkey. */
export function passkeyView(
  config: ResolvedConfig,
  origin: string,
  provider: WebAuthnConfig,
  callbackUrl: string,
): PasskeyView {
  const signUp = passkeySignUp(config, provider)
  return {
    options: providerUrl(config, origin, 'webauthn-options', provider.id),
    autofill: provider.enableConditionalUI ?? false,
    named: !isDiscoverable(provider),
    signUp:
      typeof signUp === 'object'
        ? // The form of the passkey must have a field for the address that a link is sent to.
          'email' in (provider.formFields ?? {}) && {
            action: providerUrl(config, origin, 'signin', signUp.first.id),
            callbackUrl: `${endpointUrl(config, origin, 'signin')}?${new URLSearchParams({ add: provider.id, callbackUrl })}`,
          }
        : signUp !== 'never',
  }
}

function providerUrl(
  config: ResolvedConfig,
  origin: string,
  endpoint: 'signin' | 'callback' | 'webauthn-options',
  id: string,
): string {
  return endpointUrl(config, origin, `${endpoint}/${encodeURIComponent(id)}`)
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
