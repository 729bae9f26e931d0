import type { RenderedPage } from '../http/response.ts'
import { fill, type Html, html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'
import { hiddenFields, passwordAlert, passwordField } from './shared/password-form.ts'

/** The content of the page on which users manage their password. */
export interface ChangePasswordView extends PageSetting {
  /** Where the forms are sent: that changes it, that removes it, and that asks for a link. */
  readonly change: string
  readonly remove: string
  readonly ask: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** The user. */
  readonly email: string
  readonly hasPassword: boolean
  /** Whether it can be removed: there is another way in. */
  readonly canRemove: boolean
  readonly errorCode: string | undefined
  readonly minLength: number
}

/** The page on which users who are signed in change, remove or add a password. */
export function changePasswordPage(view: ChangePasswordView): Promise<RenderedPage> {
  const { messages } = view.language
  const { hasPassword, email } = view
  const content = html`${hasPassword ? changeForms(view) : askForm(view)}<a class="site" href="${view.callbackUrl}">${fill(messages.backTo, { host: view.host })}</a>`
  const heading = hasPassword ? messages.changePassword : messages.choosePassword
  return layout(view, {
    name: 'change-password signin',
    title: heading,
    icon: 'person',
    heading,
    lead: hasPassword ? html`<bdi>${email}</bdi>` : fill(messages.setPasswordText, { email }),
    content,
    scripts: ['page'],
    hasForms: true,
  })
}

function changeForms(view: ChangePasswordView): Html {
  const { messages } = view.language
  const { csrfToken, callbackUrl, email, errorCode, minLength, canRemove } = view
  const alert = passwordAlert(errorCode, minLength, view.language)
  const isCurrent = errorCode === 'wrong_password'
  const isNew = alert !== null && !isCurrent && errorCode !== 'only_sign_in_method'
  const current = {
    name: 'currentPassword',
    label: messages.currentPassword,
    isFaulty: isCurrent,
  } as const
  const chosen = {
    name: 'newPassword',
    label: messages.newPassword,
    minLength,
    isFaulty: isNew,
  } as const
  const who = html`<input type="email" name="username" value="${email}" autocomplete="username" hidden readonly>`
  // One form, so that the current one is typed once. Removing needs no new one.
  const remove =
    canRemove &&
    html`<button class="plain" type="submit" formaction="${view.remove}" formnovalidate>${messages.removePassword}</button>`
  return html`<form action="${view.change}" method="POST">${hiddenFields({ csrfToken, callbackUrl })}${who}${alert}${passwordField(current, messages)}${passwordField(chosen, messages)}<button id="submitButton" type="submit">${messages.savePassword}</button>${remove}</form>`
}

function askForm({ ask, csrfToken, callbackUrl, email, language }: ChangePasswordView): Html {
  return html`<form action="${ask}" method="POST">${hiddenFields({ csrfToken, callbackUrl, email })}<button id="submitButton" type="submit">${language.messages.sendLink}</button></form>`
}
