import type { RenderedPage } from '../http/response.ts'
import { fill, html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'

/** The content of the page behind a link that was opened on another device. */
export interface ShowCodeView extends PageSetting {
  /** As people read it. */
  readonly code: string
}

/** The page that shows a code, to be typed where it was asked for. */
export function showCodePage(view: ShowCodeView): Promise<RenderedPage> {
  const { messages } = view.language
  const content = html`<p class="code" dir="ltr">${view.code}</p><p class="quiet small head">${messages.showCodeHint}</p>`
  return layout(view, {
    name: 'show-code',
    title: messages.signInTitle,
    icon: 'person',
    heading: fill(messages.signInTo, view),
    lead: messages.showCode,
    content,
  })
}
