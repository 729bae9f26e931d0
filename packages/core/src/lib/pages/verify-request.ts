import type { RenderedPage } from '../http/outgoing.ts'
import { html } from './html.ts'
import { layout, type PageSetting } from './layout.ts'

/** What the page after a request by email shows. */
export type VerifyRequestView = PageSetting

/** The page that says that a link was sent. */
export function verifyRequestPage(view: VerifyRequestView): Promise<RenderedPage> {
  const content = html`<div class="verify-request"><div class="card"><h1>Check your email</h1><p>A sign in link has been sent to your email address.</p><p><a class="site" href="${view.site}">${view.host}</a></p></div></div>`
  return layout(view, { title: 'Verify Request', content })
}
