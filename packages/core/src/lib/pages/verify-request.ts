import type { RenderedPage } from '../http/response.ts'
import { waitText } from '../translations/wait-text.ts'
import { attributes, fill, type Html, html } from './shared/html.ts'
import { icon } from './shared/icons.ts'
import { layout, type PageSetting } from './shared/layout.ts'

/** The content of the page after a request by email. */
export interface VerifyRequestView extends PageSetting {
  /** The address that the link was sent to, where this browser is known to have given it. */
  readonly email: string | undefined
  /** Whether it was for a password, rather than to sign in. */
  readonly isPassword: boolean
  readonly signInUrl: string
  /** Where a code was sent beside the link, and this browser has asked for it. */
  readonly code: CodeFormView | null
}

/** The form for a code, and the one for another. */
export interface CodeFormView {
  /** Where both are sent. */
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string | undefined
  /** The visitor's choice about being remembered. */
  readonly remember: boolean | undefined
  /** From the query: what failed, and why. */
  readonly error: string | undefined
  readonly reason: string | undefined
  /** If the visitor has to wait, for how many seconds. */
  readonly retryAfter: number
  /** In how many seconds another code may be asked for. */
  readonly resendAfter: number
}

/** The page that confirms that a link was sent. */
export function verifyRequestPage(view: VerifyRequestView): Promise<RenderedPage> {
  const { messages } = view.language
  const { email, code } = view
  const content = html`${code && codeForms(view, code)}<p class="quiet small head">${messages.linkHint}</p><a class="button plain" href="${view.signInUrl}">${messages.startAgain}</a><a class="site" href="${view.site}">${fill(messages.backTo, view)}</a>`
  const sentTo = code
    ? messages.codeSentTo
    : view.isPassword
      ? messages.messageSentTo
      : messages.linkSentTo
  return layout(view, {
    // The class of alerts is styled for the page where people sign in.
    name: code ? 'verify-request signin' : 'verify-request',
    title: messages.verifyRequestTitle,
    icon: 'mail',
    heading: messages.checkEmail,
    lead: email ? fill(sentTo, { email }) : messages.linkSent,
    content,
    ...(code && { scripts: ['page', 'code'], hasForms: true }),
  })
}

const ALERT = 'code-error'

function codeForms(view: VerifyRequestView, code: CodeFormView): Html {
  const { messages } = view.language
  const alert = alertOf(view, code)
  const hidden = html`${code.csrfToken && html`<input type="hidden" name="csrfToken" value="${code.csrfToken}">`}${code.callbackUrl && html`<input type="hidden" name="callbackUrl" value="${code.callbackUrl}">`}`
  const input = {
    id: 'input-code',
    name: 'code',
    type: 'text',
    autocomplete: 'one-time-code',
    autocapitalize: 'characters',
    autocorrect: 'off',
    spellcheck: 'false',
    dir: 'ltr',
    maxlength: 32,
    required: true,
    // An alert has the focus, so that it is read out.
    autofocus: !alert,
    ...(alert && { 'aria-invalid': 'true', 'aria-describedby': ALERT }),
  }
  const again = { class: 'plain', type: 'submit', 'data-wait': code.resendAfter }
  return html`<form action="${code.action}" method="POST">${hidden}${alert}<label for="input-code">${messages.code}</label><input${attributes(input)}><button id="submitButton" type="submit">${messages.signIn}</button></form><form action="${code.action}" method="POST">${hidden}<input type="hidden" name="email" value="${view.email}">${code.remember !== undefined && html`<input type="hidden" name="remember" value="${String(code.remember)}">`}<button${attributes(again)}>${messages.sendAgain}</button></form>`
}

function alertOf({ language }: VerifyRequestView, code: CodeFormView): Html | null {
  const { messages } = language
  const { error, reason, retryAfter } = code
  if (error !== 'EmailCodeError' && error !== 'TooManyAttempts') return null
  const text =
    error === 'TooManyAttempts'
      ? fill(messages.tooManyAttempts, { wait: waitText(language, retryAfter) })
      : reason === 'expired'
        ? messages.codeExpired
        : messages.wrongCode
  return html`<div class="error" id="${ALERT}" tabindex="-1" autofocus role="alert">${icon('alert', '')}<p>${text}</p></div>`
}
