import { html } from '../window/html.js'
import { frame } from './frame.js'

/** The page of whoever is there, or of nobody. */
export function page({ session, mode, head, panels }) {
  const name = session?.user?.name ?? session?.user?.email
  const choice = (value, words) => html`<form method="post" action="/sessions/${value}">
    <button class="choice" aria-pressed="${String(mode === value)}">${words}</button>
  </form>`
  return frame(
    { head, panels },
    html`<section class="hero">
      <p class="eyebrow">An application on Express</p>
      <h1>${name ? `Hello, ${name}` : 'Nobody is signed in'}</h1>
      ${
        session
          ? html`<form method="post" action="/leave"><button>Sign out</button></form>
              <a href="/devices">Your devices</a>`
          : html`<a class="button" href="/auth/signin?callbackUrl=/">Sign in</a>`
      }
      <div class="switch" role="group" aria-label="Where the session is kept">
        <span>Session</span>
        ${choice('sqlite', 'In SQLite')} ${choice('cookie', 'In the cookie')}
      </div>
    </section>`,
  )
}
