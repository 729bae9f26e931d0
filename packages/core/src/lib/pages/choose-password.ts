import type { RenderedPage } from '../http/response.ts'
import { html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'
import { hiddenFields, passwordAlert, passwordField } from './shared/password-form.ts'

/** The content of the page behind the link to choose a password. */
export interface ChoosePasswordView extends PageSetting {
  readonly action: string
  /** Undefined if the check of forms is switched off. */
  readonly csrfToken: string | undefined
  readonly token: string
  readonly email: string
  readonly callbackUrl: string
  /** Why the last one was not taken. */
  readonly errorCode: string | undefined
  /** How many characters it must have. */
  readonly minLength: number
}

/** The page on which a password is chosen. Opening it uses nothing up. */
export function choosePasswordPage(view: ChoosePasswordView): Promise<RenderedPage> {
  const { messages } = view.language
  const { csrfToken, token, email, callbackUrl, minLength, errorCode } = view
  const alert = passwordAlert(errorCode, minLength, view.language)
  const field = {
    name: 'password',
    label: messages.newPassword,
    minLength,
    isFaulty: alert !== null,
  } as const
  // Programs that keep passwords want to know whose it is.
  const who = html`<input type="email" name="username" value="${email}" autocomplete="username" hidden readonly>`
  const content = html`<form action="${view.action}" method="POST">${hiddenFields({ csrfToken, token, email, callbackUrl })}${who}${alert}${passwordField(field, messages)}<button id="submitButton" type="submit">${messages.savePassword}</button></form><p class="quiet small head">${messages.confirmHint}</p>`
  return layout(view, {
    name: 'choose-password signin',
    title: messages.choosePassword,
    icon: 'person',
    heading: messages.choosePassword,
    lead: html`<bdi>${email}</bdi>`,
    content,
    scripts: ['page'],
    hasForms: true,
  })
}
