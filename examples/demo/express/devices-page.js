import { deviceName, timeInWords } from '../window/device-words.js'
import { html } from '../window/html.js'
import { frame } from './frame.js'

/** Where somebody is signed in. */
export function devicesPage({ sessions, head }) {
  return frame(
    { head },
    html`<section class="hero">
        <p class="eyebrow">An application on Express</p>
        <h1>Your devices</h1>
        <a href="/">Back</a>
      </section>
      <section class="card">
        <ul class="devices">${sessions.map(device)}</ul>
        <form method="post" action="/devices/end-others"><button>Sign out everywhere else</button></form>
      </section>`,
  )
}

function device(session) {
  const { handle, isCurrent, provider, createdAt, lastSeenAt } = session
  return html`<li>
    <div>
      <strong>${deviceName(session)}</strong> ${isCurrent && html`<mark>This one</mark>`}
      <p class="quiet">
        By ${provider}, since ${timeInWords(createdAt)}. Last seen ${timeInWords(lastSeenAt)}.
      </p>
    </div>
    <form method="post" action="/devices/end">
      <input type="hidden" name="handle" value="${handle}" />
      <button class="plain" aria-label="Sign out ${deviceName(session)}">Sign out</button>
    </form>
  </li>`
}
