import type { Words } from '../words/words.ts'
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
  words: Words,
): Html {
  const signIn = { type: 'submit', id: buttonId, formnovalidate: true }
  const register = { type: 'submit', class: 'plain', 'data-passkey-action': 'register' }
  const reasons = {
    'data-cancelled': words.passkeyCancelled,
    'data-exists': words.passkeyExists,
    'data-unsupported': words.passkeyUnsupported,
    'data-failed': words.passkeyFailed,
  }
  return html`<div class="fields" hidden>${fields}<button${attributes(signIn)}><span>${words.signInWithPasskey}</span></button>${
    signUp && html`<button${attributes(register)}><span>${words.signUpWithPasskey}</span></button>`
  }</div><p class="small" role="status" hidden${attributes(reasons)}></p><noscript><p class="small quiet">${words.passkeyUnsupported}</p></noscript>`
}
