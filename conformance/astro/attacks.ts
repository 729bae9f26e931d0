import type { RawRequest } from '@siteauth/testing/integration'

const FORM = 'application/x-www-form-urlencoded'

/** Requests that run actions and a server island, which are behind a guard. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const form = { method: 'POST', headers: { origin, 'content-type': FORM }, body: 'a=1' }
  const json = {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: '{}',
  }
  return [
    { ...json, target: '/_actions/called' },
    { ...json, target: '/_actions/called/?_action=sent' },
    { ...form, target: '/_actions/sent' },
    // A form runs an action at any page, before the page.
    ...['/action', '/', '/login', '/ran', '/files/a', '/nowhere'].map(page => ({
      ...form,
      target: `${page}?_action=sent`,
    })),
    { ...json, target: '/login?_action=called' },
    { ...form, target: '/login?a=1&%5faction=sent' },
    { target: await islandOf(origin) },
  ]
}

/** What the script of the prerendered page asks for. */
async function islandOf(origin: string): Promise<string> {
  const page = await (await fetch(`${origin}/island`)).text()
  const target = /\/_server-islands\/Guarded\?[^'"`\s]*/.exec(page)?.[0]
  if (target) return target.replaceAll('&amp;', '&')
  throw new Error(`No server island at /island: ${page}`)
}
