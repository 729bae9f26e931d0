import type { RenderedPage } from '../http/outgoing.ts'
import type { Theme } from '../theme.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** What the page behind a link in an email shows. */
export interface ConfirmEmailView {
  readonly theme: Theme
  readonly action: string
  readonly token: string
  readonly email: string
  readonly callbackUrl: string
  readonly host: string
  /** Whether the page goes on by itself, where scripts run. */
  readonly submitsItself: boolean
}

/** The page that signs in by a form: following a link alone must not. */
export function confirmEmailPage(view: ConfirmEmailView): Promise<RenderedPage> {
  const content = html`<div class="confirm-email"><div class="card"><h1>Sign in to ${view.host}</h1><p>You are about to sign in as <strong>${view.email}</strong>.</p><form action="${view.action}" method="POST"><input type="hidden" name="token" value="${view.token}"><input type="hidden" name="email" value="${view.email}"><input type="hidden" name="callbackUrl" value="${view.callbackUrl}"><button id="submitButton" type="submit">Sign in</button></form></div></div>`
  return layout({
    title: 'Sign In',
    theme: view.theme,
    content,
    ...(view.submitsItself && { script: 'document.forms[0].submit()' }),
  })
}
