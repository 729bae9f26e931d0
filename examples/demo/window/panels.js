import { readFileSync } from 'node:fs'
import { cookiesInWords } from './cookies-in-words.js'
import { highlight } from './highlight.js'
import { html } from './html.js'
import { topBar } from './top-bar.js'
import { waysToSignIn } from './ways-to-sign-in.js'

const files = {
  Express: ['auth.js', 'express/app.js', 'express/page.js', 'express/devices-page.js'],
  'Next.js': [
    'auth.js',
    'next/auth.js',
    'next/app/api/auth/[...siteauth]/route.js',
    'next/app/page.jsx',
    'next/app/devices/page.jsx',
  ],
}

/** What both applications show around their own part of the page. */
export function createPanels(addresses) {
  const sources = Object.fromEntries(
    Object.entries(files).map(([app, names]) => [app, names.map(readSource)]),
  )
  return ({ app, mode, session, cookies }) => ({
    head: String(topBar(addresses, app)),
    panels: String(html`<div class="panels">
      ${session ? sessionPanel(session, mode) : waysPanel(addresses)}
      ${eventsPanel(addresses)} ${cookiesPanel(cookiesInWords(cookies))} ${codePanel(sources[app])}
    </div>`),
  })
}

function readSource(name) {
  return { name, code: readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').trim() }
}

function sessionPanel(session, mode) {
  const where =
    mode === 'sqlite'
      ? 'Read from a row in SQLite, shared by both applications: you are signed in on the other one, too.'
      : 'Read from the cookie alone. Both applications know its key: you are signed in on the other one, too.'
  return html`<section class="card">
    <h2>The session</h2>
    <p class="quiet">${where}</p>
    <pre tabindex="0">${JSON.stringify(session, null, 2)}</pre>
  </section>`
}

function waysPanel(addresses) {
  return html`<section class="card">
    <h2>Four ways in</h2>
    ${waysToSignIn(addresses)}
  </section>`
}

function eventsPanel(addresses) {
  return html`<section class="card">
    <h2>Events, as they happen</h2>
    <live-events src="${addresses.desk}/events">
      <ol class="events" aria-live="polite" tabindex="0">
        <li class="quiet">Nothing yet. Sign in, and watch.</li>
      </ol>
    </live-events>
  </section>`
}

function cookiesPanel(cookies) {
  const known = cookies.filter(({ purpose }) => purpose)
  const others = cookies.length - known.length
  return html`<section class="card wide">
    <h2>The cookies, explained</h2>
    <p class="quiet">${
      known.length > 0
        ? 'Scripts cannot read them (HttpOnly) unless noted, and forms from other sites are sent without them (SameSite=Lax). With HTTPS, they are also Secure and have names that browsers protect.'
        : 'There are none yet.'
    }</p>
    <dl class="cookies">${known.map(
      ({ name, purpose, lifetime, bytes }) => html`<div>
        <dt><code>${name}</code></dt>
        <dd>${purpose} <span class="quiet">Kept ${lifetime}. ${bytes} bytes.</span></dd>
      </div>`,
    )}</dl>
    ${
      others > 0 &&
      html`<p class="quiet">And ${others} from other programs: localhost cookies are sent to every port.</p>`
    }
  </section>`
}

function codePanel(sources) {
  return html`<section class="card wide">
    <h2>The code behind it</h2>
    ${sources.map(
      ({ name, code }, index) => html`<details name="code" ${index === 0 && html`open`}>
        <summary><code>${name}</code> <span class="quiet">${code.split('\n').length} lines</span></summary>
        <pre class="code" tabindex="0">${highlight(code)}</pre>
      </details>`,
    )}
  </section>`
}
