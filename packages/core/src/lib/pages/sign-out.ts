import type { RenderedPage } from '../http/response.ts'
import { html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'

/** The content of the sign-out page. */
export interface SignOutView extends PageSetting {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
}

/** The page that asks whether a visitor wants to sign out: following a link must not do it. */
export function signOutPage(view: SignOutView): Promise<RenderedPage> {
  const { messages } = view.language
  const content = html`<form action="${view.action}" method="POST">${
    view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${view.callbackUrl}"><button id="submitButton" type="submit">${messages.signOut}</button></form><a class="site" href="${view.site}">${messages.staySignedIn}</a>`
  return layout(view, {
    name: 'signout',
    title: messages.signOutTitle,
    icon: 'door',
    heading: messages.signOut,
    lead: messages.signOutQuestion,
    content,
    scripts: ['page'],
    hasForms: true,
  })
}
