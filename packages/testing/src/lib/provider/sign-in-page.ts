import { FAILURES } from './failure.ts'
import type { FakePerson } from './fake-person.ts'

/** The page that a browser sees: a button for each person, one to say no, and what is to go wrong. */
export function signInPage(people: readonly FakePerson[], parameters: URLSearchParams): Response {
  const hidden = [...parameters].map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const buttons = people.map(
    ({ sub, name }) =>
      `<p><button name="as" value="${escapeHtml(sub)}">${escapeHtml(name ?? sub)}</button></p>`,
  )
  const failures = Object.entries(FAILURES)
    .filter(([failure]) => failure !== 'denied')
    .map(([failure, meaning]) => `<option value="${failure}">${failure}: ${meaning}</option>`)
  return page(
    'Sign in at the fake provider',
    `<form method="post">${hidden.join('')}${buttons.join('')}
<p><button name="failure" value="denied">Deny</button></p>
<p><label>What goes wrong <select name="failure"><option value="">nothing</option>${failures.join('')}</select></label></p>
</form>`,
  )
}

/** What people see who have signed out, and are not sent anywhere. */
export function signedOutPage(): Response {
  return page('Signed out at the fake provider', '<p role="status">You are signed out.</p>')
}

function page(title: string, body: string): Response {
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body><h1>${title}</h1>${body}</body></html>`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(html, { headers })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
