import { html } from './html.js'
import { plainPage } from './plain-page.js'
import { topBar } from './top-bar.js'

/** The messages that the applications have sent, newest first. */
export function inboxPage(addresses, messages) {
  return plainPage(
    'Inbox',
    html`${topBar(addresses, 'Inbox')}
      <main>
        <section class="hero">
          <h1>Inbox</h1>
          <p class="quiet">Every email the applications send ends up here, whoever it is for.</p>
        </section>
        <div class="panels">${messages.length > 0 ? messages.map(card) : html`<p class="card wide quiet">No messages yet. Ask for a link; this page refreshes automatically.</p>`}</div>
      </main>`,
    { refresh: messages.length === 0 && 2 },
  )
}

function card({ from, to, subject, html: content, at }) {
  // The message cannot run scripts. Its links open beside this page, as in a mail program.
  return html`<article class="card wide">
    <h2>${subject}</h2>
    <p class="quiet">From ${from} to ${to}, ${at.toLocaleTimeString('en-GB')}</p>
    <iframe title="The message" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${content}"></iframe>
  </article>`
}
