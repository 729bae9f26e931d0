import { html, raw } from '../window/html.js'

/** The page of whoever is there, or of nobody. */
export function page({ session, mode, head, panels }) {
  const { DEMO_DESK } = process.env
  const name = session?.user?.name ?? session?.user?.email
  const choice = (value, words) => html`<form method="post" action="/sessions/${value}">
    <button class="choice" aria-pressed="${String(mode === value)}">${words}</button>
  </form>`
  return String(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>SiteAuth on Express</title>
        <link rel="icon" href="${DEMO_DESK}/logo.svg" />
        <link rel="stylesheet" href="${DEMO_DESK}/style.css" />
        <script src="${DEMO_DESK}/live.js" defer></script>
      </head>
      <body>
        ${raw(head)}
        <main>
          <section class="hero">
            <p class="eyebrow">An application on Express</p>
            <h1>${name ? `Hello, ${name}` : 'Nobody is signed in'}</h1>
            ${
              session
                ? html`<form method="post" action="/leave"><button>Sign out</button></form>`
                : html`<a class="button" href="/auth/signin?callbackUrl=/">Sign in</a>`
            }
            <div class="switch" role="group" aria-label="Where the session is kept">
              <span>Session</span>
              ${choice('sqlite', 'In SQLite')} ${choice('cookie', 'In the cookie')}
            </div>
          </section>
          ${raw(panels)}
        </main>
      </body>
    </html>`)
}
