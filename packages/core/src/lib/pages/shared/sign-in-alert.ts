import type { Language } from '../../translations/languages.ts'
import type { Messages } from '../../translations/messages.ts'
import { waitText } from '../../translations/wait-text.ts'
import { fill, type Html, html } from './html.ts'
import { icon } from './icons.ts'

/** The text of an alert, and its audience. */
export interface AlertView {
  readonly language: Language
  /** If the visitor has to wait, for how many seconds. */
  readonly retryAfter: number
}

/** The id of the alert: fields that it is about are described by it. */
export const ALERT = 'sign-in-error'

/** Why someone is back. Has the focus, so that it is read out first: alerts that a page comes with often are not. */
export function signInAlert({ language, retryAfter }: AlertView, error: string): Html {
  const text = fill(explain(error, language.messages), { wait: waitText(language, retryAfter) })
  return html`<div class="error" id="${ALERT}" tabindex="-1" autofocus role="alert">${icon('alert', '')}<p>${text}</p></div>`
}

/** The codes in use, and those that applications of older versions may still send. */
const explanations: ReadonlyMap<string, keyof Messages> = new Map([
  ['Signin', 'tryAnotherMethod'],
  ['OAuthSignin', 'tryAnotherMethod'],
  ['OAuthCallbackError', 'tryAnotherMethod'],
  ['OAuthCreateAccount', 'tryAnotherMethod'],
  ['EmailCreateAccount', 'tryAnotherMethod'],
  ['Callback', 'tryAnotherMethod'],
  ['OAuthAccountNotLinked', 'accountNotLinked'],
  ['AccountNotLinked', 'accountNotLinked'],
  ['EmailSignin', 'emailNotSent'],
  ['EmailSignInError', 'emailNotSent'],
  ['CredentialsSignin', 'wrongDetails'],
  ['EmailCodeError', 'codeExpired'],
  ['PasswordRefused', 'wrongDetails'],
  ['TooManyAttempts', 'tooManyAttempts'],
  ['SessionRequired', 'signInFirst'],
  ['ReauthenticationRequired', 'signInAgain'],
  ['MissingCSRF', 'formExpired'],
  ['Configuration', 'configurationText'],
  ['WebAuthnVerificationError', 'passkeyFailed'],
])

function explain(code: string, messages: Messages): string {
  return messages[explanations.get(code) ?? 'unableToSignIn']
}
