import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasskeyView } from '../../pages/shared/passkey-form.ts'
import type { FieldView, ProviderView } from '../../pages/shared/sign-in-form.ts'
import type { CredentialInput } from '../../providers/credentials.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { isDiscoverable, type WebAuthnConfig } from '../../providers/webauthn.ts'
import type { Words } from '../../translations/messages.ts'
import { translateLabel } from '../../translations/translate-label.ts'
import { passwordPageUrl } from '../password/password-page-url.ts'
import { usualInput } from '../provider/credential-fields.ts'
import { passkeySignUp } from '../provider/passkey-sign-up.ts'
import { endpointUrl } from '../request/endpoint-url.ts'

/** What the sign-in page knows that is not of one provider. */
export interface ProviderSetting {
  readonly origin: string
  readonly callbackUrl: string
  readonly words: Words
  /** The address that the link to the page names. */
  readonly email: string | undefined
  /** What was typed into the form of this provider before, by the names of its fields. */
  readonly typed: Readonly<Record<string, string>>
}

/** A provider as the sign-in page shows it; null if it does not. */
export function providerView(
  config: ResolvedConfig,
  provider: ProviderObject,
  { origin, callbackUrl, words, email, typed }: ProviderSetting,
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
        value: typed['email'] ?? email ?? '',
      }
      const fields = [fieldView('email', field)]
      const sendsCode = provider.code ?? false
      return { id, name, kind: 'email', action: toSignIn, fields, style: {}, sendsCode }
    }
    case 'credentials': {
      const action = endpointUrl(config, origin, `callback/${path}`)
      const fields = Object.entries(provider.credentials ?? {}).map(([key, input]) => {
        const value = typed[key]
        return fieldView(key, {
          ...usualInput(key, input),
          ...input,
          label: translateLabel(input.label, key, words),
          ...(value !== undefined && { value }),
        })
      })
      return { id, name, kind: 'credentials', action, fields, style: {} }
    }
    case 'password': {
      const { email: label, password } = words
      const value = typed['email'] ?? email ?? ''
      const who = { label, type: 'email', autocomplete: 'username', required: true, value }
      const secret = { label: password, type: 'password', autocomplete: 'current-password' }
      return {
        id,
        name,
        kind: 'credentials',
        action: toSignIn,
        fields: [fieldView('email', who), fieldView('password', { ...secret, required: true })],
        style: {},
        password: {
          forgot: passwordPageUrl(config, origin, provider, 'forgot'),
          signUp:
            provider.signUp === false ? null : passwordPageUrl(config, origin, provider, 'signUp'),
        },
      }
    }
    case 'webauthn': {
      if (!provider.formFields) return null
      return {
        id,
        name,
        kind: 'passkey',
        action: endpointUrl(config, origin, `callback/${path}`),
        fields: Object.entries(provider.formFields).map(([key, input]) => {
          const label = translateLabel(input.label, key, words)
          return fieldView(key, { type: 'email', ...input, label, 'data-form-field': true })
        }),
        style: {},
        passkey: passkeyView(config, origin, provider, callbackUrl),
      }
    }
  }
}

/** The field for the address that several ways begin with. */
export function addressView(
  config: ResolvedConfig,
  {
    origin,
    words,
    email,
    hasAutofill,
  }: Omit<ProviderSetting, 'callbackUrl' | 'typed'> & { readonly hasAutofill: boolean },
): ProviderView {
  const field: CredentialInput = {
    label: words.email,
    type: 'email',
    placeholder: 'email@example.com',
    autocomplete: hasAutofill ? 'username webauthn' : 'username',
    required: true,
    value: email ?? '',
  }
  return {
    id: 'address',
    name: words.email,
    kind: 'address',
    action: endpointUrl(config, origin, 'signin'),
    fields: [fieldView('email', field)],
    style: {},
  }
}

/** What the script of a page has to know of a passkey. */
export function passkeyView(
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

function fieldView(name: string, { label, ...rest }: CredentialInput): FieldView {
  const attributes: Record<string, string | number | boolean | null> = {}
  for (const [attribute, value] of Object.entries(rest)) {
    if (['string', 'number', 'boolean'].includes(typeof value) || value === null) {
      attributes[attribute] = value as string | number | boolean | null // just checked
    }
  }
  return { name, label, attributes }
}
