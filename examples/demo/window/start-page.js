import { html } from './html.js'
import { plainPage } from './plain-page.js'
import { topBar } from './top-bar.js'
import { waysToSignIn } from './ways-to-sign-in.js'

/** Where a visitor begins. */
export function startPage(addresses) {
  const door = (name, url, words) => html`<a class="card door" href="${url}">
    <h2>${name}</h2>
    <p class="quiet">${words}</p>
    <span class="address">${new URL(url).host} →</span>
  </a>`
  return plainPage(
    'SiteAuth: the demo',
    html`${topBar(addresses, null)}
      <main>
        <section class="hero">
          <h1>Sign in, four ways, on two frameworks</h1>
          <p class="quiet">Everything runs on this machine. Nothing is sent anywhere, and nothing had to be set up.</p>
        </section>
        <div class="panels">
          ${door('Express', addresses.express, 'Middleware, a session on every request, and pages made from strings.')}
          ${door('Next.js', addresses.next, 'App Router, server components and server actions.')}
          <section class="card wide"><h2>Four ways in</h2>${waysToSignIn(addresses)}</section>
        </div>
      </main>`,
  )
}
