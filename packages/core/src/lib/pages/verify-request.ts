import type { RenderedPage } from '../http/outgoing.ts'
import { fill, html } from './html.ts'
import { layout, type PageSetting } from './layout.ts'

/** What the page after a request by email shows. */
export interface VerifyRequestView extends PageSetting {
  /** The address that the link was sent to, where this browser is known to have given it. */
  readonly email: string | undefined
  readonly signInUrl: string
}

/** The page that says that a link was sent. */
export function verifyRequestPage(view: VerifyRequestView): Promise<RenderedPage> {
  const { words } = view.language
  const { email } = view
  const content = html`<p class="quiet small head">${words.linkHint}</p><a class="button plain" href="${view.signInUrl}">${words.startAgain}</a><a class="site" href="${view.site}">${fill(words.backTo, view)}</a>`
  return layout(view, {
    name: 'verify-request',
    title: words.verifyRequestTitle,
    icon: 'mail',
    heading: words.checkEmail,
    lead: email ? fill(words.linkSentTo, { email }) : words.linkSent,
    content,
  })
}
