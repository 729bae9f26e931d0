import { attributes, type Html, html } from './html.ts'

/** What the form of a passkey needs beyond its fields. */
export interface PasskeyView {
  /** Where the page asks what to ask of the browser. */
  readonly options: string
  /** Whether passkeys are offered in the autofill of the field. */
  readonly autofill: boolean
  /** Whether keys are looked up by who the visitor says to be. */
  readonly named: boolean
  /** Whether visitors can sign up. */
  readonly signUp: boolean
}

/** What is said on the form of a passkey. */
export interface PasskeyWords {
  readonly signIn: string
  readonly signUp: string
  readonly cancelled: string
  readonly exists: string
  readonly unsupported: string
  readonly failed: string
}

/** The attributes by which the script knows the form. */
export function passkeyAttributes({ options, autofill, named }: PasskeyView): Html {
  return attributes({
    'data-passkey-options': options,
    'data-passkey-autofill': autofill,
    'data-passkey-named': named,
  })
}

/**
 * What stands in the form. Fields and buttons are shown where scripts run and the browser knows
 * passkeys; elsewhere the form says that it does not work.
 */
export function passkeyForm(
  { signUp }: PasskeyView,
  fields: readonly Html[],
  buttonId: string,
  words: PasskeyWords,
): Html {
  const signIn = { type: 'submit', id: buttonId, formnovalidate: true }
  const register = { type: 'submit', class: 'secondary', 'data-passkey-action': 'register' }
  const reasons = {
    'data-cancelled': words.cancelled,
    'data-exists': words.exists,
    'data-unsupported': words.unsupported,
    'data-failed': words.failed,
  }
  return html`<div hidden>${fields}<button${attributes(signIn)}><span>${words.signIn}</span></button>${
    signUp && html`<button${attributes(register)}><span>${words.signUp}</span></button>`
  }</div><p role="status" hidden${attributes(reasons)}></p><noscript><p>${words.unsupported}</p></noscript>`
}
