import { type Html, html } from './html.ts'

/** What is wrong inside. Not for visitors, and so in the language of the code. */
export function developerNote(details: readonly string[]): Html | false {
  return (
    details.length > 0 &&
    html`<div class="details" lang="en" dir="ltr"><strong>Only shown in development</strong>${details.map(detail => html`<pre>${detail}</pre>`)}<span>The server's log says more.</span></div>`
  )
}
