import type { Messages } from '../../translations/messages.ts'
import { attributes, type Html, html } from './html.ts'
import type { PasskeyView } from './passkey-form.ts'
import { revealable } from './password-toggle.ts'
import type { LogoView } from './provider-logo.ts'
import { ALERT } from './sign-in-alert.ts'

/** A field of a form. */
export interface FieldView {
  readonly name: string
  readonly label: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** A provider on the page: a button alone, or a form with fields. */
export interface ProviderView {
  readonly id: string
  readonly name: string
  /** `address` is for all that begin with one: the ways to go on are on the next page. */
  readonly kind: 'external' | 'email' | 'credentials' | 'passkey' | 'address'
  /** Where the form is sent. */
  readonly action: string
  readonly fields: readonly FieldView[]
  readonly style: LogoView
  /** The data about a passkey that the script of the page needs. */
  readonly passkey?: PasskeyView
  /** Where the library looks after passwords: the pages for those who have none, or forgot it. */
  readonly password?: { readonly forgot: string; readonly signUp: string | null }
  /** Whether a message has a code in it, beside the link. */
  readonly sendsCode?: boolean
}

/** A field with its label. */
export function inputOf({
  provider,
  field,
  isFailed,
  messages,
}: {
  readonly provider: Pick<ProviderView, 'id'>
  readonly field: FieldView
  readonly isFailed: boolean
  readonly messages: Messages
}): Html {
  const id = `input-${field.name}-for-${provider.id}-provider`
  const described = [field.attributes['aria-describedby'], isFailed && ALERT]
  const all = {
    type: 'text',
    ...field.attributes,
    name: field.name,
    id,
    'aria-describedby': described.filter(each => each).join(' ') || null,
    ...(isFailed && { 'aria-invalid': 'true' }),
  }
  const input = html`<input${attributes(all)}>`
  return html`<label class="section-header" for="${id}">${field.label ?? field.name}</label>${
    all.type === 'password' ? revealable(input, id, messages) : input
  }`
}

/** For those who have no password, or forgot it. */
export function passwordLinks({ password }: ProviderView, messages: Messages): Html | undefined {
  if (!password) return undefined
  const { forgot, signUp } = password
  return html`<p class="quiet small"><a href="${forgot}">${messages.forgotPassword}</a></p>${
    signUp && html`<p class="quiet small"><a href="${signUp}">${messages.createAccount}</a></p>`
  }`
}

/** One for all forms, so a script copies it into them. Without the script, the sign-in is not remembered. */
export function rememberBox(
  messages: Messages,
  { isTicked }: { readonly isTicked: boolean },
): Html {
  const box = { type: 'checkbox', 'data-remember': true, checked: isTicked }
  return html`<label class="remember" hidden><input${attributes(box)}>${messages.keepSignedIn}</label>`
}

/** On the button of the method this browser used last. */
export function lastUsedBadge(isLast: boolean, messages: Messages): Html | false {
  return isLast && html`<small>${messages.lastUsed}</small>`
}
