import type { Messages } from '../../translations/messages.ts'
import { attributes, type Html, html } from './html.ts'

/** The parts of a passkey's form beyond its fields. */
export interface PasskeyView {
  /** Where the page asks what to ask of the browser. */
  readonly options: string
  /** Whether passkeys are offered in the autofill of the field. */
  readonly autofill: boolean
  /** Whether keys are looked up by the name that the visitor enters. */
  readonly named: boolean
  /** How visitors sign up: not at all, with a passkey at once, or by proving their address first. */
  readonly signUp: boolean | AddressFirst
}

/** The form is sent to have a link sent, which leads to a page on which the passkey is made. */
interface AddressFirst {
  /** Where a link is asked for. */
  readonly action: string
  /** The page that the link leads to in the end. */
  readonly callbackUrl: string
}

/** The parts of a passkey's form. */
interface PasskeyElements {
  readonly fields: readonly Html[]
  /** The attributes of the button that signs in. */
  readonly button: { readonly id: string; readonly class?: string | undefined }
  /** Stands on the button that signs in. */
  readonly badge: Html | false
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
 * The content of the form. Fields and buttons are shown if scripts run and the browser supports passkeys; otherwise
 * the form explains that it does not work.
 */
export function passkeyForm(
  { signUp }: PasskeyView,
  { fields, button, badge }: PasskeyElements,
  messages: Messages,
): Html {
  const signIn = { type: 'submit', ...button, formnovalidate: true }
  return withScript(
    html`${fields}<button${attributes(signIn)}><span>${messages.signInWithPasskey}</span>${badge}</button>${
      signUp &&
      html`<button${attributes(signUpButton(signUp))}><span>${messages.signUpWithPasskey}</span></button>`
    }`,
    messages,
  )
}

/** The content of the form in which a user who is signed in creates a passkey. */
export function addPasskeyForm(messages: Messages): Html {
  const button = { type: 'submit', 'data-passkey-action': 'register' }
  return withScript(
    html`<button${attributes(button)}><span>${messages.addPasskey}</span></button>`,
    messages,
  )
}

function signUpButton(signUp: true | AddressFirst) {
  const button = { type: 'submit', class: 'plain' }
  if (signUp === true) return { ...button, 'data-passkey-action': 'register' }
  // Of two fields with one name the last counts.
  return {
    ...button,
    formaction: signUp.action,
    name: 'callbackUrl',
    value: signUp.callbackUrl,
  }
}

function withScript(content: Html, messages: Messages): Html {
  const reasons = {
    'data-cancelled': messages.passkeyCancelled,
    'data-exists': messages.passkeyExists,
    'data-unsupported': messages.passkeyUnsupported,
    'data-failed': messages.passkeyFailed,
  }
  return html`<div class="fields" hidden>${content}</div><p class="small" role="status" hidden${attributes(reasons)}></p><noscript><p class="small quiet">${messages.passkeyUnsupported}</p></noscript>`
}
