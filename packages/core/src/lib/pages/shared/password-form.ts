import type { Language } from '../../translations/languages.ts'
import type { Messages } from '../../translations/messages.ts'
import { attributes, fill, type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { revealable } from './password-toggle.ts'

const ALERT = 'password-error'
const HINT = 'password-hint'

/** A field for a password. */
export interface PasswordFieldView {
  readonly name: 'password' | 'currentPassword' | 'newPassword'
  readonly label: string
  /** How long it must be; undefined for one that there is already. */
  readonly minLength?: number
  readonly isFaulty: boolean
}

/** The field, with a button that shows what is typed where scripts run. */
export function passwordField(
  { name, label, minLength, isFaulty }: PasswordFieldView,
  messages: Messages,
): Html {
  const id = `input-${name}`
  const described = [minLength !== undefined && HINT, isFaulty && ALERT].filter(Boolean).join(' ')
  const input = {
    id,
    name,
    type: 'password',
    autocomplete: minLength === undefined ? 'current-password' : 'new-password',
    minlength: minLength,
    required: true,
    'aria-describedby': described || null,
    ...(isFaulty && { 'aria-invalid': 'true' }),
  }
  return html`<label for="${id}">${label}</label>${revealable(html`<input${attributes(input)}>`, id, messages)}${
    minLength !== undefined &&
    html`<p class="quiet small" id="${HINT}">${fill(messages.passwordHint, { minLength: String(minLength) })}</p>`
  }`
}

/** Says why a password was not taken. Has the focus, so that it is read out first. */
export function passwordAlert(
  errorCode: string | undefined,
  minLength: number,
  { messages }: Language,
): Html | null {
  const word = errorCode === undefined ? undefined : texts.get(errorCode)
  if (!word) return null
  const text = fill(messages[word], { minLength: String(minLength) })
  return html`<div class="error" id="${ALERT}" tabindex="-1" autofocus role="alert">${icon('alert', '')}<p>${text}</p></div>`
}

const texts: ReadonlyMap<string, keyof Messages> = new Map([
  ['too_short', 'passwordTooShort'],
  ['too_long', 'passwordTooLong'],
  ['too_common', 'passwordTooCommon'],
  ['wrong_password', 'wrongPassword'],
  ['only_sign_in_method', 'onlySignInMethod'],
])

/** The hidden fields of every form. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): Html {
  return html`${Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
}
