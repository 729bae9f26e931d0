import type { RenderedPage } from '../http/outgoing.ts'
import { html } from './html.ts'
import { layout, type PageSetting } from './layout.ts'

/** What the sign-out page shows. */
export interface SignOutView extends PageSetting {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
}

/** The page that asks whether a visitor wants to sign out: following a link must not do it. */
export function signOutPage(view: SignOutView): Promise<RenderedPage> {
  const content = html`<div class="signout"><div class="card"><h1>Sign out</h1><p>Are you sure you want to sign out?</p><form action="${view.action}" method="POST">${
    view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${view.callbackUrl}"><button id="submitButton" type="submit">Sign out</button></form></div></div>`
  return layout(view, { title: 'Sign Out', content, scripts: ['page'], hasForms: true })
}
