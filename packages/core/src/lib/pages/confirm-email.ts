import type { RenderedPage } from '../http/response.ts'
import { fill, html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'

/** The content of the page behind a link in an email. */
export interface ConfirmEmailView extends PageSetting {
  readonly action: string
  /** Undefined if the check of forms is switched off. */
  readonly csrfToken: string | undefined
  readonly token: string
  readonly email: string
  readonly callbackUrl: string
  /** Whether the page goes on by itself, where scripts run. */
  readonly submitsItself: boolean
}

/** The page that signs in by a form: following a link alone must not. */
export function confirmEmailPage(view: ConfirmEmailView): Promise<RenderedPage> {
  const { messages } = view.language
  const content = html`<form action="${view.action}" method="POST"${view.submitsItself && html` data-submits-itself="true"`}>${view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`}<input type="hidden" name="token" value="${view.token}"><input type="hidden" name="email" value="${view.email}"><input type="hidden" name="callbackUrl" value="${view.callbackUrl}"><button id="submitButton" type="submit">${messages.signIn}</button></form><p class="quiet small head">${messages.confirmHint}</p>`
  return layout(view, {
    name: 'confirm-email',
    title: messages.signInTitle,
    icon: 'person',
    heading: fill(messages.signInTo, view),
    lead: fill(messages.confirmText, view),
    content,
    scripts: ['page'],
    hasForms: true,
  })
}
