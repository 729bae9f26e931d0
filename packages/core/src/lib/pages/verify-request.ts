import type { RenderedPage } from '../http/outgoing.ts'
import type { Theme } from '../theme.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** What the page after a request by email shows. */
export interface VerifyRequestView {
  readonly theme: Theme
  readonly site: string
  readonly host: string
}

/** The page that says that a link was sent. */
export function verifyRequestPage(view: VerifyRequestView): Promise<RenderedPage> {
  const content = html`<div class="verify-request"><div class="card"><h1>Check your email</h1><p>A sign in link has been sent to your email address.</p><p><a class="site" href="${view.site}">${view.host}</a></p></div></div>`
  return layout({ title: 'Verify Request', theme: view.theme, content })
}
